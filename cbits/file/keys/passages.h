/* The passages section (docs/format.md 6.3): which documents have a shingle. */
#ifndef POCKET_PASSAGES_H
#define POCKET_PASSAGES_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error);
/* The key of a shingle: of its hash times 256 * range what is above 64 bits. */
static inline uint64_t shingle_key(uint64_t hash, uint32_t range) {
    uint64_t times = (uint64_t)range << 8, high = times >> 32, low = times & UINT32_MAX,
             lower = hash & UINT32_MAX, middle = (hash >> 32) * low,
             rest = (middle & UINT32_MAX) + lower * high + (lower * low >> 32);
    return (hash >> 32) * high + (middle >> 32) + (rest >> 32);
}
/* Is a shingle left out that has this posting among count? Too many documents have it. */
static inline int shingle_is_left_out(const pocket_index *x, uint32_t posting, uint32_t count) {
    return count == 1 && posting == x->documents;
}

#endif
