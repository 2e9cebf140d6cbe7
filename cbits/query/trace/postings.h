/* The postings of a term, once they are read: which documents have it, and at which levels. */
#ifndef POCKET_POSTINGS_H
#define POCKET_POSTINGS_H

#include "base/meter.h"
#include "query/align/segment.h"

#define MOST_POSTINGS 262144u /* the most postings of one word that are read */

/* A list of documents by level, the highest first, and by number; or, of a term that many have, a
 * table of four bits a document, which is no longer than the list: 1 + the level, or 0. */
struct postings {
    postings *next; /* of the same segment */
    uint32_t count;
    uint32_t ends[WORD_LEVELS]; /* where those of each level end in the list */
    uint32_t in_table;          /* the documents of the table, or 0: it is a list */
    uint32_t documents[];
};

/* Read the postings of a term, at most MOST_POSTINGS, and put them before those that were read for
 * the segment; *capped is set if it has more. */
uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error);
void postings_free(postings **all);

static inline uint32_t postings_count(const postings *p) { return p ? p->count : 0; }

/* In a table: 1 + the level of a document, or 0. */
static inline uint32_t table_level(const postings *p, uint32_t document) {
    return p->documents[document / 8] >> 4 * (document % 8) & 15;
}

/* Goes through the postings of a term; p may be NULL. */
typedef struct posting_walk {
    const postings *p;
    uint32_t at, document, level;
} posting_walk;

static inline posting_walk walk_postings(const postings *p) {
    return (posting_walk){p, 0, 0, WORD_LEVELS - 1};
}

static inline int next_posting(posting_walk *w) {
    const postings *p = w->p;
    if (!p) return 0;
    if (!p->in_table) {
        if (w->at == p->count) return 0;
        while (w->at >= p->ends[w->level]) w->level--;
        w->document = p->documents[w->at++];
        return 1;
    }
    while (w->at < p->in_table) {
        w->document = w->at++;
        if ((w->level = table_level(p, w->document))) return w->level--, 1;
    }
    return 0;
}

#endif
