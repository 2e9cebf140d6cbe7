/* Products of steps with centres, by the best instructions that the processor has; with any of them
 * the same. */
#ifndef POCKET_CELL_PRODUCTS_H
#define POCKET_CELL_PRODUCTS_H

#include "sketch/cell_scores.h"

/* gcc does not align wide registers on the stack of Windows. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC) && \
    (defined(__clang__) || !defined(_WIN32))
#include <cpuid.h>
#include <immintrin.h>
#define BY_PAIRS __attribute__((target("avx2")))
#define BY_FOURS __attribute__((target("avx512f,avx512bw,avx512vnni")))
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* A centre's values are 2 q - 15 for q of 0 .. 15, so that none is 0; the sum over q alone has the
 * same order, and half of what is taken off is known. */
static ALWAYS_INLINE int32_t score_of(const cell_steps *steps, const uint8_t *centre,
                                      uint32_t from) {
    int32_t sum = 0;
    for (uint32_t i = from; i < steps->bytes; i++)
        sum += steps->even[i] * (centre[i] & 15) + steps->odd[i] * (centre[i] >> 4);
    return sum;
}

#endif
