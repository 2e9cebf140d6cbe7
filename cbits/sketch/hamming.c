#include "sketch/hamming.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/memory.h"

/* gcc does not align wide registers on the stack of Windows. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(POCKET_ARITHMETIC) && \
    (defined(__clang__) || !defined(_WIN32))
#include <cpuid.h>
#include <immintrin.h>
#define WORDS __attribute__((target("popcnt")))
#define EIGHTS __attribute__((target("popcnt,avx512f,avx512vpopcntdq")))
#ifndef COUNTING_MOST /* tests take less than the processor has */
#define COUNTING_MOST COUNTING_EIGHTS
#endif
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

typedef uint32_t (*counter)(uint64_t);

static ALWAYS_INLINE uint32_t ones_of_word(uint64_t x) {
#if defined(__GNUC__) && !defined(POCKET_ARITHMETIC)
    return (uint32_t)__builtin_popcountll(x);
#else
    return count_ones(x);
#endif
}

static ALWAYS_INLINE uint64_t load_word(const uint8_t *p, size_t bytes) {
    if (bytes == 8) return load64(p);
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++) word |= (uint64_t)p[i] << (8 * i);
    return word;
}

void hamming_begin(hamming *h, int counting, const uint8_t *own, size_t bytes) {
    memset(h->own, 0, sizeof h->own);
    for (size_t i = 0; i < bytes; i += 8)
        h->own[i / 8] = load_word(own + i, bytes - i < 8 ? bytes - i : 8);
    h->bytes = bytes;
    h->counting = counting;
}

static ALWAYS_INLINE uint32_t distance(const uint64_t *own, const uint8_t *packed, size_t bytes,
                                       counter ones) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes / 8; i++) sum += ones(load_word(packed + 8 * i, 8) ^ own[i]);
    if (bytes % 8) sum += ones(load_word(packed + bytes / 8 * 8, bytes % 8) ^ own[bytes / 8]);
    return sum;
}

/* Without a branch: one document in fifty is near, and nobody can foretell which. */
static ALWAYS_INLINE uint64_t *put_near(uint64_t *out, uint32_t distance, uint32_t limit,
                                        uint32_t number) {
    *out = (uint64_t)distance << 32 | number;
    return out + (distance < limit);
}

static ALWAYS_INLINE uint32_t one_by_one(const hamming *h, sketches_in_row s, uint32_t limit,
                                         uint64_t *out, counter ones) {
    const uint64_t *start = out;
    for (uint32_t i = 0; i < s.count; i++, s.packed += h->bytes)
        out = put_near(out, distance(h->own, s.packed, h->bytes, ones), limit, s.first + i);
    return (uint32_t)(out - start);
}

/* Sketches of the default width, four at a time: that takes two thirds of the time that they take
 * one by one. (near alone is a macro of windows.h.) */
static ALWAYS_INLINE uint32_t find_near(const hamming *h, sketches_in_row s, uint32_t limit,
                                        uint64_t *out, counter ones) {
    const uint64_t *own = h->own, *start = out;
    if (h->bytes != 16) return one_by_one(h, s, limit, out, ones);
    for (; s.count >= 4; s.first += 4, s.count -= 4, s.packed += 64, s.ahead += 64) {
        const uint8_t *p = s.packed;
        FETCH(s.ahead);
        uint32_t a = distance(own, p, 16, ones), b = distance(own, p + 16, 16, ones);
        uint32_t c = distance(own, p + 32, 16, ones), d = distance(own, p + 48, 16, ones);
        out = put_near(out, a, limit, s.first);
        out = put_near(out, b, limit, s.first + 1);
        out = put_near(out, c, limit, s.first + 2);
        out = put_near(out, d, limit, s.first + 3);
    }
    return (uint32_t)(out - start) + one_by_one(h, s, limit, out, ones);
}

#ifndef WORDS

int hamming_counting(void) {
    return COUNTING_WORDS;
} /* what the compiler makes of it is the best there is */

uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out) {
    return find_near(h, s, limit, out, ones_of_word);
}

#else

/* Does the system save the registers of 512 bits? */
static int saves_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 0xE6u) == 0xE6u;
}

static int best_counting(void) {
    unsigned int a, b = 0, c = 0, d, basic;
    if (!__get_cpuid(1, &a, &b, &basic, &d) || !(basic & bit_POPCNT)) return COUNTING_ARITHMETIC;
    if (!(basic & bit_OSXSAVE) || !saves_registers() || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return COUNTING_WORDS;
    return (b & bit_AVX512F) && (c & bit_AVX512VPOPCNTDQ) ? COUNTING_EIGHTS : COUNTING_WORDS;
}

int hamming_counting(void) {
    int best = best_counting();
    return best < COUNTING_MOST ? best : COUNTING_MOST;
}

static WORDS uint32_t near_by_words(const hamming *h, sketches_in_row s, uint32_t limit,
                                    uint64_t *out) {
    return find_near(h, s, limit, out, ones_of_word);
}

#define EIGHTS_LEAST 8u /* bytes of the sketches that are taken eight at a time */

#define XOR_AND 0x28 /* (a ^ b) & c */

/* The ones of the halves of four sketches. Those of 16 bytes are loaded together, others each into
 * a quarter of a register with what comes after it, which mask takes away. */
static EIGHTS ALWAYS_INLINE __m512i count_halves(const uint8_t *p, size_t bytes, __m512i query,
                                                 __m512i mask) {
    if (bytes == HAMMING_MOST_BYTES)
        return _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(p), query));
    __m512i four = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + bytes)), 1);
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + 2 * bytes)), 2);
    four = _mm512_inserti32x4(four, _mm_loadu_si128((const __m128i *)(p + 3 * bytes)), 3);
    return _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(four, query, mask, XOR_AND));
}

/* Put those of eight sketches that are near and in taken: they are pressed together in the register
 * and all eight places written. A branch that is taken for one of ten costs more than all this. */
static EIGHTS ALWAYS_INLINE uint64_t *put_near_of_eight(__m512i a, __m512i b, __m512i bound,
                                                        __m512i numbers, uint32_t taken,
                                                        uint64_t *out) {
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0),
                  odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    __m512i sums = _mm512_add_epi64(_mm512_permutex2var_epi64(a, even, b),
                                    _mm512_permutex2var_epi64(a, odd, b));
    __m512i entries = _mm512_or_si512(_mm512_slli_epi64(sums, 32), numbers);
    __mmask8 within = _mm512_cmplt_epu64_mask(sums, bound) & (__mmask8)taken;
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(within, entries));
    return out + __builtin_popcount(within);
}

/* Sketches of 8 to 16 bytes, eight at a time. For the rest the last eight are taken once more, or
 * copied to where more can be loaded than they have. */
static EIGHTS ALWAYS_INLINE uint32_t find_by_eights(const hamming *h, sketches_in_row s,
                                                    size_t bytes, uint32_t limit, uint64_t *out) {
    const uint8_t *p = s.packed;
    static const uint8_t marks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255};
    const __m512i query = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)h->own)),
                  bound = _mm512_set1_epi64(limit),
                  mask = _mm512_broadcast_i32x4(
                      _mm_loadu_si128((const __m128i *)(marks + HAMMING_MOST_BYTES - h->bytes)));
    const __m512i eight = _mm512_set1_epi64(8), up = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64(s.first), up);
    const uint64_t *start = out;
    uint32_t i = 0, loaded = bytes < HAMMING_MOST_BYTES ? 9 : 8, taken = 0xFF;
    for (; s.count - i >= loaded; i += 8, p += 8 * bytes, s.ahead += 8 * bytes) {
        FETCH(s.ahead);
        FETCH(s.ahead + 64);
        out = put_near_of_eight(count_halves(p, bytes, query, mask),
                                count_halves(p + 4 * bytes, bytes, query, mask), bound, numbers,
                                taken, out);
        numbers = _mm512_add_epi64(numbers, eight);
    }
    if (i == s.count) return (uint32_t)(out - start);
    uint8_t last[9 * HAMMING_MOST_BYTES];
    if (i >= 8 && loaded == 8) {
        taken <<= 8 - (s.count - i);
        p -= (8 - (s.count - i)) * bytes;
        i = s.count - 8;
    } else {
        memset(last, 0, sizeof last);
        memcpy(last, p, (s.count - i) * bytes);
        taken >>= 8 - (s.count - i);
        p = last;
    }
    out = put_near_of_eight(count_halves(p, bytes, query, mask),
                            count_halves(p + 4 * bytes, bytes, query, mask), bound,
                            _mm512_add_epi64(_mm512_set1_epi64(s.first + i), up), taken, out);
    return (uint32_t)(out - start);
}

static EIGHTS uint32_t near_by_eights(const hamming *h, sketches_in_row s, uint32_t limit,
                                      uint64_t *out) {
    return h->bytes == HAMMING_MOST_BYTES ? find_by_eights(h, s, HAMMING_MOST_BYTES, limit, out)
                                          : find_by_eights(h, s, h->bytes, limit, out);
}

uint32_t hamming_near(const hamming *h, sketches_in_row s, uint32_t limit, uint64_t *out) {
    if (h->counting == COUNTING_EIGHTS && h->bytes >= EIGHTS_LEAST)
        return near_by_eights(h, s, limit, out);
    if (h->counting >= COUNTING_WORDS) return near_by_words(h, s, limit, out);
    return find_near(h, s, limit, out, count_ones);
}

#endif
