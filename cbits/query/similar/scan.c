/* One pass: distances are taken and compared with a limit at once. There is no limit
 * at first; it falls whenever several times as many documents are kept as are asked for. */
#include "query/similar/scan.h"

#include "base/memory.h"
#include "sketch/hamming.h"
#include "sketch/sketch.h"

#define AT_ONCE 256u   /* documents between two looks at the room */
#define TIMES_DEPTH 3u /* entries that are waited for before the limit falls */
#define NO_LIMIT (8u * HAMMING_MOST_BYTES + 1)

typedef struct scan {
    const pocket_index *index;
    hamming own;
    uint64_t *nearest;
    const stretch *stretches;
    uint32_t bytes, stretch_count, count, depth,
        limit; /* bytes: of a coarse code; limit: distances from here on are too far */
    meter *steps;
    pocket_error *error;
} scan;

uint32_t scan_depth(const pocket_index *x, uint32_t hits) {
    uint32_t codes = x->profile.component_count / COARSE_COMPONENTS;
    uint64_t depth = hits > SCAN_LEAST / SCAN_TIMES ? (uint64_t)SCAN_TIMES * hits : SCAN_LEAST;
    depth *= codes ? codes : 1;
    return depth < x->sketched ? (uint32_t)depth : x->sketched;
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
    const uint8_t *sketches; /* NULL where they are not at hand */
    uint32_t stretch, document, count;
} portion;

/* The portion that follows another; count is 0 after the last one. */
static uint32_t next_portion(const scan *s, const portion *last, portion *p) {
    const pocket_index *x = s->index;
    uint32_t r = last->stretch, at_once = x->block_documents,
             document = last->count ? last->document + last->count : s->stretches[0].first;
    while (r < s->stretch_count && document >= s->stretches[r].end)
        if (++r < s->stretch_count) document = s->stretches[r].first;
    *p = (portion){NULL, r, document, 0};
    if (r == s->stretch_count) return POCKET_OK;
    const uint8_t *block;
    uint64_t length;
    uint32_t number = document / at_once, before = document - number * at_once,
             left = at_once - before, more = s->stretches[r].end - document,
             status =
                 block_get(x, x->by_kind[POCKET_SKETCHES], number, 0, &block, &length, s->error);
    p->count = left < more ? left : more;
    if (!status) p->sketches = block + before * s->bytes;
    return status;
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
    uint32_t missing = POCKET_OK, status;
    portion two[2] = {{0}}, *now = two, *ahead = two + 1;
    do {
        status = next_portion(s, now, ahead);
        if (status == POCKET_NOT_AT_HAND) {
            missing = status;
            status = POCKET_OK;
        }
        if (!status)
            status = scan_portion(s, now, ahead->sketches ? ahead->sketches : now->sketches);
        now = ahead;
        ahead = two + (now == two);
    } while (now->count && !status);
    keep_nearest(s);
    return status ? status : missing;
}

uint32_t scan_run(const pocket_index *x, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error) {
    scan s = {.index = x,
              .bytes = coarse_bytes(&x->profile),
              .nearest = nearest,
              .stretches = stretches,
              .stretch_count = count,
              .depth = depth,
              .limit = NO_LIMIT,
              .steps = steps,
              .error = error};
    hamming_begin(&s.own, x->counting, own, s.bytes);
    uint32_t status = scan_stretches(&s);
    *found = s.count;
    return status;
}
