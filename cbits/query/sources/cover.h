/* Sources in the order of what each adds to those before it (docs/format.md, section 9). */
#ifndef POCKET_COVER_H
#define POCKET_COVER_H

#include "base/meter.h"
#include "pocket.h"

/* Candidates and the room to order them in. */
typedef struct cover {
    const pocket_span *spans; /* of places, no two of one candidate on the same place */
    const uint32_t *ends;     /* where the spans of each candidate end */
    const uint32_t *sizes;    /* of each place, or NULL where all have the size 1 */
    uint32_t count;
    uint64_t *heap;   /* room for count */
    uint32_t *others; /* room for count */
    uint8_t *covered; /* of each place, a zero */
} cover;

/* The number of a candidate's first span. */
static inline uint32_t spans_before(const cover *c, uint32_t candidate) {
    return candidate ? c->ends[candidate - 1] : 0;
}
/* The size of what a candidate has: all of it, or what none has that was taken. */
uint32_t spans_size(const cover *c, uint32_t candidate, int all);
/* Order candidates, at most most: those that add least or more to the ones before them, the one
 * that adds the most first; then the others by what they have. Of equal ones the lower number comes
 * first. Returns how many were ordered, 0 where the call was interrupted; added: the size that each
 * adds, 0 for the others. */
uint32_t cover_best(cover *c, uint32_t least, uint32_t most, meter *steps, uint32_t *order,
                    uint32_t *added);

#endif
