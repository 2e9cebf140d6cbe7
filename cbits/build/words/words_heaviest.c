/* The heaviest words of each document alone (docs/format.md 6.4). */
#include "base/memory.h"
#include "base/sort.h"
#include "build/asking.h"
#include "build/words/words_build.h"

/* The weights of all postings, document by document: the heavier the lower, then in the order of
 * words. ends: of each document, count of them. */
static void weigh(const pocket_chunk_words *c, const pocket_words_settings *s, uint64_t *weights,
                  uint32_t *ends, meter *steps) {
    uint32_t sum = 0, postings = c->words ? c->posting_ends[c->words - 1] : 0;
    memset(ends, 0, c->documents * sizeof *ends);
    for (uint32_t i = 0; i < postings; i++) ends[c->postings[i] >> 16]++;
    for (uint32_t i = 0; i < c->documents; i++) {
        uint32_t own = ends[i];
        ends[i] = sum;
        sum += own;
    }
    for (uint32_t word = 0; word < c->words; word++) {
        uint32_t own = c->posting_ends[word] - chunk_postings_start(c, word);
        if (interrupted(steps, 1 + own / 4)) return;
        uint32_t idf = word_idf(s->counted, c->having[word]);
        for (uint32_t i = chunk_postings_start(c, word); i < c->posting_ends[word]; i++) {
            uint32_t place = c->postings[i] >> 16,
                     share = word_share(c->postings[i], c->lengths[place], s->average);
            weights[ends[place]++] = (uint64_t)(UINT32_MAX - idf * share) << 32 | i;
        }
    }
}

pocket_status pocket_words_heaviest(const pocket_chunk_words *c, const pocket_words_settings *s,
                                    uint32_t *posting_ends, uint32_t *postings,
                                    pocket_interrupt ask) {
    asking a;
    meter steps = meter_asking(&a, ask);
    uint32_t count = c->words ? c->posting_ends[c->words - 1] : 0, to = 0, start = 0;
    uint64_t *weights = pocket_malloc(((size_t)count + 1) * sizeof *weights);
    uint32_t *ends = pocket_malloc(((size_t)c->documents + 1) * sizeof *ends);
    uint8_t *kept = pocket_malloc((size_t)count + 1);
    int ok = weights && ends && kept;
    if (ok) {
        weigh(c, s, weights, ends, &steps);
        memset(kept, 0, count);
        for (uint32_t i = 0; i < c->documents && !steps.ended; start = ends[i++]) {
            uint32_t own = ends[i] - start, most = own < s->heaviest ? own : s->heaviest;
            sort64(weights + start, own);
            interrupted(&steps, own);
            for (uint32_t k = 0; k < most; k++) kept[(uint32_t)weights[start + k]] = 1;
        }
        for (uint32_t word = 0, i = 0; word < c->words; posting_ends[word++] = to)
            for (; i < c->posting_ends[word]; i++)
                if (kept[i]) postings[to++] = c->postings[i];
    }
    pocket_free(weights);
    pocket_free(ends);
    pocket_free(kept);
    if (steps.ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}
