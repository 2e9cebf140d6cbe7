/* One pass: distances are taken and compared with a limit at once, so that a document that is too far costs no store. The limit falls whenever there are
 * several times as many within it as are asked for. */
#include "scan.h"

#include "bits.h"
#include "memory.h"
#include "sketch.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#define WITH_POPCNT __attribute__((target("popcnt")))
#endif
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

#define AT_ONCE 256u    /* documents between two looks at the room */
#define TIMES_DEPTH 3u /* entries that are waited for before the limit falls */
#define MOST_BYTES 512u /* of a packed sketch of bits: 4096 components */

typedef uint32_t (*ones)(uint64_t);

typedef struct scan {
    uint64_t own[MOST_BYTES / 8]; /* the last one padded with zeros */
    size_t bytes, stride;
    uint64_t *nearest;
    uint32_t count, depth, limit; /* limit: distances from here on are too far */
} scan;

uint32_t scan_depth(uint32_t hits) { return hits > SCAN_LEAST / SCAN_TIMES ? (hits < UINT32_MAX / SCAN_TIMES ? SCAN_TIMES * hits : UINT32_MAX) : SCAN_LEAST; }

uint32_t scan_room(uint32_t depth) { return TIMES_DEPTH * depth + AT_ONCE; }

static ALWAYS_INLINE uint32_t ones_by_compiler(uint64_t x) {
#ifdef __GNUC__
    return (uint32_t)__builtin_popcountll(x);
#else
    return count_ones(x);
#endif
}

/* Bytes as numbers of this machine's order: the query's own are loaded so, too. */
static ALWAYS_INLINE uint64_t load_word(const uint8_t *p, size_t bytes) {
    uint64_t word = 0;
    memcpy(&word, p, bytes);
    return word;
}

static ALWAYS_INLINE uint32_t distance(const scan *s, const uint8_t *record, size_t bytes, ones count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes / 8; i++) sum += count(load_word(record + 8 * i, 8) ^ s->own[i]);
    if (bytes % 8) sum += count(load_word(record + bytes / 8 * 8, bytes % 8) ^ s->own[bytes / 8]);
    return sum;
}

static ALWAYS_INLINE uint64_t *take_near(uint64_t *out, uint32_t distance, uint32_t limit, uint32_t document) {
    if (distance < limit) *out++ = (uint64_t)distance << 32 | document;
    return out;
}

/* Four documents at a time take two thirds of the time that they take one by one. */
static ALWAYS_INLINE void take(scan *s, const uint8_t *records, uint32_t first, uint32_t count, size_t bytes, ones ones) {
    const scan own = *s; /* not to be read again after every store */
    uint64_t *out = s->nearest + s->count;
    uint32_t document = first, end = first + count;
    for (; end - document >= 4; document += 4, records += 4 * own.stride) {
        uint32_t a = distance(&own, records, bytes, ones), b = distance(&own, records + own.stride, bytes, ones);
        uint32_t c = distance(&own, records + 2 * own.stride, bytes, ones), d = distance(&own, records + 3 * own.stride, bytes, ones);
        out = take_near(out, a, own.limit, document);
        out = take_near(out, b, own.limit, document + 1);
        out = take_near(out, c, own.limit, document + 2);
        out = take_near(out, d, own.limit, document + 3);
    }
    for (; document < end; document++, records += own.stride) out = take_near(out, distance(&own, records, bytes, ones), own.limit, document);
    s->count = (uint32_t)(out - s->nearest);
}

/* The widths of the named shapes by themselves, so that their loops have no branches. */
static ALWAYS_INLINE void take_any(scan *s, const uint8_t *records, uint32_t first, uint32_t count, ones ones) {
    if (s->bytes == 12) take(s, records, first, count, 12, ones);
    else if (s->bytes == 16) take(s, records, first, count, 16, ones);
    else if (s->bytes == 32) take(s, records, first, count, 32, ones);
    else take(s, records, first, count, s->bytes, ones);
}

#ifdef WITH_POPCNT
int scan_counts_fast(void) {
    unsigned int a, b, c = 0, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_POPCNT);
}

static WITH_POPCNT void take_fast(scan *s, const uint8_t *records, uint32_t first, uint32_t count) { take_any(s, records, first, count, ones_by_compiler); }

static void take_slow(scan *s, const uint8_t *records, uint32_t first, uint32_t count) { take_any(s, records, first, count, count_ones); }
#else
int scan_counts_fast(void) { return 1; } /* what the compiler makes of it is the best there is */

static void take_fast(scan *s, const uint8_t *records, uint32_t first, uint32_t count) { take_any(s, records, first, count, ones_by_compiler); }

#define take_slow take_fast
#endif

/* Keep the depth nearest, of equal ones the first, in their order. */
static void cut(scan *s) {
    uint32_t at_distance[8 * MOST_BYTES + 1] = {0}, limit = 0, left = s->depth, kept = 0;
    if (s->count < s->depth) return;
    for (uint32_t i = 0; i < s->count; i++) at_distance[s->nearest[i] >> 32]++;
    while (at_distance[limit] < left) left -= at_distance[limit++];
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t d = (uint32_t)(s->nearest[i] >> 32);
        if (d > limit || (d == limit && left == 0)) continue;
        left -= d == limit;
        s->nearest[kept++] = s->nearest[i];
    }
    s->count = kept;
    s->limit = limit;
}

uint32_t scan_run(const pocket_index *x, const uint8_t *own, uint32_t depth, uint64_t *nearest, uint32_t *count, pocket_error *error) {
    const section *sketches = x->by_kind[POCKET_SKETCHES];
    scan s = {.bytes = sketch_bytes(&x->profile), .stride = x->stride, .nearest = nearest, .depth = depth, .limit = UINT32_MAX};
    uint32_t missing = POCKET_OK;
    memcpy(s.own, own, s.bytes);
    for (uint32_t block = 0, first = 0; block < sketches->blocks; block++, first += x->block_documents) {
        const uint8_t *records;
        uint64_t length;
        uint32_t status = block_get(x, sketches, block, 0, &records, &length, error), in_block = (uint32_t)(length / s.stride);
        if (status == POCKET_NOT_AT_HAND) missing = status;
        else if (status) return status;
        for (uint32_t i = 0; !status && i < in_block; i += AT_ONCE) {
            uint32_t some = in_block - i < AT_ONCE ? in_block - i : AT_ONCE;
            if (s.count > TIMES_DEPTH * depth) cut(&s);
            (x->counts_fast ? take_fast : take_slow)(&s, records + i * s.stride, first + i, some);
        }
    }
    cut(&s);
    *count = s.count;
    return missing;
}
