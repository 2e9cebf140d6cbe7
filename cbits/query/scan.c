/* One pass: distances are taken and compared with a limit at once, so that a document that is too
 * far costs no store. A look at some of the documents sets the first limit; it falls whenever
 * several times as many are within it as are asked for. */
#include "query/scan.h"

#include "base/memory.h"
#include "sketch/hamming.h"
#include "sketch/sketch.h"

#define AT_ONCE 256u   /* documents between two looks at the room */
#define TIMES_DEPTH 3u /* entries that are waited for before the limit falls */
#define LOOKED_AT 4u   /* documents of each block that set the first limit */
#define ENOUGH 2u      /* times the depth: so many are expected within it */
#define NO_LIMIT (8u * HAMMING_MOST_BYTES + 1)

typedef struct scan {
    const pocket_index *index;
    hamming own;
    uint64_t *nearest;
    const stretch *stretches;
    uint32_t stretch_count, count, depth, limit; /* limit: distances from here on are too far */
    meter *steps;
    pocket_error *error;
} scan;

uint32_t scan_depth(uint32_t hits) {
    return hits > SCAN_LEAST / SCAN_TIMES
               ? (hits < UINT32_MAX / SCAN_TIMES ? SCAN_TIMES * hits : UINT32_MAX)
               : SCAN_LEAST;
}

uint32_t scan_room(uint32_t depth) { return TIMES_DEPTH * depth + AT_ONCE; }

/* Keep the depth nearest, of equal ones the first, in their order. Without branches in the loop:
 * nobody can foretell them. */
static void keep_nearest(scan *s) {
    uint32_t at_distance[NO_LIMIT] = {0}, limit = 0, left = s->depth, kept = 0;
    if (s->count < s->depth) return;
    for (uint32_t i = 0; i < s->count; i++) at_distance[s->nearest[i] >> 32]++;
    while (at_distance[limit] < left) left -= at_distance[limit++];
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t entry = s->nearest[i];
        uint32_t d = (uint32_t)(entry >> 32), at_limit = (d == limit) & (left > 0);
        s->nearest[kept] = entry;
        kept += (d < limit) | at_limit;
        left -= at_limit;
    }
    s->count = kept;
    s->limit = limit;
}

/* The records of the documents from document up to end that lie in one block with it. */
static uint32_t get_records(const scan *s, uint32_t document, uint32_t end, const uint8_t **records,
                            uint32_t *count) {
    const pocket_index *x = s->index;
    uint32_t block = document / x->block_documents, before = document % x->block_documents,
             left = x->block_documents - before;
    uint64_t length;
    uint32_t status =
        block_get(x, x->by_kind[POCKET_SKETCHES], block, 0, records, &length, s->error);
    *count = left < end - document ? left : end - document;
    if (!status) *records += (size_t)before * x->stride;
    return status;
}

/* Ask for a stretch before it is scanned: the processor foresees the lines within one, but not
 * where the next one begins. */
static void fetch_stretch(const scan *s, stretch documents, uint32_t bytes) {
    for (uint32_t document = documents.first, count; document < documents.end; document += count) {
        const uint8_t *records;
        if (get_records(s, document, documents.end, &records, &count)) return;
        uint64_t size = (uint64_t)count * s->index->stride;
        for (uint64_t at = 0; at < size && at < bytes; at += 64) FETCH(records + at);
    }
}

/* Twice the depth should be within the limit, by a look at a few documents of each block. */
static uint32_t first_limit(const scan *s) {
    uint32_t at_distance[NO_LIMIT] = {0}, seen = 0, within = 0, limit = 0;
    uint64_t documents = 0;
    for (uint32_t r = 0; r < s->stretch_count && s->stretch_count > 1; r++)
        fetch_stretch(s, s->stretches[r], LOOKED_AT * s->index->stride);
    for (uint32_t r = 0; r < s->stretch_count; r++) {
        documents += s->stretches[r].end - s->stretches[r].first;
        for (uint32_t document = s->stretches[r].first, count; document < s->stretches[r].end;
             document += count) {
            const uint8_t *records;
            if (get_records(s, document, s->stretches[r].end, &records, &count)) return NO_LIMIT;
            for (uint32_t i = 0; i < LOOKED_AT && i < count; i++, seen++)
                at_distance[hamming_distance(&s->own, records + i * s->index->stride)]++;
        }
    }
    uint64_t wanted = (uint64_t)ENOUGH * s->depth * seen / (documents ? documents : 1) + 1;
    while (limit < NO_LIMIT - 1 && within + at_distance[limit] < wanted)
        within += at_distance[limit++];
    return limit + 1;
}

static uint32_t scan_stretch(scan *s, stretch documents) {
    uint32_t missing = POCKET_OK, stride = s->index->stride;
    for (uint32_t document = documents.first, count; document < documents.end; document += count) {
        const uint8_t *records;
        uint32_t status = get_records(s, document, documents.end, &records, &count);
        if (status == POCKET_NOT_AT_HAND)
            missing = status;
        else if (status)
            return status;
        for (uint32_t i = 0; i < count && !status; i += AT_ONCE) {
            uint32_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
            if ((status = interrupted(s->steps, steps_of((uint64_t)some * stride)))) return status;
            if (s->count > TIMES_DEPTH * s->depth) keep_nearest(s);
            s->count += hamming_near(&s->own, records + (size_t)i * stride, stride, document + i,
                                     some, s->limit, s->nearest + s->count);
        }
    }
    return missing;
}

static uint32_t scan_stretches(scan *s) {
    uint32_t missing = POCKET_OK;
    s->count = 0;
    for (uint32_t r = 0; r < s->stretch_count; r++) {
        if (r + 1 < s->stretch_count) fetch_stretch(s, s->stretches[r + 1], UINT32_MAX);
        uint32_t status = scan_stretch(s, s->stretches[r]);
        if (status == POCKET_NOT_AT_HAND)
            missing = status;
        else if (status)
            return status;
    }
    keep_nearest(s);
    return missing;
}

uint32_t scan_run(const pocket_index *x, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error) {
    scan s = {.index = x,
              .nearest = nearest,
              .stretches = stretches,
              .stretch_count = count,
              .depth = depth,
              .steps = steps,
              .error = error};
    hamming_begin(&s.own, x->counting, own, sketch_bytes(&x->profile));
    s.limit = first_limit(&s);
    uint32_t status = scan_stretches(&s);
    if (!status && s.count < depth && s.limit < NO_LIMIT) {
        /* What was looked at was nearer than the rest. */
        s.limit = NO_LIMIT;
        status = scan_stretches(&s);
    }
    *found = s.count;
    return status;
}
