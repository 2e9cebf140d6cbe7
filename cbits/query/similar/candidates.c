/* Sketch to candidates: by keys, by cells, or by a scan. */
#include "file/cells.h"
#include "query/similar/scan.h"
#include "query/similar/stages.h"
#include "sketch/probe.h"

/* Ask memory for a sketch that will be looked at. */
static void fetch_sketch(const profile *p, packed_sketch stored) {
    FETCH(stored.coarse);
    if (sketch_bytes(p) > COARSE_BYTES) FETCH(stored.rest);
}

/* ---- matches -> candidates, each ranked while its sketch is at hand ---- */

/* A document and how far its sketch agrees with the query's. */
static uint32_t add_candidate(query *q, uint32_t table, uint32_t document, packed_sketch stored) {
    uint32_t agreement;
    if (!ranking_agreement(&q->ranking, stored, &agreement))
        return damaged(q, POCKET_SKETCHES, document / q->index->block_documents, "digit", 0, 0);
    q->candidates[q->candidate_count++] = (uint64_t)document << 32 | agreement << 8 | table;
    return POCKET_OK;
}

/* All of a postlist, of whose first document the sketch is at hand. */
static uint32_t add_postlist(query *q, uint32_t table, const match *m, packed_sketch stored) {
    const pocket_index *x = q->index;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t document = match_posting(m, &x->tables, i);
        if (document >= x->sketched)
            return allowing(q->error, "less than %",
                            damaged(q, POCKET_TABLES, m->part, "posting", x->sketched, document));
        if (q->candidate_count == MAX_CANDIDATES) {
            q->report->capped = 1;
            return POCKET_OK;
        }
        if (interrupted(&q->steps, steps_of(x->stride))) return POCKET_INTERRUPTED;
        uint32_t status = i > 0 ? sketch_get(x, document, &stored, q->error) : POCKET_OK;
        if (status == POCKET_OK)
            status = add_candidate(q, table, document, stored);
        else
            status = unless_missed(q, status);
        if (status) return status;
    }
    return POCKET_OK;
}

/* So many stored sketches are asked for before the first of them is looked at: a query's time is
 * that of its misses to memory. */
#define SKETCHES_AT_ONCE 32u

/* A key that is not in the index can meet a slot whose checksum agrees by chance: the first
 * posting's sketch tells. */
static uint32_t confirm(query *q, uint32_t table, const uint32_t *ranked, uint32_t count) {
    const pocket_index *x = q->index;
    packed_sketch sketches[SKETCHES_AT_ONCE];
    uint8_t room[MOST_SKETCH_BYTES];
    if (interrupted(&q->steps, 4 * SKETCHES_AT_ONCE)) return POCKET_INTERRUPTED;
    for (uint32_t i = 0; i < count; i++) {
        const match *m = &q->look_up.matches[ranked[i]];
        uint32_t document = match_posting(m, &x->tables, 0);
        if (document >= x->sketched)
            return allowing(q->error, "less than %",
                            damaged(q, POCKET_TABLES, m->part, "posting", x->sketched, document));
        sketches[i].coarse = NULL;
        uint32_t status = sketch_get(x, document, &sketches[i], q->error);
        if (status == POCKET_OK) {
            fetch_sketch(&x->profile, sketches[i]);
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
        if (!sketches[i].coarse) continue;
        if (!sub_key_of_packed(&x->profile, table, sketch_whole(&x->profile, sketches[i], room),
                               &stored))
            return damaged(q, POCKET_SKETCHES, match_posting(m, &x->tables, 0) / x->block_documents,
                           "digit", 0, 0);
        uint32_t status =
            stored == q->keys[m->rank] ? add_postlist(q, table, m, sketches[i]) : POCKET_OK;
        if (status) return status;
    }
    return POCKET_OK;
}

uint32_t find_by_keys(query *q) {
    const pocket_index *x = q->index;
    const look_up *l = &q->look_up;
    for (uint32_t t = 0; t < x->profile.tables && !q->report->capped; t++) {
        uint32_t count = probe_keys(&x->profile, t, &q->sketch, q->probes, q->keys, q->masks);
        q->report->probes += count;
        if (interrupted(&q->steps, 4 * (uint64_t)count)) return POCKET_INTERRUPTED;
        uint32_t status =
            unless_missed(q, look_up_run(&q->look_up, x, &x->tables, t, q->keys, count, q->error));
        for (uint32_t i = 0; !status && i < l->match_count; i += SKETCHES_AT_ONCE)
            status = confirm(q, t, l->ranked + i,
                             l->match_count - i < SKETCHES_AT_ONCE ? l->match_count - i
                                                                   : SKETCHES_AT_ONCE);
        if (status) return status;
    }
    q->report->parts = q->look_up.parts_touched;
    return POCKET_OK;
}

/* ---- nearest sketches -> candidates ---- */

/* So many of the nearest sketches are asked for ahead of the one that is looked at. */
#define AHEAD 16u

/* The nearest of the documents in count stretches; table: what they count as found in. */
static uint32_t add_nearest(query *q, const stretch *stretches, uint32_t count, uint32_t table) {
    const pocket_index *x = q->index;
    uint64_t *nearest = q->nearest;
    uint32_t found,
        status = unless_missed(q, scan_run(x, q->ranking.own, q->depth, stretches, count, nearest,
                                           &found, &q->steps, q->error));
    packed_sketch sketches[AHEAD];
    for (uint32_t i = 0; i < found + AHEAD && !status; i++) {
        packed_sketch *sketch = &sketches[i % AHEAD];
        if (i >= AHEAD && !(status = interrupted(&q->steps, 1)))
            status = add_candidate(q, table, (uint32_t)nearest[i - AHEAD], *sketch);
        if (i < found && !status) {
            status = sketch_get(x, (uint32_t)nearest[i], sketch, q->error);
            if (!status) fetch_sketch(&x->profile, *sketch);
        }
    }
    return status;
}

uint32_t find_by_scan(query *q) {
    stretch all = {0, q->index->sketched};
    return add_nearest(q, &all, 1, 0);
}

/* What lies in the nearest cells counts as found in the last table that there may be: with cells
 * there is none of this number. */
uint32_t find_by_cells(query *q) {
    uint32_t count = q->cells, status = cells_near(q->index, &q->sketch, q->pruning, &count,
                                                   q->nearest, q->stretches, q->error);
    return status ? unless_missed(q, status)
                  : add_nearest(q, q->stretches, count, POCKET_MAX_TABLES - 1);
}
