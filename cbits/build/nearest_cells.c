/* The builder's way to a document's cell: centroids are unpacked so that many lie side by side,
 * four components of each, and meet eight documents at a time. Each sum has a lane of its own then.
 */
#include "base/memory.h"
#include "build/pocket_build.h"
#include "sketch/cell_scores.h"
#include "sketch/registers.h"

#define SIDE_BY_SIDE 32u /* centroids */
#define TOGETHER 8u      /* documents */
#define BLOCK 512u       /* centroids that are unpacked at once: 64 kB of 128 components */

typedef int32_t products[TOGETHER][SIDE_BY_SIDE];
typedef void (*multiplier)(const uint8_t *centroids, const int8_t *steps, uint32_t fours,
                           products sums);

typedef struct block block;
typedef void (*finder)(const block *b, const int8_t *steps, uint32_t documents, int32_t *best,
                       uint32_t *nearest);

/* Unpacked centroids, so many of them from the first on. The last one is repeated where there is
 * room beside it: of equally near ones the first wins. fours: of components; a multiple of 8. */
struct block {
    uint8_t *centroids;
    uint32_t first, count, fours;
};

static void multiply(const uint8_t *centroids, const int8_t *steps, uint32_t fours, products sums) {
    memset(sums, 0, sizeof(products));
    for (; fours; fours--, centroids += 4 * SIDE_BY_SIDE, steps += 4 * TOGETHER)
        for (uint32_t r = 0; r < TOGETHER; r++)
            for (uint32_t k = 0; k < SIDE_BY_SIDE; k++) {
                const uint8_t *c = centroids + 4 * k;
                const int8_t *s = steps + 4 * r;
                sums[r][k] += c[0] * s[0] + c[1] * s[1] + c[2] * s[2] + c[3] * s[3];
            }
}

#ifdef BY_FOURS

static ALWAYS_INLINE int32_t load_four(const int8_t *steps) {
    int32_t four;
    memcpy(&four, steps, 4);
    return four;
}

/* Sixteen centroids with two documents: as many sums as there are registers for. Two products of a
 * step with at most 15, and the sum of eight such, fit into 16 bits. */
static BY_PAIRS ALWAYS_INLINE void multiply_two(const uint8_t *centroids, const int8_t *steps,
                                                uint32_t fours, int32_t *sums) {
    const __m256i none = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    __m256i own[4] = {none, none, none, none};
    for (; fours; fours -= 8) {
        __m256i pairs[4] = {none, none, none, none};
        _Pragma("GCC unroll 2") for (uint32_t i = 0; i < 8; i++) {
            _Pragma("GCC unroll 4") for (uint32_t j = 0; j < 4; j++) {
                __m256i some = _mm256_loadu_si256((const __m256i *)centroids + j % 2),
                        four = _mm256_set1_epi32(load_four(steps + j / 2 * 4));
                pairs[j] = _mm256_add_epi16(pairs[j], _mm256_maddubs_epi16(some, four));
            }
            centroids += 4 * SIDE_BY_SIDE;
            steps += 4 * TOGETHER;
        }
        _Pragma("GCC unroll 4") for (uint32_t j = 0; j < 4; j++) own[j] =
            _mm256_add_epi32(own[j], _mm256_madd_epi16(pairs[j], ones));
    }
    _Pragma("GCC unroll 4") for (uint32_t j = 0; j < 4; j++)
        _mm256_storeu_si256((__m256i *)(sums + j / 2 * SIDE_BY_SIDE + j % 2 * 8), own[j]);
}

static BY_PAIRS ALWAYS_INLINE void multiply_by_pairs(const uint8_t *centroids, const int8_t *steps,
                                                     uint32_t fours, products sums) {
    for (uint32_t r = 0; r < TOGETHER; r += 2)
        for (uint32_t k = 0; k < SIDE_BY_SIDE; k += 16)
            multiply_two(centroids + 4 * k, steps + 4 * r, fours, &sums[r][k]);
}

static BY_FOURS ALWAYS_INLINE void multiply_by_fours(const uint8_t *centroids, const int8_t *steps,
                                                     uint32_t fours, products sums) {
    __m512i own[TOGETHER][2];
    _Pragma("GCC unroll 8") for (uint32_t r = 0; r < TOGETHER; r++) own[r][0] = own[r][1] =
        _mm512_setzero_si512();
    for (; fours; fours--, centroids += 4 * SIDE_BY_SIDE, steps += 4 * TOGETHER) {
        __m512i low = _mm512_loadu_si512(centroids), high = _mm512_loadu_si512(centroids + 64);
        _Pragma("GCC unroll 8") for (uint32_t r = 0; r < TOGETHER; r++) {
            __m512i four = _mm512_set1_epi32(load_four(steps + 4 * r));
            own[r][0] = _mm512_dpbusd_epi32(own[r][0], low, four);
            own[r][1] = _mm512_dpbusd_epi32(own[r][1], high, four);
        }
    }
    _Pragma("GCC unroll 8") for (uint32_t r = 0; r < TOGETHER; r++) {
        _mm512_storeu_si512(sums[r], own[r][0]);
        _mm512_storeu_si512(sums[r] + 16, own[r][1]);
    }
}

#endif

/* Is a centroid of the block nearer than the best before? Seldom: the more have been seen, the
 * rarer a better one. */
static ALWAYS_INLINE void nearest_by(const block *b, const int8_t *steps, uint32_t documents,
                                     multiplier by, int32_t *best, uint32_t *nearest) {
    products sums;
    for (uint32_t at = 0; at < b->count; at += SIDE_BY_SIDE) {
        by(b->centroids + (size_t)at * 4 * b->fours, steps, b->fours, sums);
        for (uint32_t r = 0; r < documents; r++) {
            int32_t highest = INT32_MIN;
            uint32_t k = 0;
            for (uint32_t i = 0; i < SIDE_BY_SIDE; i++)
                highest = sums[r][i] > highest ? sums[r][i] : highest;
            if (highest <= best[r]) continue;
            while (sums[r][k] != highest) k++;
            best[r] = highest;
            nearest[r] = b->first + at + k;
        }
    }
}

#ifdef BY_FOURS

static BY_PAIRS void nearest_by_pairs(const block *b, const int8_t *steps, uint32_t documents,
                                      int32_t *best, uint32_t *nearest) {
    nearest_by(b, steps, documents, multiply_by_pairs, best, nearest);
}

static BY_FOURS void nearest_by_fours(const block *b, const int8_t *steps, uint32_t documents,
                                      int32_t *best, uint32_t *nearest) {
    nearest_by(b, steps, documents, multiply_by_fours, best, nearest);
}

#endif

static void nearest_plainly(const block *b, const int8_t *steps, uint32_t documents, int32_t *best,
                            uint32_t *nearest) {
    nearest_by(b, steps, documents, multiply, best, nearest);
}

static finder best_finder(void) {
#ifdef BY_FOURS
    int registers = best_registers();
    if (registers == REGISTERS_FOURS) return nearest_by_fours;
    if (registers == REGISTERS_PAIRS) return nearest_by_pairs;
#endif
    return nearest_plainly;
}

/* Values beyond the components stay zeros. */
static void unpack(const block *b, const uint8_t *packed, uint32_t bytes) {
    for (uint32_t k = 0; k < b->count || k % SIDE_BY_SIDE; k++) {
        const uint8_t *from = packed + (size_t)(k < b->count ? k : b->count - 1) * bytes;
        uint8_t *to = b->centroids + (size_t)(k / SIDE_BY_SIDE) * 4 * SIDE_BY_SIDE * b->fours;
        to += k % SIDE_BY_SIDE * 4;
        for (uint32_t i = 0; i < bytes; i++) {
            uint8_t *two = to + i / 2 * 4 * SIDE_BY_SIDE + i % 2 * 2;
            two[0] = from[i] & 15;
            two[1] = from[i] >> 4;
        }
    }
}

/* Rows of steps, eight by eight, four of each side by side. */
static void interleave(int8_t *to, const int8_t *rows, size_t count, uint32_t components,
                       uint32_t fours) {
    for (size_t i = 0; i < count; i++, rows += components) {
        int8_t *own = to + 4 * (i / TOGETHER * TOGETHER * fours + i % TOGETHER);
        uint32_t j = 0;
        for (; j + 4 <= components; j += 4) memcpy(own + j * TOGETHER, rows + j, 4);
        memcpy(own + j * TOGETHER, rows + j, components % 4);
    }
}

pocket_status pocket_nearest_cells(const uint8_t *centroids, uint32_t cells, uint32_t components,
                                   const int8_t *steps, size_t count, uint32_t *nearest) {
    uint32_t bytes = centroid_bytes(components);
    if (cells == 0 || components > 2 * CELL_MOST_BYTES) return POCKET_BAD_ARGUMENT;
    block b = {.fours = (components + 31) / 32 * 8};
    size_t four = 4 * (size_t)b.fours, rows = (count + TOGETHER - 1) / TOGETHER * TOGETHER * four;
    uint8_t *room = pocket_malloc(63 + BLOCK * four + rows + count * sizeof(int32_t));
    if (!room) return POCKET_NO_MEMORY;
    /* So no register is loaded from two lines of the cache. */
    b.centroids = room + (-(uintptr_t)room & 63);
    int8_t *own = (int8_t *)b.centroids + BLOCK * four;
    int32_t *best = (int32_t *)(own + rows);
    memset(b.centroids, 0, BLOCK * four + rows);
    interleave(own, steps, count, components, b.fours);
    for (size_t i = 0; i < count; i++) best[i] = INT32_MIN;
    finder find = best_finder();
    for (; b.first < cells; b.first += BLOCK) {
        b.count = cells - b.first < BLOCK ? cells - b.first : BLOCK;
        unpack(&b, centroids + (size_t)b.first * bytes, bytes);
        for (size_t i = 0; i < count; i += TOGETHER) {
            uint32_t documents = count - i < TOGETHER ? (uint32_t)(count - i) : TOGETHER;
            find(&b, own + i * four, documents, best + i, nearest + i);
        }
    }
    pocket_free(room);
    return POCKET_OK;
}
