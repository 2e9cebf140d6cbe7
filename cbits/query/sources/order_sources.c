/* Orders the sources of one text, if several files named them or their passages were looked for in
 * texts. */
#include "base/memory.h"
#include "base/sort.h"
#include "file/container.h"
#include "query/sources/cover.h"

#define MOST_ORDERED 16777216u /* spans, and sources */

/* A text may have millions of code points, but its spans have few ends. All places between two
 * neighbouring ends are covered by the same sources, so they are treated as one. */
typedef struct ordering {
    uint64_t *ends;     /* the distinct ends of all spans, rising */
    pocket_span *spans; /* the spans, in numbers of ends */
    uint32_t *sizes;    /* the distance of each end from the next */
    uint32_t end_count;
} ordering;

static uint32_t number_of_end(const ordering *o, uint32_t end) {
    uint32_t low = 0, high = o->end_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (o->ends[middle] <= end)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Number the ends of all spans. ends: first and last of each span; count: twice the spans. */
static void number_ends(ordering *o, const uint32_t *ends, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) o->ends[i] = ends[i];
    sort64(o->ends, count);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || o->ends[i] != o->ends[o->end_count - 1]) o->ends[o->end_count++] = o->ends[i];
    for (uint32_t i = 0; i + 1 < o->end_count; i++)
        o->sizes[i] = (uint32_t)(o->ends[i + 1] - o->ends[i]);
    for (uint32_t i = 0; i < count; i++) ((uint32_t *)o->spans)[i] = number_of_end(o, ends[i]);
}

/* Do ends rise, and the spans of each source? */
static int spans_rise(const pocket_span *spans, const uint32_t *ends, uint32_t count) {
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (ends[i] < at || ends[i] > MOST_ORDERED) return 0;
        for (uint32_t before = 0; at < ends[i]; before = spans[at++].last)
            if (spans[at].first < before || spans[at].last < spans[at].first) return 0;
    }
    return 1;
}

pocket_status pocket_order_sources(const pocket_span *spans, const uint32_t *ends, uint32_t *count,
                                   uint32_t least, uint32_t most, uint32_t *order, uint32_t *added,
                                   pocket_error *error) {
    uint32_t all = *count;
    *count = 0;
    clear(error);
    if (all > MOST_ORDERED || !spans_rise(spans, ends, all))
        return fail(error, POCKET_BAD_ARGUMENT, 0, -1, "spans", 0, 0);
    size_t total = all ? ends[all - 1] : 0;
    uint64_t *memory =
        pocket_malloc(2 * total * (sizeof(uint64_t) + sizeof(uint32_t) + 1) +
                      total * sizeof *spans + all * (sizeof(uint64_t) + sizeof(uint32_t)));
    if (!memory) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    ordering o = {.ends = memory};
    cover c = {.ends = ends, .count = all, .heap = memory + 2 * total};
    o.spans = (pocket_span *)(c.heap + all);
    o.sizes = (uint32_t *)(o.spans + total);
    c.others = o.sizes + 2 * total;
    c.covered = (uint8_t *)(c.others + all);
    memset(c.covered, 0, 2 * total);
    number_ends(&o, (const uint32_t *)spans, (uint32_t)(2 * total));
    c.spans = o.spans;
    c.sizes = o.sizes;
    meter steps = {0};
    *count = cover_best(&c, least, most, &steps, order, added);
    pocket_free(memory);
    return POCKET_OK;
}
