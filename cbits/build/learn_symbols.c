/* The symbol table of a documents section (docs/format.md, section 5), learned from a sample, and
 * records packed with it. After Boncz, Neumann and Leis, FSST: Fast Random Access String
 * Compression (PVLDB 13, 2020), section 4; records are cut into the fewest bytes, not from left to
 * right. */
#include "build/pocket_build.h"

#include "base/memory.h"
#include "file/stored/symbols.h"

enum {
    ROUNDS = 6,
    PIECES = 256 + SYMBOLS
}; /* pieces of a text: the byte b is piece b, a symbol is piece 256 + its code */

typedef struct symbol {
    uint64_t bytes,
        gain; /* bytes: the first is the highest, so that numbers are in the order of strings */
    uint32_t length;
} symbol;

/* Symbols in order of their bytes, so those of a first byte are neighbours. */
typedef struct table {
    symbol symbols[SYMBOLS];
    uint32_t count, from[257];
} table;

/* Scratch for cutting a record: what the rest from here on costs, and the piece that is taken here.
 */
typedef struct cutting {
    uint32_t *cost;
    uint16_t *piece;
} cutting;

static uint64_t high(const uint8_t *bytes, uint32_t length) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < length; i++) value |= (uint64_t)bytes[i] << (56 - 8 * i);
    return value;
}

static void index_table(table *t) {
    uint32_t at = 0;
    for (uint32_t first = 0; first <= 256; first++) {
        while (at < t->count && t->symbols[at].bytes >> 56 < first) at++;
        t->from[first] = at;
    }
}

/* The fewest bytes for a record; among equals the longest piece first. */
static void cut(const table *t, const uint8_t *bytes, uint32_t length, cutting *c) {
    c->cost[length] = 0;
    uint64_t ahead = 0;
    for (uint32_t i = length; i-- > 0;) {
        ahead = ahead >> 8 | (uint64_t)bytes[i] << 56;
        uint32_t least = c->cost[i + 1] + 2, longest = 1;
        c->piece[i] = bytes[i];
        for (uint32_t s = t->from[bytes[i]], end = t->from[bytes[i] + 1]; s < end; s++) {
            const symbol *one = &t->symbols[s];
            if (one->length > length - i || (ahead ^ one->bytes) >> (64 - 8 * one->length))
                continue;
            uint32_t cost = c->cost[i + one->length] + 1;
            if (cost > least || (cost == least && one->length <= longest)) continue;
            least = cost;
            longest = one->length;
            c->piece[i] = (uint16_t)(256 + s);
        }
        c->cost[i] = least;
    }
}

static symbol piece_of(const table *t, uint32_t piece) {
    if (piece >= 256) return t->symbols[piece - 256];
    return (symbol){(uint64_t)piece << 56, 0, 1};
}

static int by_bytes(const void *a, const void *b) {
    const symbol *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return (x->length > y->length) - (x->length < y->length);
}

static int by_gain(const void *a, const void *b) {
    const symbol *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return by_bytes(a, b);
}

/* Symbols, bytes and pairs of them by how many bytes they stand for in the sample: the best become
 * the table. */
static void choose(table *t, const uint32_t *ones, const uint32_t *pairs, symbol *candidates) {
    size_t count = 0, kept = 0;
    for (uint32_t a = 0; a < 256 + t->count; a++) {
        symbol left = piece_of(t, a);
        /* A byte without a symbol costs two bytes: single ones count for more, as in the paper. */
        left.gain = (uint64_t)ones[a] * left.length * (left.length == 1 ? 4 : 1);
        if (ones[a]) candidates[count++] = left;
        for (uint32_t b = 0; ones[a] && b < 256 + t->count; b++) {
            uint32_t pair = pairs[a * PIECES + b];
            symbol right = piece_of(t, b);
            if (pair < 2 || left.length + right.length > SYMBOL_BYTES) continue;
            uint32_t length = left.length + right.length;
            candidates[count++] = (symbol){left.bytes | right.bytes >> 8 * left.length,
                                           (uint64_t)pair * length, length};
        }
    }
    qsort(candidates, count, sizeof *candidates, by_bytes);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_bytes(&candidates[kept - 1], &candidates[i]) == 0)
            candidates[kept - 1].gain += candidates[i].gain;
        else
            candidates[kept++] = candidates[i];
    }
    qsort(candidates, kept, sizeof *candidates, by_gain);
    /* A symbol has to earn its bytes in the table. */
    for (t->count = 0;
         t->count < kept && t->count < SYMBOLS && candidates[t->count].gain > 2 * SYMBOL_BYTES;
         t->count++)
        t->symbols[t->count] = candidates[t->count];
    qsort(t->symbols, t->count, sizeof *t->symbols, by_bytes);
    index_table(t);
}

static void read_table(table *t, const uint8_t *layout, uint32_t count) {
    const uint8_t *at = layout + count;
    t->count = count;
    for (uint32_t i = 0; i < count; at += layout[i++])
        t->symbols[i] = (symbol){high(at, layout[i]), 0, layout[i]};
    index_table(t);
}

static int make_room(cutting *c, const uint64_t *ends, size_t count) {
    uint64_t longest = 0, before = 0;
    for (size_t i = 0; i < count; before = ends[i++])
        if (ends[i] - before > longest) longest = ends[i] - before;
    c->cost = pocket_malloc((size_t)(longest + 1) * (sizeof *c->cost + sizeof *c->piece));
    c->piece = (uint16_t *)(c->cost + (c->cost ? longest + 1 : 0));
    return c->cost != NULL;
}

pocket_status pocket_symbols_learn(const uint8_t *records, const uint64_t *ends, size_t count,
                                   uint8_t *layout, uint32_t *symbols) {
    enum { MOST_CANDIDATES = PIECES * PIECES + PIECES };
    table *t = pocket_malloc(sizeof *t);
    uint32_t *counts = pocket_malloc((PIECES + PIECES * PIECES) * sizeof *counts),
             *pairs = counts + PIECES;
    symbol *candidates = pocket_malloc(MOST_CANDIDATES * sizeof *candidates);
    cutting c;
    int ready = make_room(&c, ends, count) && t && counts && candidates;
    if (ready) {
        t->count = 0;
        index_table(t);
        for (int round = 0; round < ROUNDS; round++) {
            memset(counts, 0, (PIECES + PIECES * PIECES) * sizeof *counts);
            uint64_t start = 0;
            for (size_t i = 0; i < count; start = ends[i++]) {
                const uint8_t *record = records + start;
                uint32_t length = (uint32_t)(ends[i] - start), before = PIECES;
                cut(t, record, length, &c);
                for (uint32_t at = 0; at < length; at += piece_of(t, before).length) {
                    uint32_t piece = c.piece[at];
                    counts[piece]++;
                    if (before < PIECES) pairs[before * PIECES + piece]++;
                    before = piece;
                }
            }
            choose(t, counts, pairs, candidates);
        }
        *symbols = t->count;
        uint8_t *at = layout + t->count;
        for (uint32_t i = 0; i < t->count; i++) {
            layout[i] = (uint8_t)t->symbols[i].length;
            for (uint32_t k = 0; k < t->symbols[i].length; k++)
                *at++ = (uint8_t)(t->symbols[i].bytes >> (56 - 8 * k));
        }
    }
    pocket_free(c.cost);
    pocket_free(candidates);
    pocket_free(counts);
    pocket_free(t);
    return ready ? POCKET_OK : POCKET_NO_MEMORY;
}

pocket_status pocket_records_pack(const uint8_t *layout, uint32_t symbols, const uint8_t *records,
                                  const uint64_t *ends, size_t count, uint8_t *out,
                                  uint64_t *out_ends) {
    table *t = pocket_malloc(sizeof *t);
    cutting c;
    int ready = make_room(&c, ends, count) && t;
    if (ready) read_table(t, layout, symbols);
    uint8_t *to = out;
    uint64_t start = 0;
    for (size_t i = 0; ready && i < count; start = ends[i++]) {
        uint32_t length = (uint32_t)(ends[i] - start);
        cut(t, records + start, length, &c);
        for (uint32_t at = 0; at < length;) {
            uint32_t piece = c.piece[at];
            if (piece < 256) *to++ = SYMBOL_LITERAL;
            *to++ = (uint8_t)(piece < 256 ? piece : piece - 256);
            at += piece < 256 ? 1 : t->symbols[piece - 256].length;
        }
        *to++ = SYMBOL_END;
        out_ends[i] = (uint64_t)(to - out);
    }
    pocket_free(c.cost);
    pocket_free(t);
    return ready ? POCKET_OK : POCKET_NO_MEMORY;
}
