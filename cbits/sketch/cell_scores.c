#include "sketch/cell_products.h"

void cell_steps_in_order(const profile *p, const sketch *s, int8_t *in_order) {
    int weighted = 0;
    for (uint32_t j = 0; j < p->component_count; j++) weighted |= s->weights[j] > 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t step = (127 * (weighted ? s->weights[j] : 1024) + 2048) / 4096;
        int32_t size = step < 127 ? (int32_t)step : 127;
        in_order[j] = (int8_t)(s->digits[j] ? size : -size);
    }
}

void cell_steps_from(const int8_t *in_order, uint32_t components, cell_steps *steps) {
    steps->bytes = centre_bytes(components);
    for (uint32_t i = 0; i < steps->bytes; i++) {
        steps->even[i] = in_order[2 * i];
        steps->odd[i] = 2 * i + 1 < components ? in_order[2 * i + 1] : 0;
    }
}

void cell_steps_of(const profile *p, const sketch *s, cell_steps *steps) {
    int8_t in_order[2 * CELL_MOST_BYTES];
    cell_steps_in_order(p, s, in_order);
    cell_steps_from(in_order, p->component_count, steps);
}

#ifdef BY_REGISTERS

static BY_REGISTERS void scores_by_registers(const cell_steps *steps, const uint8_t *centres,
                                             uint32_t count, int32_t *scores) {
    uint32_t k = 0, bytes = steps->bytes, taken = 0;
    for (; k + 4 <= count; k += 4, centres += 4 * (size_t)bytes) {
        __m256i sums[4];
        for (uint32_t c = 0; c < 4; c++)
            taken = add_centre(centres + c * bytes, steps, 1, &sums[c]);
        _mm_storeu_si128((__m128i *)(scores + k), sums_of_four(sums));
        for (uint32_t c = 0; taken < bytes && c < 4; c++)
            scores[k + c] += score_of(steps, centres + c * bytes, taken);
    }
    for (; k < count; k++, centres += bytes) scores[k] = score_of(steps, centres, 0);
}

#endif

int cell_registers(void) {
#ifdef BY_REGISTERS
    unsigned int a, b = 0, c = 0, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* does the system save them? */
    return (low & 6u) == 6u && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
#else
    return 0;
#endif
}

void cell_scores(const cell_steps *steps, const uint8_t *centres, uint32_t count, int registers,
                 int32_t *scores) {
#ifdef BY_REGISTERS
    if (registers) {
        scores_by_registers(steps, centres, count, scores);
        return;
    }
#endif
    (void)registers;
    for (uint32_t k = 0; k < count; k++)
        scores[k] = score_of(steps, centres + (size_t)k * steps->bytes, 0);
}
