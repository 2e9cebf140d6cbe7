/* Counting and finding bits. */
#ifndef POCKET_BITS_H
#define POCKET_BITS_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

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
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long place;
    _BitScanReverse64(&place, x);
    return (uint32_t)place;
#else
    for (uint32_t i = 1; i < 64; i *= 2) x |= x >> i;
    return count_ones(x) - 1;
#endif
}

static inline uint32_t lowest_one(uint64_t x) {
#ifdef __GNUC__
    return (uint32_t)__builtin_ctzll(x);
#elif defined(_MSC_VER) && defined(_WIN64)
    unsigned long place;
    _BitScanForward64(&place, x);
    return (uint32_t)place;
#else
    return count_ones((x & (0 - x)) - 1);
#endif
}

/* The place of the one that has `skip` ones below it, where there is one (broadword selection,
 * Vigna 2008). */
static inline uint32_t one_at(uint64_t bits, uint32_t skip) {
    const uint64_t each = 0x0101010101010101ull, high = each << 7;
    uint64_t sums = bits - (bits >> 1 & 0x5555555555555555ull);
    sums = (sums & 0x3333333333333333ull) + (sums >> 2 & 0x3333333333333333ull);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Full) * each;
    /* Byte i of sums counts the ones up to and with byte i. How many bytes do not have more than
     * skip? */
    uint32_t place = (uint32_t)((((~(sums + (127 - skip) * each) & high) >> 7) * each) >> 56) * 8;
    skip -= (uint32_t)(sums << 8 >> place & 0xFF);
    for (bits >>= place; skip > 0; skip--) bits &= bits - 1;
    return place + lowest_one(bits);
}

#endif
