/* The postings of a term, once they are read: which documents have it, and at which levels. */
#ifndef POCKET_POSTINGS_H
#define POCKET_POSTINGS_H

#include "base/meter.h"
#include "query/align/segment.h"

#define MOST_POSTINGS 262144u /* the most postings of one word that are read */

/* Documents with their levels. */
struct postings {
    postings *next; /* of the same segment */
    uint8_t *levels;
    uint32_t count;
    uint32_t documents[];
};

/* Read the postings of a term, at most MOST_POSTINGS, and put them before those that were read for
 * the segment; *capped is set if it has more. */
uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error);
void postings_free(postings **all);

static inline uint32_t postings_count(const postings *p) { return p ? p->count : 0; }

#endif
