/* Counting and finding bits. */
#ifndef POCKET_BITS_H
#define POCKET_BITS_H

#include <stdint.h>

static inline uint32_t count_ones(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (uint32_t)(x * 0x0101010101010101ull >> 56);
}

/* The place of the highest, and of the lowest one of a number that is not 0. */
static inline uint32_t highest_one(uint64_t x) {
#ifdef __GNUC__
    return 63u - (uint32_t)__builtin_clzll(x);
#else
    for (uint32_t i = 1; i < 64; i *= 2) x |= x >> i;
    return count_ones(x) - 1;
#endif
}

static inline uint32_t lowest_one(uint64_t x) {
#ifdef __GNUC__
    return (uint32_t)__builtin_ctzll(x);
#else
    return count_ones((x & (0 - x)) - 1);
#endif
}

#endif
