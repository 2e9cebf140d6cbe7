/* One pass: distances are taken and compared with a limit at once, so that a document that is too
 * far costs no store. A look at some of the documents sets the first limit; it falls whenever
 * several times as many are within it as are asked for. */
#include "query/scan.h"

#include "base/memory.h"
#include "sketch/hamming.h"
#include "sketch/sketch.h"

#define AT_ONCE 256u   /* documents between two looks at the room */
#define TIMES_DEPTH 3u /* entries that are waited for before the limit falls */
#define LOOKED_AT 8u   /* documents of a portion that set the first limit */
#define LOOKS 512u     /* so many portions are looked at where they are whole blocks, or half */
#define ENOUGH 2u      /* times the depth: so many are expected within it */
#define NO_LIMIT (8u * HAMMING_MOST_BYTES + 1)

typedef struct scan {
    const pocket_index *index;
    hamming own;
    uint64_t *nearest;
    const stretch *stretches;
    uint32_t bytes, stretch_count, count, depth,
        limit; /* bytes: of a front; limit: distances from here on are too far */
    meter *steps;
    pocket_error *error;
} scan;

uint32_t scan_depth(uint32_t hits) {
    return hits > SCAN_LEAST / SCAN_TIMES
               ? (hits < UINT32_MAX / SCAN_TIMES ? SCAN_TIMES * hits : UINT32_MAX)
               : SCAN_LEAST;
}

uint32_t scan_room(uint32_t depth) { return TIMES_DEPTH * depth + AT_ONCE + HAMMING_SPARE; }

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

/* What lies side by side: documents of one stretch in one block. All zeros before the first. */
typedef struct portion {
    const uint8_t *sketches; /* NULL where they are not at hand, or were not asked for */
    uint32_t stretch, document, count, block, before; /* before: documents of the block before it */
} portion;

/* The documents of the portion that follows another; 0 after the last one. */
static uint32_t next_portion(const scan *s, const portion *last, portion *p) {
    uint32_t r = last->stretch, at_once = s->index->block_documents,
             document = last->count ? last->document + last->count : s->stretches[0].first;
    while (r < s->stretch_count && document >= s->stretches[r].end)
        if (++r < s->stretch_count) document = s->stretches[r].first;
    p->stretch = r;
    p->count = 0;
    p->sketches = NULL;
    if (r == s->stretch_count) return 0;
    p->document = document;
    p->block = document / at_once;
    p->before = document - p->block * at_once;
    uint32_t left = at_once - p->before, more = s->stretches[r].end - document;
    return p->count = left < more ? left : more;
}

static uint32_t get_sketches(const scan *s, portion *p) {
    const pocket_index *x = s->index;
    const uint8_t *block;
    uint64_t length;
    uint32_t status =
        block_get(x, x->by_kind[POCKET_SKETCHES], p->block, 0, &block, &length, s->error);
    p->sketches = status ? NULL : block + p->before * s->bytes;
    return status;
}

/* Ask for the beginnings of all portions: the processor foresees the lines within a stretch, but
 * not where one begins. */
static void fetch_first(const scan *s) {
    size_t size = LOOKED_AT * s->bytes;
    for (portion p = {0}; next_portion(s, &p, &p) && !interrupted(s->steps, 1);)
        if (!get_sketches(s, &p))
            for (size_t at = 0; at < size; at += 64) FETCH(p.sketches + at);
}

/* A look at a few documents of every so many portions: how many there are at each distance. Returns
 * how many it saw. */
static uint32_t look(scan *s, uint64_t documents, uint32_t *at_distance) {
    uint64_t every = documents / ((uint64_t)s->index->block_documents * LOOKS) + 1, left = 1;
    uint32_t seen = 0;
    for (portion p = {0}; next_portion(s, &p, &p);) {
        if (--left) continue;
        left = every;
        if (interrupted(s->steps, 1) || get_sketches(s, &p)) return 0;
        uint32_t some = p.count < LOOKED_AT ? p.count : LOOKED_AT;
        sketches_in_row row = {p.sketches, p.sketches, p.document, some};
        hamming_near(&s->own, row, NO_LIMIT, s->nearest);
        for (uint32_t i = 0; i < some; i++) at_distance[s->nearest[i] >> 32]++;
        seen += some;
    }
    return seen;
}

/* Twice the depth should be within the limit, by a look at some documents. */
static uint32_t first_limit(scan *s) {
    uint32_t at_distance[NO_LIMIT] = {0}, within = 0, limit = 0;
    uint64_t documents = 0;
    for (uint32_t r = 0; r < s->stretch_count; r++)
        documents += s->stretches[r].end - s->stretches[r].first;
    if (s->stretch_count > 1) fetch_first(s);
    uint64_t seen = look(s, documents, at_distance);
    if (!seen) return NO_LIMIT;
    uint64_t wanted = ENOUGH * s->depth * seen / documents + 1;
    while (limit < NO_LIMIT - 1 && within + at_distance[limit] < wanted)
        within += at_distance[limit++];
    return limit + 1;
}

/* Compare the documents of a portion, and ask meanwhile for those of the one that follows. */
static uint32_t scan_portion(scan *s, const portion *p, const uint8_t *ahead) {
    for (uint32_t i = 0; i < p->count && p->sketches; i += AT_ONCE) {
        uint32_t some = p->count - i < AT_ONCE ? p->count - i : AT_ONCE;
        if (interrupted(s->steps, steps_of((uint64_t)some * s->bytes))) return POCKET_INTERRUPTED;
        if (s->count > TIMES_DEPTH * s->depth) keep_nearest(s);
        sketches_in_row row = {p->sketches + i * s->bytes, ahead + i * s->bytes, p->document + i,
                               some};
        s->count += hamming_near(&s->own, row, s->limit, s->nearest + s->count);
    }
    return POCKET_OK;
}

static uint32_t scan_stretches(scan *s) {
    uint32_t missing = POCKET_OK, status = POCKET_OK;
    portion two[2] = {{0}}, *now = two, *ahead = two + 1;
    s->count = 0;
    for (uint32_t left = 1; left && !status; now = ahead, ahead = two + (now == two)) {
        left = next_portion(s, now, ahead);
        if (left) status = get_sketches(s, ahead);
        if (status == POCKET_NOT_AT_HAND) {
            missing = status;
            status = POCKET_OK;
        }
        if (!status)
            status = scan_portion(s, now, ahead->sketches ? ahead->sketches : now->sketches);
    }
    keep_nearest(s);
    return status ? status : missing;
}

uint32_t scan_run(const pocket_index *x, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error) {
    scan s = {.index = x,
              .bytes = front_bytes(&x->profile),
              .nearest = nearest,
              .stretches = stretches,
              .stretch_count = count,
              .depth = depth,
              .steps = steps,
              .error = error};
    hamming_begin(&s.own, x->counting, own, s.bytes);
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
