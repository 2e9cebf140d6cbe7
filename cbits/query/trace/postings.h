/* The postings of a term, once they are read: which documents have it, and at which levels. */
#ifndef POCKET_POSTINGS_H
#define POCKET_POSTINGS_H

#include "base/meter.h"
#include "query/align/segment.h"

#define MOST_POSTINGS 262144u /* the most postings of one word that are read */

/* A list of documents with their levels; or, of a term that many have, a table of four bits a
 * document, which is no longer than the list: 1 + the level, or 0. */
struct postings {
    postings *next; /* of the same segment */
    uint32_t count;
    uint32_t table;  /* its documents, or 0: it is a list */
    uint8_t *levels;   /* of the list */
    uint32_t documents[];
};

/* Read the postings of a term, at most MOST_POSTINGS, and put them before those that were read for
 * the segment; *capped is set if it has more. */
uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error);
void postings_free(postings **all);

static inline uint32_t postings_count(const postings *p) { return p ? p->count : 0; }

/* Returns the documents of a table, 0 for a list. A module for the web, which is to be small, has
 * lists alone. */
static inline uint32_t in_table(const postings *p) {
#ifdef POCKET_FREESTANDING
    return (void)p, 0;
#else
    return p->table;
#endif
}
/* In a table: 1 + the level of a document, or 0. */
static inline uint32_t table_level(const postings *p, uint32_t document) {
    return p->documents[document / 8] >> 4 * (document % 8) & 15;
}

/* How often posting_at is called to go through the postings of a term, which may be NULL. */
static inline uint32_t postings_end(const postings *p) {
    return !p ? 0 : in_table(p) ? in_table(p) : p->count;
}
/* Returns 1 + the level of posting i, or 0 if there is none in this place of the table. */
static inline uint32_t posting_at(const postings *p, uint32_t i, uint32_t *document) {
    *document = in_table(p) ? i : p->documents[i];
    return in_table(p) ? table_level(p, i) : 1u + p->levels[i];
}

#endif
