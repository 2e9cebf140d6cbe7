/* The postings of a term, once they are read: which documents have it, and at which levels. */
#ifndef POCKET_POSTINGS_H
#define POCKET_POSTINGS_H

#include "base/meter.h"
#include "query/align/segment.h"

#define MOST_POSTINGS 262144u /* the most postings of one word that are read */

/* Documents with their levels; or, of a term that many have, a table of four bits a document, which
 * is no longer than the list: 1 + the level, or 0. */
typedef struct posting_list {
    const uint32_t *documents;
    const uint8_t *levels; /* NULL: it is a table */
    uint32_t end;          /* of the list or the table */
} posting_list;

struct postings {
    postings *next; /* of the same segment */
    posting_list list;
    uint32_t count;
    uint32_t documents[];
};

/* Read the postings of a term, at most MOST_POSTINGS, and put them before those that were read for
 * the segment; *capped is set if it has more. */
uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error);
void postings_free(postings **all);

static inline uint32_t postings_count(const postings *p) { return p ? p->count : 0; }
/* p may be NULL. */
static inline posting_list postings_of(const postings *p) {
    return p ? p->list : (posting_list){NULL, NULL, 0};
}

/* A module for the web, which is to be small, has no tables. */
static inline int is_table(const posting_list *p) {
#ifdef POCKET_FREESTANDING
    return (void)p, 0;
#else
    return p->end && !p->levels;
#endif
}
/* In a table: returns 1 + the level of a document, or 0. */
static inline uint32_t table_level(const posting_list *p, uint32_t document) {
    return p->documents[document / 8] >> 4 * (document % 8) & 15;
}
/* Goes through the postings by i from 0 up to the end: returns 1 + the level of one, or 0 where the
 * table has none. */
static inline uint32_t posting_at(const posting_list *p, uint32_t i, uint32_t *document) {
    *document = is_table(p) ? i : p->documents[i];
    return is_table(p) ? table_level(p, i) : 1u + p->levels[i];
}

#endif
