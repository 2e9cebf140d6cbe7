#include "sketch/cell_scores.h"

#include "sketch/registers.h"

/* A centroid's values are 2 q - 15 for q of 0 .. 15, so that none is 0; the sum over q alone has
 * the same order, and half of what is taken off is known. */
static ALWAYS_INLINE int32_t score_of(const cell_steps *steps, const uint8_t *centroid,
                                      uint32_t from) {
    int32_t sum = 0;
    for (uint32_t i = from; i < steps->bytes; i++)
        sum += steps->even[i] * (centroid[i] & 15) + steps->odd[i] * (centroid[i] >> 4);
    return sum;
}

void cell_steps_in_order(const profile *p, const sketch *s, int8_t *in_order) {
    uint32_t count = coarse_components(p);
    int weighted = 0;
    for (uint32_t j = 0; j < count; j++) weighted |= s->weights[j] > 0;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t step = (127 * (weighted ? s->weights[j] : 1024) + 2048) / 4096;
        int32_t size = step < 127 ? (int32_t)step : 127;
        in_order[j] = (int8_t)(s->digits[j] ? size : -size);
    }
}

void cell_steps_from(const int8_t *in_order, uint32_t components, cell_steps *steps) {
    steps->bytes = centroid_bytes(components);
    for (uint32_t i = 0; i < steps->bytes; i++) {
        steps->even[i] = in_order[2 * i];
        steps->odd[i] = 2 * i + 1 < components ? in_order[2 * i + 1] : 0;
    }
}

void cell_steps_of(const profile *p, const sketch *s, cell_steps *steps) {
    int8_t in_order[2 * CELL_MOST_BYTES];
    cell_steps_in_order(p, s, in_order);
    cell_steps_from(in_order, coarse_components(p), steps);
}

#ifdef BY_FOURS

/* The sums of four centroids, in four lanes of each quarter. */
static ALWAYS_INLINE BY_FOURS __m512i sums_of_four(const uint8_t *centroid,
                                                   const cell_steps *steps) {
    const __m512i mask = _mm512_set1_epi8(15), none = _mm512_setzero_si512();
    __m512i own[4] = {none, none, none, none};
    size_t bytes = steps->bytes;
    __mmask64 rest = ((uint64_t)1 << bytes % 64) - 1;
    for (size_t i = 0; i < bytes; i += 64) {
        __m512i even = _mm512_loadu_si512(steps->even + i),
                odd = _mm512_loadu_si512(steps->odd + i);
        _Pragma("GCC unroll 4") for (uint32_t c = 0; c < 4; c++) {
            const uint8_t *from = centroid + c * bytes + i;
            __m512i some = bytes - i < 64 ? _mm512_maskz_loadu_epi8(rest, from)
                                          : _mm512_loadu_si512(from),
                    high = _mm512_and_si512(_mm512_srli_epi16(some, 4), mask);
            own[c] = _mm512_dpbusd_epi32(own[c], _mm512_and_si512(some, mask), even);
            own[c] = _mm512_dpbusd_epi32(own[c], high, odd);
        }
    }
    __m512i one = _mm512_add_epi32(_mm512_unpacklo_epi32(own[0], own[1]),
                                   _mm512_unpackhi_epi32(own[0], own[1])),
            other = _mm512_add_epi32(_mm512_unpacklo_epi32(own[2], own[3]),
                                     _mm512_unpackhi_epi32(own[2], own[3]));
    return _mm512_add_epi32(_mm512_unpacklo_epi64(one, other), _mm512_unpackhi_epi64(one, other));
}

static ALWAYS_INLINE BY_FOURS __m512i sums_of_quarters(__m512i one, __m512i other) {
    return _mm512_add_epi32(_mm512_shuffle_i32x4(one, other, 0x88),
                            _mm512_shuffle_i32x4(one, other, 0xDD));
}

/* Sixteen centroids at a time, of which there are as many; the last ones may have been taken
 * already.
 */
static BY_FOURS void scores_by_fours(const cell_steps *steps, const uint8_t *centroids,
                                     uint32_t count, int32_t *scores) {
    for (uint32_t k = 0; k < count; k += 16) {
        if (count - k < 16) k = count - 16;
        const uint8_t *own = centroids + (size_t)k * steps->bytes;
        size_t four = 4 * (size_t)steps->bytes;
        __m512i low = sums_of_quarters(sums_of_four(own, steps), sums_of_four(own + four, steps)),
                high = sums_of_quarters(sums_of_four(own + 2 * four, steps),
                                        sums_of_four(own + 3 * four, steps));
        _mm512_storeu_si512(scores + k, sums_of_quarters(low, high));
    }
}

/* Two products of a step with at most 15, and the sum of two such, fit into 16 bits. */
static ALWAYS_INLINE BY_PAIRS __m256i add_pairs(__m256i sums, __m256i some, const cell_steps *steps,
                                                uint32_t at) {
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i low = _mm256_maddubs_epi16(_mm256_and_si256(some, mask),
                                       _mm256_loadu_si256((const __m256i *)(steps->even + at))),
            high = _mm256_maddubs_epi16(_mm256_and_si256(_mm256_srli_epi16(some, 4), mask),
                                        _mm256_loadu_si256((const __m256i *)(steps->odd + at)));
    return _mm256_add_epi32(sums,
                            _mm256_madd_epi16(_mm256_add_epi16(low, high), _mm256_set1_epi16(1)));
}

/* The sums over all of a centroid but its last bytes, which bytes % 16 counts. */
static ALWAYS_INLINE BY_PAIRS __m256i sums_of_centroid(const uint8_t *centroid,
                                                       const cell_steps *steps) {
    __m256i sums = _mm256_setzero_si256();
    uint32_t i = 0, bytes = steps->bytes;
    for (; i + 32 <= bytes; i += 32)
        sums = add_pairs(sums, _mm256_loadu_si256((const __m256i *)(centroid + i)), steps, i);
    if (i + 16 > bytes) return sums;
    /* The other half of the register is zeros, whatever steps it meets. */
    __m128i half = _mm_loadu_si128((const __m128i *)(centroid + i));
    return add_pairs(sums, _mm256_zextsi128_si256(half), steps, i);
}

static BY_PAIRS void scores_by_pairs(const cell_steps *steps, const uint8_t *centroids,
                                     uint32_t count, int32_t *scores) {
    uint32_t k = 0, bytes = steps->bytes;
    for (; k + 4 <= count; k += 4, centroids += 4 * (size_t)bytes) {
        __m256i sums[4];
        for (uint32_t c = 0; c < 4; c++) sums[c] = sums_of_centroid(centroids + c * bytes, steps);
        __m256i both = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]),
                                         _mm256_hadd_epi32(sums[2], sums[3]));
        __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
        _mm_storeu_si128((__m128i *)(scores + k), four);
        for (uint32_t c = 0; bytes % 16 && c < 4; c++)
            scores[k + c] += score_of(steps, centroids + c * bytes, bytes / 16 * 16);
    }
    for (; k < count; k++, centroids += bytes) scores[k] = score_of(steps, centroids, 0);
}

#endif

void cell_scores(const cell_steps *steps, const uint8_t *centroids, uint32_t count, int registers,
                 int32_t *scores) {
#ifdef BY_FOURS
    if (registers == REGISTERS_FOURS && count >= 16) {
        scores_by_fours(steps, centroids, count, scores);
        return;
    }
    if (registers) {
        scores_by_pairs(steps, centroids, count, scores);
        return;
    }
#endif
    (void)registers;
    for (uint32_t k = 0; k < count; k++)
        scores[k] = score_of(steps, centroids + (size_t)k * steps->bytes, 0);
}

void cell_bounds(const cell_steps *steps, int32_t *lowest, int32_t *highest) {
    *lowest = *highest = 0;
    for (uint32_t i = 0; i < steps->bytes; i++) {
        int32_t even = 15 * steps->even[i], odd = 15 * steps->odd[i];
        *lowest += (even < 0 ? even : 0) + (odd < 0 ? odd : 0);
        *highest += (even > 0 ? even : 0) + (odd > 0 ? odd : 0);
    }
}
