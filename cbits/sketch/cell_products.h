/* Products of steps with centres, by the best instructions that the processor has; with any of them
 * the same. */
#ifndef POCKET_CELL_PRODUCTS_H
#define POCKET_CELL_PRODUCTS_H

#include "sketch/cell_scores.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC)
#include <cpuid.h>
#include <immintrin.h>
#define BY_REGISTERS __attribute__((target("avx2")))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#endif

/* A centre's values are 2 q - 15 for q of 0 .. 15, so that none is 0; the sum over q alone has the
 * same order, and half of what is taken off is known. */
static int32_t score_of(const cell_steps *steps, const uint8_t *centre, uint32_t from) {
    int32_t sum = 0;
    for (uint32_t i = from; i < steps->bytes; i++)
        sum += steps->even[i] * (centre[i] & 15) + steps->odd[i] * (centre[i] >> 4);
    return sum;
}

#ifdef BY_REGISTERS

/* The products of half a centre's bytes: two of a step with at most 15, and the sum of two such,
 * fit into 16 bits. */
static ALWAYS_INLINE BY_REGISTERS __m256i products(__m256i low, __m256i high, const int8_t *even,
                                                   const int8_t *odd) {
    __m256i a = _mm256_maddubs_epi16(low, _mm256_loadu_si256((const __m256i *)even));
    __m256i b = _mm256_maddubs_epi16(high, _mm256_loadu_si256((const __m256i *)odd));
    return _mm256_madd_epi16(_mm256_add_epi16(a, b), _mm256_set1_epi16(1));
}

/* Add what 32 bytes of a centre give with each of count steps. */
static ALWAYS_INLINE BY_REGISTERS void add_products(__m256i centre, const cell_steps *steps,
                                                    uint32_t count, uint32_t at, __m256i *sums) {
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i low = _mm256_and_si256(centre, mask),
            high = _mm256_and_si256(_mm256_srli_epi16(centre, 4), mask);
    _Pragma("GCC unroll 4") for (uint32_t r = 0; r < count; r++) sums[r] =
        _mm256_add_epi32(sums[r], products(low, high, steps[r].even + at, steps[r].odd + at));
}

/* The sums over all of a centre but its last bytes; returns how many were taken. */
static ALWAYS_INLINE BY_REGISTERS uint32_t add_centre(const uint8_t *centre,
                                                      const cell_steps *steps, uint32_t count,
                                                      __m256i *sums) {
    uint32_t i = 0, bytes = steps->bytes;
    _Pragma("GCC unroll 4") for (uint32_t r = 0; r < count; r++) sums[r] = _mm256_setzero_si256();
    for (; i + 32 <= bytes; i += 32)
        add_products(_mm256_loadu_si256((const __m256i *)(centre + i)), steps, count, i, sums);
    if (i + 16 <= bytes) { /* the other half of the register is zeros, whatever steps it meets */
        add_products(_mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(centre + i))), steps,
                     count, i, sums);
        i += 16;
    }
    return i;
}

/* The sums of four registers. */
static ALWAYS_INLINE BY_REGISTERS __m128i sums_of_four(const __m256i *sums) {
    __m256i both =
        _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
    return _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}

#endif

#endif
