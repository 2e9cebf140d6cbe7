/* The shingles of texts that stand in the passages section (docs/format.md 6.3): those that
 * winnowing keeps, each once a text. */
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "build/asking.h"
#include "text/terms.h"
#include "text/winnowing.h"

typedef struct kept {
    uint64_t *keys;
    uint64_t room, used;
    meter *meter;
} kept;

static int add(kept *k, uint64_t key) {
    if (k->used == k->room) {
        uint64_t *keys = pocket_malloc(2 * k->room * sizeof *keys);
        if (!keys) return 0;
        memcpy(keys, k->keys, k->used * sizeof *keys);
        pocket_free(k->keys);
        k->keys = keys;
        k->room *= 2;
    }
    k->keys[k->used++] = key;
    return 1;
}

static int add_text(kept *k, const uint8_t *text, uint64_t length, uint32_t stream, uint32_t terms,
                    uint32_t window_size) {
    term_stream t;
    shingle last = {.size = terms};
    window w;
    uint64_t hash;
    int ok = 1;
    term_stream_begin(&t, text, length, stream);
    t.meter = k->meter;
    window_begin(&w, window_size);
    while (ok && term_stream_next(&t)) {
        hash = shingle_push(&last, murmur_padded(t.bytes, t.length));
        if (last.filled == last.size && window_push(&w, &hash)) ok = add(k, hash);
    }
    return ok && (!window_end(&w, &hash) || add(k, hash));
}

static void sort_distinct(kept *k, uint64_t start) {
    uint64_t to = start;
    sort64(k->keys + start, (uint32_t)(k->used - start));
    for (uint64_t i = start; i < k->used; i++)
        if (i == start || k->keys[i] != k->keys[i - 1]) k->keys[to++] = k->keys[i];
    k->used = to;
}

pocket_status pocket_shingle_keys(const uint8_t *texts, const uint64_t *ends, size_t count,
                                  uint32_t stream, uint32_t terms, uint32_t window_size,
                                  uint64_t *key_ends, uint64_t **keys, pocket_interrupt ask) {
    asking a;
    meter m = meter_asking(&a, ask);
    kept k = {pocket_malloc(4096 * sizeof *k.keys), 4096, 0, &m};
    uint64_t start = 0;
    int ok = k.keys != NULL;
    *keys = NULL;
    if (terms < 1 || terms > SHINGLE_TERMS || window_size < 1 || window_size > MOST_WINDOW) {
        pocket_free(k.keys);
        return POCKET_BAD_ARGUMENT;
    }
    for (size_t i = 0; ok && !m.ended && i < count; start = ends[i++]) {
        uint64_t before = k.used;
        ok =
            add_text(&k, texts + start, ends[i] - start, every_word_of(stream), terms, window_size);
        if (ok) sort_distinct(&k, before);
        key_ends[i] = k.used;
    }
    if (ok && !m.ended)
        *keys = k.keys;
    else
        pocket_free(k.keys);
    if (m.ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}
