/* Candidates to hits: each document once, the best of them in order. */
#include "base/sort.h"
#include "query/similar/stages.h"

/* The best so far are a heap of 10000 - similarity << 32 | document with the worst on top. */
static void offer(query *q, uint32_t similarity, uint32_t document) {
    uint64_t rank = (uint64_t)(10000 - similarity) << 32 | document;
    if (q->best_count < q->room) {
        uint32_t i = q->best_count++;
        for (; i > 0 && q->best[(i - 1) / 2] < rank; i = (i - 1) / 2)
            q->best[i] = q->best[(i - 1) / 2];
        q->best[i] = rank;
    } else if (q->room > 0 && rank < q->best[0]) {
        q->best[0] = rank;
        sift64(q->best, 0, q->room);
    }
}

/* Is a document that agrees wholly the query's own text, as far as the identity tells? */
static uint32_t is_same(query *q, uint32_t document, int *same) {
    const pocket_index *x = q->index;
    packed_sketch stored;
    uint32_t identity, status = sketch_get(x, document, &stored, q->error);
    if (!status) status = identity_get(x, document, &identity, q->error);
    if (status) return status;
    *same = ranking_is_same(&q->ranking, stored) &&
            identity == (q->identity & ((1ull << x->identity_bits) - 1));
    return POCKET_OK;
}

static uint32_t rank_document(query *q, uint32_t document, uint32_t agreement) {
    const profile *p = &q->index->profile;
    int same = 0;
    uint32_t status = agreement == 65536 ? is_same(q, document, &same) : POCKET_OK;
    if (status) return unless_missed(q, status);
    offer(q, same ? 10000 : similarity_of(p, agreement, q->text != NULL), document);
    return POCKET_OK;
}

/* Every document, as if each were a candidate: for digits that are no bits. */
uint32_t rank_all(query *q) {
    const pocket_index *x = q->index;
    for (uint32_t document = 0; document < x->sketched; document++) {
        packed_sketch stored;
        uint32_t agreement, status = interrupted(&q->steps, steps_of(x->stride));
        if (status) return status;
        status = sketch_get(x, document, &stored, q->error);
        if (status == POCKET_OK && !ranking_agreement(&q->ranking, stored, &agreement))
            return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
        status = status ? unless_missed(q, status) : rank_document(q, document, agreement);
        if (status) return status;
    }
    q->report->candidates = x->sketched;
    return POCKET_OK;
}

uint32_t rank_candidates(query *q) {
    uint64_t *c = q->candidates;
    /* Entries of one document are equal but for the table, and tables come in order: only the
     * documents' bits need sorting. Those of a scan rise. */
    if (!q->scans)
        radix_sort64(c, q->nearest, q->candidate_count, 32, 32 + q->index->tables.posting_bits);
    for (uint32_t i = 0; i < q->candidate_count; i++) {
        if (i > 0 && c[i - 1] >> 32 == c[i] >> 32) continue;
        uint32_t status = rank_document(q, (uint32_t)(c[i] >> 32), (uint32_t)(c[i] >> 8 & 0x1FFFF));
        if (status) return status;
        q->report->candidates++;
    }
    return POCKET_OK;
}

/* The first candidate entry of a document, by bisection (candidates are sorted). */
static uint32_t entry_of(const query *q, uint32_t document) {
    uint32_t low = 0, high = q->candidate_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (q->candidates[middle] >> 32 < document)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int is_candidate(const query *q, uint32_t document) {
    const pocket_index *x = q->index;
    if (q->ranked && q->scans && !profile_is_binary(&x->profile)) return document < x->sketched;
    uint32_t e = entry_of(q, document);
    return e < q->candidate_count && q->candidates[e] >> 32 == document;
}

static void gather_tables(query *q) {
    for (uint32_t i = 0; i < *q->count; i++)
        for (uint32_t e = entry_of(q, q->hits[i].document);
             e < q->candidate_count && q->candidates[e] >> 32 == q->hits[i].document; e++)
            q->hits[i].tables |= 1ull << (q->candidates[e] & 0xFF);
}

/* Every document may be a hit: ask now and then, which sort64 does not. */
static uint32_t sort_best(query *q) {
    uint32_t size = q->best_count;
    for (uint32_t i = size / 2; i-- > 0; sift64(q->best, i, size))
        if (interrupted(&q->steps, 1)) return POCKET_INTERRUPTED;
    while (size > 1) {
        uint64_t largest = q->best[0];
        if (interrupted(&q->steps, 4)) return POCKET_INTERRUPTED;
        q->best[0] = q->best[--size];
        q->best[size] = largest;
        sift64(q->best, 0, size);
    }
    return POCKET_OK;
}

uint32_t take_best(query *q) {
    uint32_t status = sort_best(q);
    if (status) return status;
    q->found_count = q->best_count;
    for (uint32_t i = 0; i < q->best_count; i++)
        q->found[i] = (pocket_hit){.document = (uint32_t)q->best[i],
                                   .similarity = without_luck(&q->index->profile,
                                                              10000 - (uint32_t)(q->best[i] >> 32),
                                                              q->index->documents)};
    return POCKET_OK;
}

void take_hits(query *q) {
    *q->count = q->found_count < q->most ? q->found_count : q->most;
    for (uint32_t i = 0; i < *q->count; i++) q->hits[i] = q->found[(uint32_t)q->order[i]];
    if (!q->scans) gather_tables(q);
}
