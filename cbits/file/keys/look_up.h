/* Keys to candidates: the part, the slot, the checksum, the postlist (docs/format.md, sections 3
 * and 8). */
#ifndef POCKET_LOOK_UP_H
#define POCKET_LOOK_UP_H

#include "file/container.h"
#include "file/keys/part.h"

/* A key whose checksum agreed: its place among the keys asked for, and its postlist, from start on
 * in the postings of its part. */
typedef struct match {
    const uint8_t *postings;
    uint32_t rank, part, start, count;
} match;

/* Room for the look-up of up to limit keys at once. */
typedef struct look_up {
    uint32_t limit;
    uint32_t *part_of, *order,
        *heads; /* part_of: of each key, then scratch; heads: parts of the table + 1 */
    uint64_t *keys, *mixed;
    uint32_t *slots;
    match *matches;   /* part by part */
    uint32_t *ranked; /* their numbers, in order of rank */
    uint32_t match_count, parts_touched;
    uint64_t passed; /* postings that were passed over to find those of the matches */
} look_up;

int look_up_alloc(look_up *l, uint32_t limit, uint32_t most_parts);
void look_up_free(look_up *l);
/* Look up count keys in table number of t. */
uint32_t look_up_run(look_up *l, const pocket_index *index, const tables *t, uint32_t number,
                     const uint64_t *keys, uint32_t count, pocket_error *error);
/* Posting i (< count) of a match in t. */
static inline uint32_t match_posting(const match *m, const tables *t, uint32_t i) {
    return posting_get(m->postings, m->start + i, t->posting_bits);
}
/* Open part i of t, its CRC checked. */
uint32_t part_get(const pocket_index *index, const tables *t, uint32_t i, int no_cache, part *p,
                  pocket_error *error);

#endif
