/* A query in stages (docs/format.md, section 8): text -> sketch with margins -> candidates, by probes and matches or by a scan -> hits. Each stage is a
 * function of its own, so that a reader without all the bytes can fetch between them. */
#include "bytes.h"
#include "cells.h"
#include "container.h"
#include "hash.h"
#include "look_up.h"
#include "memory.h"
#include "part.h"
#include "probe.h"
#include "ranking.h"
#include "scan.h"
#include "sketch.h"
#include "sort.h"

#ifndef MAX_CANDIDATES /* the harnesses that ask millions of times take less memory a query */
#define MAX_CANDIDATES 65536u
#endif

#define MOST_LOOKED_AT 262144u /* postlists of which the first document's sketch is looked at */

typedef struct query {
    const pocket_index *index;
    const uint8_t *text; /* NULL: the query is a stored document */
    uint64_t length;
    uint32_t document, probes, identity;
    sketch sketch;
    uint64_t *keys;
    uint32_t *masks;
    look_up look_up;
    ranking ranking;
    meter steps;
    uint64_t *candidates, *nearest, *best; /* document << 32 | agreement << 8 | table; room for a scan and for what sorts; the heap of hits */
    stretch *stretches;
    uint32_t candidate_count, looked_at, best_count, room, depth, cells; /* cells: so many of the nearest are compared */
    int scans, incomplete; /* incomplete: a block was not at hand; the stage goes on, so that all its blocks are missed at once */
    uint32_t *count;
    pocket_hit *hits;
    pocket_report *report;
    pocket_error *error;
} query;

static uint32_t damaged(const query *q, uint32_t section, uint32_t block, const char *field, uint64_t expected, uint64_t found) {
    return fail(q->error, POCKET_DAMAGED_FIELD, section, block, field, expected, found);
}

/* A block that is not at hand ends the query after the stage, any other failure at once. */
static uint32_t unless_missed(query *q, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    q->incomplete = 1;
    return POCKET_OK;
}

/* ---- text or stored document -> sketch ---- */

static uint32_t begin(query *q) {
    const pocket_index *x = q->index;
    const uint8_t *record;
    if (q->text) {
        uint32_t status = sketch_text(&x->profile, q->text, q->length, &q->sketch);
        q->report->terms = q->sketch.terms;
        q->identity = (uint32_t)pocket_murmur(q->text, (size_t)q->length);
        return status;
    }
    uint32_t status = record_get(x, q->document, &record, q->error);
    if (status) return status;
    if (!sketch_stored(&x->profile, record, &q->sketch)) return damaged(q, POCKET_SKETCHES, q->document / x->block_documents, "digit", 0, 0);
    for (uint32_t i = 0; i < x->identity_bits / 8; i++) q->identity |= (uint32_t)record_identity(x, record)[i] << (8 * i);
    return POCKET_OK;
}

/* ---- matches -> candidates, each ranked while its sketch is at hand ---- */

/* A document and how far its sketch agrees with the query's. */
static uint32_t add_candidate(query *q, uint32_t table, uint32_t document, const uint8_t *record) {
    uint32_t agreement;
    if (!ranking_agreement(&q->ranking, record, &agreement)) return damaged(q, POCKET_SKETCHES, document / q->index->block_documents, "digit", 0, 0);
    q->candidates[q->candidate_count++] = (uint64_t)document << 32 | agreement << 8 | table;
    return POCKET_OK;
}

/* All of a postlist, of whose first document the record is at hand. */
static uint32_t add_postlist(query *q, uint32_t table, const match *m, const uint8_t *record) {
    const pocket_index *x = q->index;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t document = match_posting(m, &x->tables, i);
        if (document >= x->documents) return allowing(q->error, "less than %", damaged(q, POCKET_TABLES, m->part, "posting", x->documents, document));
        if (q->candidate_count == MAX_CANDIDATES) {
            q->report->capped = 1;
            return POCKET_OK;
        }
        if (interrupted(&q->steps, steps_of(x->stride))) return POCKET_INTERRUPTED;
        uint32_t status = i > 0 ? record_get(x, document, &record, q->error) : POCKET_OK;
        if (status == POCKET_OK) status = add_candidate(q, table, document, record);
        else status = unless_missed(q, status);
        if (status) return status;
    }
    return POCKET_OK;
}

/* So many stored sketches are asked for before the first of them is looked at: a query's time is that of its misses to memory. */
#define RECORDS_AT_ONCE 32u

/* A key that is not in the index can meet a slot whose checksum agrees by chance: the first posting's sketch tells. */
static uint32_t confirm(query *q, uint32_t table, const uint32_t *ranked, uint32_t count) {
    const pocket_index *x = q->index;
    const uint8_t *records[RECORDS_AT_ONCE];
    if (interrupted(&q->steps, 4 * RECORDS_AT_ONCE)) return POCKET_INTERRUPTED;
    for (uint32_t i = 0; i < count; i++) {
        const match *m = &q->look_up.matches[ranked[i]];
        uint32_t document = match_posting(m, &x->tables, 0);
        if (document >= x->documents) return allowing(q->error, "less than %", damaged(q, POCKET_TABLES, m->part, "posting", x->documents, document));
        records[i] = NULL;
        uint32_t status = record_get(x, document, &records[i], q->error);
        if (status == POCKET_OK) {
            FETCH(records[i]);
            FETCH(records[i] + x->stride - 1);
        } else if ((status = unless_missed(q, status))) {
            return status;
        }
    }
    for (uint32_t i = 0; i < count && !q->report->capped; i++) {
        const match *m = &q->look_up.matches[ranked[i]];
        uint64_t stored;
        if (q->looked_at == MOST_LOOKED_AT) {
            q->report->capped = 1;
            break;
        }
        q->looked_at++;
        if (!records[i]) continue;
        if (!sub_key_of_packed(&x->profile, table, records[i], &stored))
            return damaged(q, POCKET_SKETCHES, match_posting(m, &x->tables, 0) / x->block_documents, "digit", 0, 0);
        uint32_t status = stored == q->keys[m->rank] ? add_postlist(q, table, m, records[i]) : POCKET_OK;
        if (status) return status;
    }
    return POCKET_OK;
}

static uint32_t find_candidates(query *q) {
    const pocket_index *x = q->index;
    const look_up *l = &q->look_up;
    for (uint32_t t = 0; t < x->profile.tables && !q->report->capped; t++) {
        uint32_t count = probe_keys(&x->profile, t, &q->sketch, q->probes, q->keys, q->masks);
        q->report->probes += count;
        if (interrupted(&q->steps, 4 * (uint64_t)count)) return POCKET_INTERRUPTED;
        uint32_t status = unless_missed(q, look_up_run(&q->look_up, x, &x->tables, t, q->keys, count, q->error));
        for (uint32_t i = 0; !status && i < l->match_count; i += RECORDS_AT_ONCE)
            status = confirm(q, t, l->ranked + i, l->match_count - i < RECORDS_AT_ONCE ? l->match_count - i : RECORDS_AT_ONCE);
        if (status) return status;
    }
    q->report->parts = q->look_up.parts_touched;
    return POCKET_OK;
}

/* ---- nearest sketches -> candidates ---- */

/* So many of the nearest sketches are asked for ahead of the one that is looked at. */
#define AHEAD 8u

/* The nearest of the documents in count stretches; table: what they count as found in. */
static uint32_t add_nearest(query *q, const stretch *stretches, uint32_t count, uint32_t table) {
    const pocket_index *x = q->index;
    uint64_t *nearest = q->nearest;
    uint32_t found, status = unless_missed(q, scan_run(x, q->ranking.own, q->depth, stretches, count, nearest, &found, &q->steps, q->error));
    for (uint32_t i = 0; i < found + AHEAD && !status; i++) {
        const uint8_t *record;
        if (i < found && record_get(x, (uint32_t)nearest[i], &record, NULL) == POCKET_OK) FETCH(record);
        if (i < AHEAD) continue;
        uint32_t document = (uint32_t)nearest[i - AHEAD];
        if ((status = interrupted(&q->steps, 1))) break;
        status = record_get(x, document, &record, q->error);
        if (!status) status = add_candidate(q, table, document, record);
    }
    return status;
}

static uint32_t add_all_nearest(query *q) {
    stretch all = {0, q->index->documents};
    return add_nearest(q, &all, 1, 0);
}

/* What lies in the nearest cells counts as found in the last table that there may be: with cells there is none of this number. */
static uint32_t add_cells(query *q) {
    uint32_t status = cells_near(q->index, &q->sketch, q->cells, q->nearest, q->stretches, q->error);
    return status ? unless_missed(q, status) : add_nearest(q, q->stretches, q->cells, POCKET_MAX_TABLES - 1);
}

/* ---- candidates -> hits ---- */

/* The best so far are a heap of 10000 - similarity << 32 | document with the worst on top. */
static void offer(query *q, uint32_t similarity, uint32_t document) {
    uint64_t rank = (uint64_t)(10000 - similarity) << 32 | document;
    if (q->best_count < q->room) {
        uint32_t i = q->best_count++;
        for (; i > 0 && q->best[(i - 1) / 2] < rank; i = (i - 1) / 2) q->best[i] = q->best[(i - 1) / 2];
        q->best[i] = rank;
    } else if (q->room > 0 && rank < q->best[0]) {
        q->best[0] = rank;
        sift64(q->best, 0, q->room);
    }
}

/* Is a document that agrees wholly the query's own text, as far as the identity tells? */
static uint32_t is_same(query *q, uint32_t document, int *same) {
    const pocket_index *x = q->index;
    const uint8_t *record;
    uint32_t status = record_get(x, document, &record, q->error);
    if (status) return status;
    const uint8_t *stored = record_identity(x, record);
    *same = ranking_is_same(&q->ranking, record);
    for (uint32_t i = 0; i < x->identity_bits / 8; i++)
        if (stored[i] != (uint8_t)(q->identity >> (8 * i))) *same = 0;
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
static uint32_t rank_all(query *q) {
    const pocket_index *x = q->index;
    for (uint32_t document = 0; document < x->documents; document++) {
        const uint8_t *record;
        uint32_t agreement, status = interrupted(&q->steps, steps_of(x->stride));
        if (status) return status;
        status = record_get(x, document, &record, q->error);
        if (status == POCKET_OK && !ranking_agreement(&q->ranking, record, &agreement))
            return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
        status = status ? unless_missed(q, status) : rank_document(q, document, agreement);
        if (status) return status;
    }
    q->report->candidates = (uint32_t)x->documents;
    return POCKET_OK;
}

static uint32_t rank_candidates(query *q) {
    uint64_t *c = q->candidates;
    /* Entries of one document are equal but for the table, and tables come in order: only the documents' bits need sorting. Those of a scan rise. */
    if (!q->scans) radix_sort64(c, q->nearest, q->candidate_count, 32, 32 + q->index->tables.posting_bits);
    for (uint32_t i = 0; i < q->candidate_count; i++) {
        if (i > 0 && c[i - 1] >> 32 == c[i] >> 32) continue;
        uint32_t status = rank_document(q, (uint32_t)(c[i] >> 32), (uint32_t)(c[i] >> 8 & 0x1FFFF));
        if (status) return status;
        q->report->candidates++;
    }
    return POCKET_OK;
}

static void take_hits(query *q) {
    sort64(q->best, q->best_count);
    *q->count = q->best_count;
    for (uint32_t i = 0; i < q->best_count; i++)
        q->hits[i] = (pocket_hit){(uint32_t)q->best[i], without_luck(&q->index->profile, 10000 - (uint32_t)(q->best[i] >> 32), q->index->documents), 0};
}

/* The first candidate entry of a document, by bisection (candidates are sorted). */
static uint32_t entry_of(const query *q, uint32_t document) {
    uint32_t low = 0, high = q->candidate_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (q->candidates[middle] >> 32 < document) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void gather_tables(query *q) {
    for (uint32_t i = 0; i < *q->count; i++)
        for (uint32_t e = entry_of(q, q->hits[i].document); e < q->candidate_count && q->candidates[e] >> 32 == q->hits[i].document; e++)
            q->hits[i].tables |= 1ull << (q->candidates[e] & 0xFF);
}

static uint32_t run(void *argument) {
    query *q = argument;
    uint32_t status = begin(q);
    if (status) return status;
    ranking_begin(&q->ranking, &q->sketch);
    if (q->scans) {
        status = profile_is_binary(&q->index->profile) ? add_all_nearest(q) : rank_all(q);
    } else {
        if (q->probes) status = find_candidates(q);
        if (!status && q->cells) status = add_cells(q);
    }
    if (!status) status = rank_candidates(q);
    if (status) return status;
    if (q->incomplete) return POCKET_NOT_AT_HAND;
    take_hits(q);
    if (!q->scans) gather_tables(q);
    return POCKET_OK;
}

int scans_by_default(const pocket_index *x) {
    if (!x->profile.tables && !x->cells) return 1;
    return x->profile.scheme->cosine && profile_is_binary(&x->profile) && !x->lent && (uint64_t)x->documents * x->profile.component_count <= SCANNED_BITS;
}

/* Keys looked up in each table of a file without cells for a first answer from few blocks. */
#define COLD_PROBES 64u

/* How a query with these probes is answered: by a scan, or by so many probes in each table, and so many of the nearest cells. */
static void choose_way(query *q) {
    const pocket_index *x = q->index;
    uint32_t asked = q->probes, given = x->tables.default_probes;
    q->scans = asked == POCKET_EXHAUSTIVE || (asked == 0 && scans_by_default(x)) || (asked == POCKET_COLD && !x->profile.tables && !x->cells);
    if (q->scans) {
        q->probes = 0;
    } else if (asked == POCKET_COLD) {
        q->cells = x->cells_cold;
        q->probes = x->cells ? 0 : given < COLD_PROBES ? given : COLD_PROBES;
    } else {
        if (asked == 0) q->probes = given;
        uint64_t cells = ((uint64_t)q->probes * x->cells_asked + given - 1) / given;
        q->cells = cells < x->cells ? (uint32_t)cells : x->cells;
        if (!x->profile.tables && x->cells) q->probes = 0;
    }
}

/* The rest of a query of which index, text or document, probes, hits, count, report and error are there. */
static uint32_t pose(query q) {
    const pocket_index *x = q.index;
    pocket_report unused;
    uint32_t asked = q.probes;
    clear(q.error);
    if (!q.report) q.report = &unused;
    *q.report = (pocket_report){0, 0, 0, 0, 0};
    choose_way(&q);
    uint64_t most = q.scans || x->documents < MAX_CANDIDATES ? x->documents : MAX_CANDIDATES;
    q.room = *q.count < most ? *q.count : (uint32_t)most;
    q.depth = scan_depth(q.room) < x->documents ? scan_depth(q.room) : x->documents;
    if (q.probes > POCKET_MAX_PROBES || q.length > POCKET_MAX_TEXT) {
        *q.count = 0;
        return fail(q.error, q.length > POCKET_MAX_TEXT ? POCKET_TEXT_TOO_LONG : POCKET_BAD_ARGUMENT, 0, -1, "probes", POCKET_MAX_PROBES, asked);
    }
    if (!q.scans && !x->profile.tables && !q.cells) {
        *q.count = 0;
        return fail(q.error, POCKET_NO_TABLES, POCKET_TABLES, -1, "number of tables", 1, 0);
    }
    if (!q.text && q.document >= x->documents) {
        *q.count = 0;
        return fail(q.error, POCKET_NOT_FOUND, POCKET_SKETCHES, -1, "document", x->documents, q.document);
    }
    /* All memory is taken here: work that a shortened file abandons holds none. */
    uint32_t found = q.scans || q.cells ? q.depth : 0, by_keys = q.probes ? MAX_CANDIDATES : 0;
    uint32_t room = scan_room(found) > found + by_keys ? scan_room(found) : found + by_keys; /* for a scan, then for what sorts */
    if (q.cells && room < cells_room(x)) room = cells_room(x);
    uint64_t *memory = pocket_malloc(((size_t)found + by_keys + room + q.room + q.cells + q.probes) * sizeof(uint64_t) + q.probes * sizeof(uint32_t));
    int sketched = sketch_alloc(&q.sketch, &x->profile, 1), ranked = ranking_alloc(&q.ranking, &x->profile);
    int ready = look_up_alloc(&q.look_up, q.probes ? q.probes : 1, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    q.steps = meter_of(x);
    q.sketch.meter = &q.steps;
    if (memory && sketched && ranked && ready) {
        q.candidates = memory;
        q.nearest = q.candidates + found + by_keys;
        q.best = q.nearest + room;
        q.stretches = (stretch *)(q.best + q.room);
        q.keys = q.best + q.room + q.cells;
        q.masks = (uint32_t *)(q.keys + q.probes);
        status = guarded(x, run, &q);
    }
    look_up_free(&q.look_up);
    ranking_free(&q.ranking);
    sketch_free(&q.sketch);
    pocket_free(memory);
    if (status) *q.count = 0;
    return fail_as(q.error, status);
}

uint32_t pocket_query(const pocket_index *x, const uint8_t *text, uint64_t length, uint32_t probes, pocket_hit *hits, uint32_t *count,
                      pocket_report *report, pocket_error *error) {
    static const uint8_t none[1] = {0};
    return pose((query){.index = x, .text = text ? text : none, .length = length, .probes = probes, .hits = hits, .count = count, .report = report, .error = error});
}

uint32_t pocket_query_document(const pocket_index *x, uint32_t document, uint32_t probes, pocket_hit *hits, uint32_t *count, pocket_report *report,
                               pocket_error *error) {
    return pose((query){.index = x, .document = document, .probes = probes, .hits = hits, .count = count, .report = report, .error = error});
}
