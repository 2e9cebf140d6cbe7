/* What pairs of texts have in common, term by term: the sums that their cosines are made of. */
#include "build/pocket_build.h"

/* 1 + ln count in whole sixteenths. Most counts are 1. */
static uint64_t damped_count(const pocket_text_terms *texts, uint32_t count) {
    uint32_t low = 0, high = texts->step_count;
    if (count < 2) return POCKET_DAMPED_ONE;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (texts->steps[middle] <= count)
            low = middle + 1;
        else
            high = middle;
    }
    return POCKET_DAMPED_ONE + low;
}

/* Without branches but where both have the term: nobody can foretell the others. */
static void products_of(const pocket_text_terms *texts, uint32_t first, uint32_t second,
                        uint64_t *plain, uint64_t *damped) {
    const uint32_t *slots = texts->slots, *counts = texts->counts;
    uint64_t a = texts->starts[first], a_end = texts->starts[first + 1], b = texts->starts[second],
             b_end = texts->starts[second + 1];
    *plain = *damped = 0;
    while (a < a_end && b < b_end) {
        uint32_t own = slots[a], other = slots[b];
        if (own == other) {
            uint64_t weight = texts->weights[own];
            weight *= weight;
            *plain += weight * counts[a] * counts[b];
            *damped += weight * damped_count(texts, counts[a]) * damped_count(texts, counts[b]);
        }
        a += own <= other;
        b += other <= own;
    }
}

void pocket_term_products(const pocket_text_terms *texts, const uint32_t *firsts,
                          const uint32_t *seconds, size_t count, uint64_t *plain,
                          uint64_t *damped) {
    for (size_t i = 0; i < count; i++)
        products_of(texts, firsts[i], seconds[i], &plain[i], &damped[i]);
}
