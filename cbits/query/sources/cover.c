#include "query/sources/cover.h"

#include "base/memory.h"
#include "base/sort.h"

uint32_t spans_size(const cover *c, uint32_t candidate, int all) {
    uint32_t sum = 0;
    for (uint32_t i = spans_before(c, candidate); i < c->ends[candidate]; i++)
        for (uint32_t t = c->spans[i].first; t < c->spans[i].last; t++)
            if (all || !c->covered[t]) sum += c->sizes ? c->sizes[t] : 1;
    return sum;
}

static void cover_spans(cover *c, uint32_t candidate) {
    for (uint32_t i = spans_before(c, candidate); i < c->ends[candidate]; i++)
        memset(c->covered + c->spans[i].first, 1, c->spans[i].last - c->spans[i].first);
}

/* What a candidate adds never increases while others are taken, so the one on top is the best as
 * soon as its own number is up to date. Candidates that add too little are set aside, and come
 * after all others, by what they cover: if two documents have the same passage, both are named. */
uint32_t cover_best(cover *c, uint32_t least, uint32_t most, meter *steps, uint32_t *order,
                    uint32_t *added) {
    uint32_t size = c->count, taken = 0, others = 0;
    for (uint32_t i = 0; i < size; i++)
        c->heap[i] = (uint64_t)spans_size(c, i, 1) << 32 | (UINT32_MAX - i);
    heap64(c->heap, size);
    while (size && taken < most) {
        uint32_t which = UINT32_MAX - (uint32_t)c->heap[0];
        uint32_t now = spans_size(c, which, 0), before = (uint32_t)(c->heap[0] >> 32);
        if (interrupted(steps, steps_of(16 * (uint64_t)before))) return 0;
        if (now == before && now >= least) {
            cover_spans(c, which);
            order[taken] = which;
            added[taken++] = now;
        }
        if (now < least) c->others[others++] = which;
        if (now == before || now < least)
            c->heap[0] = c->heap[--size];
        else
            c->heap[0] = (uint64_t)now << 32 | (UINT32_MAX - which);
        if (size) sift64(c->heap, 0, size);
    }
    for (uint32_t i = 0; i < others; i++)
        c->heap[i] = (uint64_t)(UINT32_MAX - spans_size(c, c->others[i], 1)) << 32 | c->others[i];
    if (taken < most) sort64(c->heap, others);
    for (uint32_t i = 0; i < others && taken < most; i++) {
        order[taken] = (uint32_t)c->heap[i];
        added[taken++] = 0;
    }
    return taken;
}
