/* The passages section (docs/format.md 6.3): which documents have a shingle. */
#ifndef POCKET_PASSAGES_H
#define POCKET_PASSAGES_H

#include "file/container.h"
#include "file/keys/look_up.h"

#define SHINGLE_EXAMPLES 3u /* documents of a frequent shingle that a look-up finds */

/* The tables of the section: all shingles, and all documents of the frequent ones. */
enum { ALL_SHINGLES, FREQUENT_SHINGLES, SHINGLE_TABLES };

/* Check the section's head and keep its parameters. */
uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error);
/* The key of a shingle: of its hash times 256 * range what is above 64 bits. */
static inline uint64_t shingle_key(uint64_t hash, uint32_t range) {
    uint64_t times = (uint64_t)range << 8, high = times >> 32, low = times & UINT32_MAX,
             lower = hash & UINT32_MAX, middle = (hash >> 32) * low,
             rest = (middle & UINT32_MAX) + lower * high + (lower * low >> 32);
    return (hash >> 32) * high + (middle >> 32) + (rest >> 32);
}
/* How many documents have a shingle whose postings m are in the table of all shingles, and how many
 * of them are listed: all, or examples, where the shingle is frequent. */
static inline uint32_t shingle_documents(const pocket_index *x, const match *m, uint32_t *listed) {
    const tables *t = &x->passages;
    *listed = m->count;
    if (m->count < 2 || match_posting(m, t, m->count - 2) != x->documents) return m->count;
    *listed = m->count - 2;
    return match_posting(m, t, m->count - 1);
}
/* Check these two numbers of a postlist. */
uint32_t shingle_check(const pocket_index *x, const match *m, uint32_t documents, uint32_t listed,
                       pocket_error *error);

#endif
