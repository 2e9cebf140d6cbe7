/* Orders sources by what each adds to those before it (docs/format.md, section 9). */
#ifndef POCKET_COVER_H
#define POCKET_COVER_H

#include "base/meter.h"
#include "pocket.h"

/* Candidates and the room to order them in. */
typedef struct cover {
    const pocket_span *spans; /* of places; those of one candidate do not overlap */
    const uint32_t *ends;     /* where the spans of each candidate end */
    const uint32_t *sizes;    /* of each place, or NULL if all have the size 1 */
    uint32_t count;
    uint64_t *heap;   /* room for count */
    uint32_t *others; /* room for count */
    uint8_t *covered; /* for each place, not 0 if it is covered; the caller sets zeros */
} cover;

/* Returns the number of a candidate's first span. */
static inline uint32_t spans_before(const cover *c, uint32_t candidate) {
    return candidate ? c->ends[candidate - 1] : 0;
}
/* Returns the size of what a candidate covers: all of it, or only what is not covered yet. */
uint32_t spans_size(const cover *c, uint32_t candidate, int all);
/* Order at most most candidates: first those that add least or more to the ones before them, the
 * one that adds the most first; then the others by what they cover. If two are equal, the lower
 * number comes first. Returns how many were ordered, 0 if the call was interrupted. added: the size
 * that each adds, 0 for the others. */
uint32_t cover_best(cover *c, uint32_t least, uint32_t most, meter *steps, uint32_t *order,
                    uint32_t *added);

#endif
