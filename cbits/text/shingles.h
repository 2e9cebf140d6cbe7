/* Shingles, runs of consecutive terms, and the least values of many hash functions over them
 * (docs/format.md 2.6). */
#ifndef POCKET_SHINGLES_H
#define POCKET_SHINGLES_H

#include <stdint.h>

#define SHINGLE_TERMS 16u /* at most */

/* The hashes of the last terms, size of them once there are as many. */
typedef struct shingle {
    uint8_t hashes[8 * SHINGLE_TERMS];
    uint32_t size, filled;
} shingle;

/* Put a term's hash behind the others, the oldest falls out; the hash of the shingle that they now
 * are. */
uint64_t shingle_push(shingle *s, uint64_t term);
/* Lower the least values of functions 0 .. count - 1 by a shingle's hash. */
void shingle_lower(uint64_t *least, uint32_t count, uint64_t hash);

#endif
