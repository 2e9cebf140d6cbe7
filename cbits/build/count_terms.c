/* The distinct terms of many texts, as hashes with counts: what weights are learned from, and what
 * texts are compared by. */
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/asking.h"
#include "text/prefix.h"
#include "text/terms.h"

/* The rows under way, and an open-addressed table of the current text's terms: 0 is free, else 1 +
 * place in the row. */
typedef struct counter {
    pocket_term_row *rows;
    uint32_t *slots;
    uint64_t room, used, start;
    uint32_t slot_count;
} counter;

static int place(counter *c, uint64_t hash, uint32_t **slot) {
    uint32_t i = (uint32_t)hash & (c->slot_count - 1);
    for (; c->slots[i] != 0; i = (i + 1) & (c->slot_count - 1)) {
        *slot = &c->slots[i];
        if (c->rows[c->start + c->slots[i] - 1].whole == hash) return 1;
    }
    *slot = &c->slots[i];
    return 0;
}

static int grow_rows(counter *c) {
    pocket_term_row *rows = pocket_malloc(2 * c->room * sizeof *rows);
    if (!rows) return 0;
    memcpy(rows, c->rows, c->used * sizeof *rows);
    pocket_free(c->rows);
    c->rows = rows;
    c->room *= 2;
    return 1;
}

static int grow_slots(counter *c) {
    uint32_t *slots = pocket_malloc(2ull * c->slot_count * sizeof *slots), *slot;
    if (!slots) return 0;
    pocket_free(c->slots);
    c->slots = slots;
    c->slot_count *= 2;
    memset(slots, 0, c->slot_count * sizeof *slots);
    for (uint64_t i = c->start; i < c->used; i++) {
        place(c, c->rows[i].whole, &slot);
        *slot = (uint32_t)(i - c->start) + 1;
    }
    return 1;
}

static int add(counter *c, const term_stream *term, uint32_t prefix) {
    uint64_t whole = murmur_padded(term->bytes, term->length);
    uint32_t *slot;
    if (place(c, whole, &slot)) {
        c->rows[c->start + *slot - 1].count++;
        return 1;
    }
    if (c->used == c->room && !grow_rows(c)) return 0;
    c->rows[c->used++] = (pocket_term_row){
        whole, prefix ? prefix_hash(term->bytes, term->length, prefix) : whole, 1, 0};
    *slot = (uint32_t)(c->used - c->start);
    return 2 * (c->used - c->start) < c->slot_count || grow_slots(c);
}

pocket_status pocket_count_terms(const uint8_t *texts, const uint64_t *ends, size_t count,
                                 uint32_t stream, uint32_t prefix, uint64_t *row_ends,
                                 pocket_term_row **rows, pocket_interrupt ask) {
    if (stream < STREAM_FOLDED || stream > STREAM_EVERY_MARKED || stream == STREAM_WORDS)
        return POCKET_BAD_ARGUMENT;
    counter c = {pocket_malloc(4096 * sizeof *c.rows),
                 pocket_malloc(1024 * sizeof *c.slots),
                 4096,
                 0,
                 0,
                 1024};
    asking a;
    meter m = meter_asking(&a, ask);
    uint64_t start = 0;
    int ok = c.rows && c.slots;
    for (size_t i = 0; ok && !m.ended && i < count; start = ends[i++]) {
        term_stream terms;
        c.start = c.used;
        memset(c.slots, 0, c.slot_count * sizeof *c.slots);
        term_stream_begin(&terms, texts + start, ends[i] - start, stream);
        terms.meter = &m;
        while (ok && term_stream_next(&terms)) ok = add(&c, &terms, prefix);
        row_ends[i] = c.used;
    }
    pocket_free(c.slots);
    if (!ok || m.ended) pocket_free(c.rows);
    *rows = ok && !m.ended ? c.rows : NULL;
    if (m.ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}
