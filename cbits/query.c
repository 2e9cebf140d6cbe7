/* A query in stages (docs/format.md, section 8): text -> sketch with margins -> probes -> matches -> candidates -> hits. Each stage is a
 * function of its own, so that a reader without all the bytes can fetch between them. */
#include "bytes.h"
#include "container.h"
#include "hash.h"
#include "look_up.h"
#include "memory.h"
#include "part.h"
#include "probe.h"
#include "sketch.h"
#include "sort.h"

#ifndef MAX_CANDIDATES /* the harnesses that ask millions of times take less memory a query */
#define MAX_CANDIDATES 65536u
#endif

typedef struct query {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    uint32_t probes, identity;
    sketch sketch;
    uint64_t *keys;
    probe_node *heap;
    look_up look_up;
    uint64_t *candidates; /* document << 8 | table, then similarity-first for the ranking */
    uint8_t *digits;
    uint32_t candidate_count;
    uint32_t *count;
    pocket_hit *hits;
    pocket_report *report;
    pocket_error *error;
} query;

static uint32_t damaged(const query *q, uint32_t section, uint32_t block, const char *field, uint64_t expected, uint64_t found) {
    return fail(q->error, POCKET_DAMAGED_FIELD, section, block, field, expected, found);
}

/* ---- matches -> candidates ---- */

static uint32_t add_postlist(query *q, uint32_t table, uint64_t key, const match *m, part *p) {
    const pocket_index *x = q->index;
    uint32_t start, count = part_postlist(p, m->slot, &start);
    if (count == 0) return damaged(q, POCKET_TABLES, m->part, "postlist", 1, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t document = part_posting(p, start + i);
        if (document >= x->documents) return damaged(q, POCKET_TABLES, m->part, "posting", x->documents, document);
        if (i == 0) {
            const uint8_t *record;
            uint64_t stored;
            uint32_t status = record_get(x, document, &record, q->error);
            if (status) return status;
            if (!sub_key_of_packed(&x->profile, table, record, &stored)) return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
            /* A key that is not in the index met a slot whose checksum agrees by chance. */
            if (stored != key) return POCKET_OK;
        }
        if (q->candidate_count == MAX_CANDIDATES) {
            q->report->capped = 1;
            return POCKET_OK;
        }
        q->candidates[q->candidate_count++] = (uint64_t)document << 8 | table;
    }
    return POCKET_OK;
}

static uint32_t find_candidates(query *q) {
    const pocket_index *x = q->index;
    for (uint32_t t = 0; t < x->profile.tables && !q->report->capped; t++) {
        uint32_t count = probe_keys(&x->profile, t, &q->sketch, q->probes, q->keys, q->heap);
        q->report->probes += count;
        uint32_t status = look_up_run(&q->look_up, x, &x->tables, t, q->keys, count, q->error);
        part p;
        uint32_t open = UINT32_MAX;
        for (uint32_t i = 0; !status && !q->report->capped && i < q->look_up.match_count; i++) {
            const match *m = &q->look_up.matches[i];
            if (m->part != open) status = part_get(x, &x->tables, m->part, 0, &p, q->error);
            open = m->part;
            if (!status) status = add_postlist(q, t, q->keys[m->rank], m, &p);
        }
        if (status) return status;
    }
    q->report->parts = q->look_up.parts_touched;
    return POCKET_OK;
}

/* ---- candidates -> hits ---- */

static uint32_t similarity(const query *q, uint32_t document, uint64_t total, uint32_t *result) {
    const pocket_index *x = q->index;
    const profile *p = &x->profile;
    const uint8_t *record;
    uint64_t agreeing = 0;
    int same = 1;
    uint32_t status = record_get(x, document, &record, q->error);
    if (status) return status;
    if (!sketch_unpack(p, record, 0, p->component_count, 0, q->digits)) return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
    for (uint32_t j = 0; j < p->component_count; j++) {
        if (q->digits[j] != q->sketch.digits[j]) same = 0;
        else agreeing += total ? q->sketch.weights[j] : 1;
    }
    const uint8_t *stored = record + x->stride - x->identity_bits / 8;
    for (uint32_t i = 0; i < x->identity_bits / 8; i++)
        if (stored[i] != (uint8_t)(q->identity >> (8 * i))) same = 0;
    *result = same ? 10000 : calibrate(p, (uint32_t)(agreeing * 65536 / (total ? total : p->component_count)));
    return POCKET_OK;
}

static uint32_t rank_candidates(query *q) {
    uint64_t *c = q->candidates, total = 0;
    uint32_t distinct = 0, room = *q->count;
    for (uint32_t j = 0; j < q->index->profile.component_count; j++) total += q->sketch.weights[j];
    q->identity = (uint32_t)pocket_murmur(q->text, (size_t)q->length);
    sort64(c, q->candidate_count);
    /* Rank by (10000 - similarity, document); the low byte keeps nothing. The tables of a document are gathered again for the hits. */
    uint64_t *ranked = c + q->candidate_count;
    for (uint32_t i = 0; i < q->candidate_count; i++) {
        uint32_t document = (uint32_t)(c[i] >> 8), s = 0;
        if (i > 0 && c[i - 1] >> 8 == document) continue;
        uint32_t status = similarity(q, document, total, &s);
        if (status) return status;
        ranked[distinct++] = (uint64_t)(10000 - s) << 32 | document;
    }
    q->report->candidates = distinct;
    sort64(ranked, distinct);
    *q->count = distinct < room ? distinct : room;
    for (uint32_t i = 0; i < *q->count; i++)
        q->hits[i] = (pocket_hit){(uint32_t)ranked[i], 10000 - (uint32_t)(ranked[i] >> 32), 0};
    return POCKET_OK;
}

/* The first candidate entry of a document, by bisection (candidates are sorted). */
static uint32_t entry_of(const query *q, uint32_t document) {
    uint32_t low = 0, high = q->candidate_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (q->candidates[middle] >> 8 < document) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void gather_tables(query *q) {
    for (uint32_t i = 0; i < *q->count; i++)
        for (uint32_t e = entry_of(q, q->hits[i].document); e < q->candidate_count && q->candidates[e] >> 8 == q->hits[i].document; e++)
            q->hits[i].tables |= 1ull << (q->candidates[e] & 0xFF);
}

static uint32_t run(void *argument) {
    query *q = argument;
    uint32_t status = sketch_text(&q->index->profile, q->text, q->length, &q->sketch);
    q->report->terms = q->sketch.terms;
    if (!status) status = find_candidates(q);
    if (!status) status = rank_candidates(q);
    if (!status) gather_tables(q);
    return status;
}

uint32_t pocket_query(const pocket_index *x, const uint8_t *text, uint64_t length, uint32_t probes, pocket_hit *hits, uint32_t *count,
                      pocket_report *report, pocket_error *error) {
    pocket_report unused;
    uint32_t limit = probes ? probes : x->tables.default_probes;
    query q = {.index = x, .text = text, .length = length, .probes = limit, .count = count, .hits = hits, .error = error};
    clear(error);
    q.report = report ? report : &unused;
    *q.report = (pocket_report){0, 0, 0, 0, 0};
    if (limit > POCKET_MAX_PROBES || length > POCKET_MAX_TEXT) {
        *count = 0;
        return fail(error, length > POCKET_MAX_TEXT ? POCKET_TEXT_TOO_LONG : POCKET_BAD_ARGUMENT, 0, -1, "probes", POCKET_MAX_PROBES, limit);
    }
    /* All memory is taken here: work that a shortened file abandons holds none. */
    uint64_t *memory = pocket_malloc(2 * MAX_CANDIDATES * sizeof(uint64_t) + limit * sizeof(uint64_t) + (limit + 1) * sizeof(probe_node) + x->profile.component_count);
    int sketched = sketch_alloc(&q.sketch, &x->profile, 1), ready = look_up_alloc(&q.look_up, limit, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    if (memory && sketched && ready) {
        q.candidates = memory;
        q.keys = memory + 2 * MAX_CANDIDATES;
        q.heap = (probe_node *)(q.keys + limit);
        q.digits = (uint8_t *)(q.heap + limit + 1);
        status = guarded(x, run, &q);
    }
    look_up_free(&q.look_up);
    sketch_free(&q.sketch);
    pocket_free(memory);
    if (status) *count = 0;
    return fail_as(error, status);
}
