/* How much two sets have to share, by a measure and a threshold, in whole numbers. */
#ifndef POCKET_SHARING_H
#define POCKET_SHARING_H

#include "build/pocket_build.h"

static inline uint64_t set_size(const pocket_sets *sets, uint32_t text) {
    return sets->ends[text] - sets->starts[text];
}

static inline uint64_t share_rounded_up(uint64_t size, uint64_t of, uint64_t in) {
    return (size * of + in - 1) / in;
}

/* Hashes that sets of such sizes share at least where they are near. */
static inline uint64_t least_common(const pocket_sets *sets, uint64_t one, uint64_t other) {
    if (sets->measure == POCKET_CONTAINMENT)
        return share_rounded_up(one < other ? one : other, sets->least, POCKET_SHARES);
    return share_rounded_up(one + other, sets->least, POCKET_SHARES + sets->least);
}

/* Of a set's hashes, the rarest first, those of which it shares one with every set that it is near
 * to: with larger ones, or with whatever size. Two sets that are near share one that is among the
 * former of the smaller and among the latter of the other. */
static inline uint64_t prefix_for_larger(const pocket_sets *sets, uint64_t size) {
    return size ? size - least_common(sets, size, size) + 1 : 0;
}

static inline uint64_t prefix_for_any(const pocket_sets *sets, uint64_t size) {
    if (sets->measure == POCKET_CONTAINMENT || !size) return size;
    return size - share_rounded_up(size, sets->least, POCKET_SHARES) + 1;
}

/* May sets of such sizes be near at all? */
static inline int sizes_agree(const pocket_sets *sets, uint64_t one, uint64_t other) {
    uint64_t fewer = one < other ? one : other, more = one < other ? other : one;
    return sets->measure == POCKET_CONTAINMENT ||
           fewer >= share_rounded_up(more, sets->least, POCKET_SHARES);
}

#endif
