#include "query/words/tally.h"

#include "base/memory.h"

#define SPARSE 8u /* a table costs about so many times an array's entry */

int tally_alloc(tally *t, uint32_t documents, uint64_t postings) {
    uint32_t bits = 4;
    while (bits < 32 && 1ull << bits < 2 * postings) bits++;
    int sparse = SPARSE << bits < documents;
    *t = (tally){.size = sparse ? 1ull << bits : documents, .shift = 32 - bits};
    size_t bytes = (size_t)(t->size ? t->size : 1) * sizeof *t->sums * (sparse ? 2 : 1);
    t->sums = pocket_malloc(bytes);
    if (!t->sums) return 0;
    memset(t->sums, 0, bytes);
    if (sparse) t->documents = t->sums + t->size;
    return 1;
}

void tally_free(tally *t) { pocket_free(t->sums); }

/* Where a document's sum is, or the free place where it would be: no more than half are taken. */
static uint64_t tally_place(const tally *t, uint32_t document) {
    uint64_t i = (document * 0x9E3779B1u) >> t->shift;
    while (t->documents[i] != 0 && t->documents[i] != document + 1) i = (i + 1) & (t->size - 1);
    return i;
}

void tally_add(tally *t, const uint32_t *documents, uint32_t count, uint32_t sum) {
    if (!t->documents) {
        for (uint32_t i = 0; i < count; i++) t->sums[documents[i]] += sum;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = tally_place(t, documents[i]);
        t->documents[place] = documents[i] + 1;
        t->sums[place] += sum;
    }
}

void tally_go_on(tally *t, const uint32_t *documents, uint32_t count, uint32_t before) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = t->documents ? tally_place(t, documents[i]) : documents[i];
        if (t->sums[place] != before) continue;
        if (t->documents) t->documents[place] = documents[i] + 1;
        t->sums[place]++;
    }
}

void tally_raise(tally *t, const uint32_t *documents, uint32_t count, uint32_t least, int itself) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = t->documents ? tally_place(t, documents[i]) : documents[i];
        uint32_t own = t->sums[place], low = own & TALLY_RAISED;
        if (t->documents) t->documents[place] = documents[i] + 1;
        if (low < least) own += least - low;
        t->sums[place] = itself ? own | TALLY_ITSELF : own;
    }
}

void tally_exclude(tally *t, const uint32_t *documents, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = t->documents ? tally_place(t, documents[i]) : documents[i];
        if (t->sums[place]) t->sums[place] |= TALLY_EXCLUDED;
    }
}

uint32_t tally_sum(const tally *t, uint32_t document) {
    return t->sums[t->documents ? tally_place(t, document) : document];
}
