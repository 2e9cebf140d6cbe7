/* A query in stages (docs/format.md, section 8): text -> sketch with margins -> candidates -> hits.
 * Each stage is a function of its own, so that a reader without all the bytes can fetch between
 * them. */
#include "query/query.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "file/cells.h"
#include "file/keys/copies.h"
#include "query/similar/evidence.h"
#include "query/similar/scan.h"
#include "query/similar/stages.h"
#include "sketch/copy_key.h"
#include "sketch/probe.h"

/* ---- text or stored document -> sketch ---- */

static uint32_t begin(query *q) {
    const pocket_index *x = q->index;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    if (q->text) {
        uint32_t status = sketch_text(&x->profile, q->text, q->length, &q->sketch);
        q->report->terms = q->sketch.terms;
        q->identity = (uint32_t)murmur(q->text, (size_t)q->length);
        return status;
    }
    if (q->document >= x->sketched) return POCKET_TEXT_TOO_SHORT;
    uint32_t status = sketch_get(x, q->document, &stored, q->error);
    if (status) return status;
    if (!sketch_stored(&x->profile, sketch_whole(&x->profile, stored, room), &q->sketch))
        return damaged(q, POCKET_SKETCHES, q->document / x->block_documents, "digit", 0, 0);
    return identity_get(x, q->document, &q->identity, q->error);
}

/* ---- a text without a sketch -> documents that are copies ---- */

/* Take the documents of a stretch as hits, as far as there is room. */
static void take_copies(query *q, uint32_t first, uint32_t end, uint32_t similarity) {
    q->report->candidates += end - first;
    for (; first < end && q->found_count < q->room; first++)
        q->found[q->found_count++] = (pocket_hit){.document = first, .similarity = similarity};
}

#define SAME_WORDS 9999u /* the similarity of the same words, written in another way */

static uint32_t find_copies(query *q) {
    const pocket_index *x = q->index;
    uint64_t key;
    copies found;
    uint32_t status = POCKET_OK;
    if (!x->by_kind[POCKET_COPIES]) return POCKET_TEXT_TOO_SHORT;
    if (q->text) {
        if (!copy_key_of_text(q->text, q->length, &q->steps, &key)) return POCKET_TEXT_TOO_SHORT;
        if (q->steps.ended) return POCKET_INTERRUPTED;
    } else {
        if (!copies_has(x, q->document)) return POCKET_TEXT_TOO_SHORT;
        status = copies_get(x, q->document, &key, q->error);
    }
    if (!status) status = copies_find(x, key, &found, q->error);
    if (status) return status;
    take_copies(q, found.same.first, found.same.end, 10000);
    take_copies(q, found.alike.first, found.same.first, SAME_WORDS);
    take_copies(q, found.same.end, found.alike.end, SAME_WORDS);
    return q->report->candidates ? POCKET_OK : POCKET_TEXT_TOO_SHORT;
}

static uint32_t weigh_and_take(query *q) {
    uint32_t status = weigh_hits(q);
    if (!status && !q->incomplete) status = judge_in_doubt(q);
    if (!status && q->incomplete) status = POCKET_NOT_AT_HAND;
    if (!status) take_hits(q);
    return status;
}

/* Its copies, of which status tells, and documents that have its words. */
static uint32_t find_short(query *q, uint32_t status) {
    q->scans = 1;
    if (status && status != POCKET_TEXT_TOO_SHORT) return status;
    uint32_t weighed = weigh_and_take(q);
    if (weighed) return weighed;
    return *q->count || q->report->words >= LEAST_WORDS ? POCKET_OK : status;
}

static uint32_t run(void *argument) {
    query *q = argument;
    uint32_t status = begin(q);
    if (status == POCKET_TEXT_TOO_SHORT) return find_short(q, find_copies(q));
    if (status) return status;
    if (q->text && q->sketch.terms < q->index->profile.least_terms) {
        status = find_copies(q);
        if (status != POCKET_TEXT_TOO_SHORT) return find_short(q, status);
    }
    ranking_begin(&q->ranking, &q->sketch);
    q->ranked = 1;
    if (q->scans) {
        status = profile_is_binary(&q->index->profile) ? find_by_scan(q) : rank_all(q);
    } else {
        if (q->probes) status = find_by_keys(q);
        if (!status && q->cells) status = find_by_cells(q);
    }
    if (!status) status = rank_candidates(q);
    if (!status && q->incomplete) status = POCKET_NOT_AT_HAND;
    if (!status) status = take_best(q);
    return status ? status : weigh_and_take(q);
}

/* Is it quick to compare with all coarse codes, which have so many bits at most? */
static int is_small(const pocket_index *x, uint64_t bits) {
    return x->profile.scheme->cosine && profile_is_binary(&x->profile) &&
           (uint64_t)x->sketched * coarse_components(&x->profile) <= bits;
}

int scans_by_default(const pocket_index *x) {
    if (!x->profile.tables && !x->cells) return 1;
    return !x->lent && is_small(x, x->cells ? SCANNED_BITS_WITH_CELLS : SCANNED_BITS);
}

#define FEW_ASKED 3u /* terms; of two, a document that has one of them often is similar */

/* Words and texts tell more of so short a text than its sketch does. */
uint32_t least_asked(const pocket_index *x) {
    uint32_t least = x->profile.least_terms;
    return least > FEW_ASKED && x->profile.scheme->cosine && !evidence_is_kept(x) ? FEW_ASKED
                                                                                  : least;
}

static int scans_first(const pocket_index *x) {
    return !x->cells && (!x->profile.tables || is_small(x, SCANNED_BITS_FIRST));
}

/* Keys looked up in each table of a file without cells for a first answer from few blocks. */
#define COLD_PROBES 64u

/* How a query with these probes is answered: by a scan, or by so many probes in each table, and so
 * many of the nearest cells. */
static void choose_way(query *q) {
    const pocket_index *x = q->index;
    uint32_t asked = q->probes, given = x->tables.default_probes;
    q->cold = asked == POCKET_COLD;
    q->scans = asked == POCKET_EXHAUSTIVE || (asked == 0 && scans_by_default(x)) ||
               (asked == POCKET_COLD && scans_first(x));
    if (q->scans) {
        q->probes = 0;
    } else if (asked == POCKET_COLD) {
        q->cells = x->cells_cold;
        q->pruning = x->cells_pruning;
        q->probes = x->cells ? 0 : given < COLD_PROBES ? given : COLD_PROBES;
    } else {
        if (asked == 0) q->probes = given;
        uint64_t cells = ((uint64_t)q->probes * x->cells_asked + given - 1) / given;
        q->cells = cells < x->cells ? (uint32_t)cells : x->cells;
        if (!x->profile.tables && x->cells) q->probes = 0;
    }
}

/* A text or a document that can neither be compared by a sketch nor found otherwise. */
static uint32_t too_short(const query *q) {
    const pocket_index *x = q->index;
    if (!q->text)
        return fail(q->error, POCKET_TEXT_TOO_SHORT, POCKET_SKETCHES, -1, "document", x->sketched,
                    q->document);
    return fail(q->error, POCKET_TEXT_TOO_SHORT, 0, -1, "terms", least_asked(x), q->report->terms);
}

/* The rest of a query of which index, text or document, probes, hits, count, report and error are
 * there. */
static uint32_t pose(query q) {
    const pocket_index *x = q.index;
    pocket_report unused;
    uint32_t asked = q.probes;
    clear(q.error);
    if (!q.report) q.report = &unused;
    *q.report = (pocket_report){.terms = 0};
    choose_way(&q);
    uint64_t most = q.scans || x->documents < MAX_CANDIDATES ? x->documents : MAX_CANDIDATES;
    q.most = *q.count < most ? *q.count : (uint32_t)most;
    uint32_t room_hits = q.most && q.most < LEAST_FOUND ? LEAST_FOUND : q.most;
    q.room = room_hits < most ? room_hits : (uint32_t)most;
    q.depth = scan_depth(x, q.room);
    if (q.length > MOST_TEXT) {
        *q.count = 0;
        return text_too_long(q.error, q.length);
    }
    if (q.probes > POCKET_MAX_PROBES) {
        *q.count = 0;
        return allowing(
            q.error, "0 .. %",
            fail(q.error, POCKET_BAD_ARGUMENT, 0, -1, "probes", POCKET_MAX_PROBES, asked));
    }
    if (!q.scans && !x->profile.tables && !q.cells) {
        *q.count = 0;
        return fail(q.error, POCKET_NO_TABLES, POCKET_TABLES, -1, "number of tables", 1, 0);
    }
    if (!q.text && q.document >= x->documents) {
        *q.count = 0;
        return no_document(q.error, POCKET_SKETCHES, x->documents, q.document);
    }
    /* All memory is taken here: work that a shortened file abandons holds none. */
    uint32_t found = q.scans || q.cells ? q.depth : 0, by_keys = q.probes ? MAX_CANDIDATES : 0;
    uint32_t room = scan_room(found) > found + by_keys
                        ? scan_room(found)
                        : found + by_keys; /* for a scan, then for what sorts */
    if (q.cells && room < cells_room(x)) room = cells_room(x);
    size_t hits = q.room + (size_t)MOST_CANDIDATES;
    evidence *own = pocket_malloc(sizeof *own); /* 100 KB, too much for the stack of a page */
    uint64_t *memory = pocket_malloc(
        hits * (sizeof(pocket_hit) + sizeof(uint64_t)) +
        ((size_t)found + by_keys + room + q.room + q.cells + q.probes) * sizeof(uint64_t) +
        q.probes * sizeof(uint32_t));
    int sketched = sketch_alloc(&q.sketch, &x->profile, 1),
        ranked = ranking_alloc(&q.ranking, &x->profile);
    int ready = look_up_alloc(&q.look_up, q.probes ? q.probes : 1, x->most_parts);
    uint32_t status = POCKET_NO_MEMORY;
    q.steps = meter_of(x);
    q.sketch.meter = &q.steps;
    if (!q.sketches_alone) q.sketch.least = least_asked(x);
    if (own) memset(own, 0, sizeof *own);
    if (memory && own && sketched && ranked && ready) {
        q.evidence = own;
        q.found = (pocket_hit *)memory;
        q.order = (uint64_t *)(q.found + hits);
        q.candidates = q.order + hits;
        q.nearest = q.candidates + found + by_keys;
        q.best = q.nearest + room;
        q.stretches = (stretch *)(q.best + q.room);
        q.keys = q.best + q.room + q.cells;
        q.masks = (uint32_t *)(q.keys + q.probes);
        status = guarded(x, run, &q);
    }
    if (own) evidence_free(own);
    look_up_free(&q.look_up);
    ranking_free(&q.ranking);
    sketch_free(&q.sketch);
    pocket_free(own);
    pocket_free(memory);
    if (status) *q.count = 0;
    return status == POCKET_TEXT_TOO_SHORT ? too_short(&q) : fail_as(q.error, status);
}

static uint32_t pose_with(query q, const pocket_query_options *given) {
    if (given && !options_fit(given, sizeof *given)) {
        *q.count = 0;
        clear(q.error);
        return fail_options(q.error, given, sizeof *given);
    }
    q.probes = given ? given->probes : 0;
    q.report = given ? given->report : NULL;
    q.sketches_alone = given && given->sketches_alone;
    return pose(q);
}

pocket_status pocket_query(const pocket_index *x, const uint8_t *text, uint64_t length,
                           const pocket_query_options *options, pocket_hit *hits, uint32_t *count,
                           pocket_error *error) {
    static const uint8_t none[1] = {0};
    return pose_with((query){.index = x,
                             .text = text ? text : none,
                             .length = length,
                             .hits = hits,
                             .count = count,
                             .error = error},
                     options);
}

pocket_status pocket_query_document(const pocket_index *x, uint32_t document,
                                    const pocket_query_options *options, pocket_hit *hits,
                                    uint32_t *count, pocket_error *error) {
    return pose_with(
        (query){.index = x, .document = document, .hits = hits, .count = count, .error = error},
        options);
}
