/* The builder's way to a document's cell: four documents at a time, so that a centre is unpacked
 * once for them. */
#include "base/memory.h"
#include "build/pocket_build.h"
#include "sketch/cell_products.h"

#ifdef BY_REGISTERS

static BY_REGISTERS void nearest_by_registers(const cell_steps *four, const uint8_t *centres,
                                              uint32_t count, uint32_t *nearest) {
    __m128i best = _mm_set1_epi32(INT32_MIN), of = _mm_setzero_si128();
    uint32_t bytes = four->bytes;
    for (uint32_t k = 0; k < count; k++, centres += bytes) {
        __m256i sums[4];
        uint32_t taken = add_centre(centres, four, 4, sums);
        __m128i scores = sums_of_four(sums);
        if (taken < bytes)
            scores = _mm_add_epi32(scores, _mm_setr_epi32(score_of(four, centres, taken),
                                                          score_of(four + 1, centres, taken),
                                                          score_of(four + 2, centres, taken),
                                                          score_of(four + 3, centres, taken)));
        __m128i higher = _mm_cmpgt_epi32(scores, best);
        best = _mm_blendv_epi8(best, scores, higher);
        of = _mm_blendv_epi8(of, _mm_set1_epi32((int32_t)k), higher);
    }
    _mm_storeu_si128((__m128i *)nearest, of);
}

#endif

static uint32_t nearest_of(const cell_steps *steps, const uint8_t *centres, uint32_t count) {
    int32_t best = INT32_MIN;
    uint32_t nearest = 0;
    for (uint32_t k = 0; k < count; k++, centres += steps->bytes) {
        int32_t score = score_of(steps, centres, 0);
        if (score > best) {
            best = score;
            nearest = k;
        }
    }
    return nearest;
}

/* Of equally near ones the first. */
static void nearest_of_four(const cell_steps *four, const uint8_t *centres, uint32_t count,
                            int registers, uint32_t *nearest) {
#ifdef BY_REGISTERS
    if (registers) {
        nearest_by_registers(four, centres, count, nearest);
        return;
    }
#endif
    (void)registers;
    for (uint32_t r = 0; r < 4; r++) nearest[r] = nearest_of(&four[r], centres, count);
}

pocket_status pocket_nearest_cells(const uint8_t *centres, uint32_t cells, uint32_t components,
                                   const int8_t *steps, size_t count, uint32_t *nearest) {
    if (cells == 0 || centre_bytes(components) > CELL_MOST_BYTES) return POCKET_BAD_ARGUMENT;
    cell_steps *four = pocket_malloc(4 * sizeof *four);
    if (!four) return POCKET_NO_MEMORY;
    int registers = cell_registers();
    for (size_t i = 0; i < count; i += 4) {
        uint32_t found[4];
        for (size_t r = 0; r < 4; r++)
            cell_steps_from(steps + (i + r < count ? i + r : count - 1) * components, components,
                            &four[r]);
        nearest_of_four(four, centres, cells, registers, found);
        for (size_t r = 0; r < 4 && i + r < count; r++) nearest[i + r] = found[r];
    }
    pocket_free(four);
    return POCKET_OK;
}
