/* The shingle sets of texts: each text's shingles once, as hashes, rising. Texts are compared by
 * them exactly, as far as 64 bits tell shingles apart. */
#include "base/array.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "build/asking.h"
#include "text/shingles.h"
#include "text/terms.h"

#define FEW 24u /* hashes that are put in order one by one */
#define HASH_BITS 64u

typedef struct hashes {
    uint64_t *values, *scratch;
    uint32_t room, scratch_room, used;
} hashes;

static void insertion_sort(uint64_t *a, uint32_t size) {
    for (uint32_t i = 1; i < size; i++) {
        uint64_t value = a[i];
        uint32_t j = i;
        for (; j > 0 && a[j - 1] > value; j--) a[j] = a[j - 1];
        a[j] = value;
    }
}

/* Radix sort by so many high bits that few hashes agree in them, and then each such few. */
static void sort_hashes(uint64_t *a, uint64_t *scratch, uint32_t size) {
    uint32_t bits = 8;
    if (size <= FEW) {
        insertion_sort(a, size);
        return;
    }
    while (bits < 32 && size >> bits > 1) bits += 8;
    radix_sort64(a, scratch, size, HASH_BITS - bits, HASH_BITS);
    for (uint32_t start = 0, end; start < size; start = end) {
        for (end = start + 1;
             end < size && a[end] >> (HASH_BITS - bits) == a[start] >> (HASH_BITS - bits); end++) {
        }
        if (end - start <= FEW)
            insertion_sort(a + start, end - start);
        else
            sort64(a + start, end - start);
    }
}

static int is_number_or_letter(const term_stream *t) {
    if (t->length == 1) return 1;
    for (uint32_t i = 0; i < t->length; i++)
        if ((uint32_t)t->bytes[i] - '0' > 9) return 0;
    return 1;
}

static int is_one_of(uint8_t byte, const char *bytes) {
    return byte && strchr(bytes, byte) != NULL;
}

/* The hash of a term, and of the signs of arithmetic before it. They count between numbers and
 * single letters of one line, with nothing but brackets and spaces beside them: elsewhere a hyphen,
 * a mark of quotation or a rule of equal signs is a matter of layout. */
static uint64_t term_hash(const term_stream *t, const uint8_t *before, int *plain) {
    uint64_t hash = murmur(t->bytes, t->length), signs = 0;
    int was_plain = *plain;
    *plain = is_number_or_letter(t);
    if (!was_plain || !*plain || !before) return hash;
    for (const uint8_t *at = before; at < t->term; at++) {
        if (is_one_of(*at, "+-*/=<>^%"))
            signs = mix64(signs + *at);
        else if (!is_one_of(*at, " ()[]"))
            return hash;
    }
    return signs ? mix64(hash + signs) : hash;
}

static int add(hashes *h, uint64_t hash) {
    uint64_t *grown = array_grow(h->values, &h->room, h->used, h->used + 1, sizeof *grown);
    if (!grown) return 0;
    h->values = grown;
    h->values[h->used++] = hash;
    return 1;
}

/* The shingles of a text behind those that there are, not in order yet. */
static int add_text(hashes *h, const uint8_t *text, uint64_t length, uint32_t size, meter *steps,
                    uint32_t *terms) {
    term_stream t;
    shingle last = {.size = size};
    const uint8_t *before = NULL;
    uint64_t hash = 0;
    int plain = 0;
    *terms = 0;
    term_stream_begin(&t, text, length, STREAM_EVERY_WORD);
    t.meter = steps;
    while (term_stream_next(&t)) {
        hash = shingle_push(&last, term_hash(&t, before, &plain));
        before = t.term_end;
        *terms += *terms < UINT32_MAX;
        if (last.filled == last.size && !add(h, hash)) return 0;
    }
    return last.filled == 0 || last.filled == last.size || add(h, hash);
}

/* Put the hashes from start on in order, each once. */
static int settle(hashes *h, uint32_t start) {
    uint32_t size = h->used - start, to = start;
    uint64_t *scratch = array_grow(h->scratch, &h->scratch_room, 0, size, sizeof *scratch);
    if (!scratch && size) return 0;
    h->scratch = scratch;
    sort_hashes(h->values + start, scratch, size);
    for (uint32_t i = start; i < h->used; i++)
        if (i == start || h->values[i] != h->values[i - 1]) h->values[to++] = h->values[i];
    h->used = to;
    return 1;
}

pocket_status pocket_shingle_sets(const uint8_t *texts, const uint64_t *ends, size_t count,
                                  uint32_t size, uint64_t *set_ends, uint32_t *terms,
                                  uint64_t **sets, pocket_interrupt ask) {
    asking a;
    meter m = meter_asking(&a, ask);
    hashes h = {NULL, NULL, 0, 0, 0};
    uint64_t start = 0;
    int ok = 1;
    *sets = NULL;
    if (size < 1 || size > SHINGLE_TERMS) return POCKET_BAD_ARGUMENT;
    for (size_t i = 0; ok && !m.ended && i < count; start = ends[i++]) {
        uint32_t before = h.used;
        ok =
            add_text(&h, texts + start, ends[i] - start, size, &m, &terms[i]) && settle(&h, before);
        set_ends[i] = h.used;
    }
    pocket_free(h.scratch);
    if (!ok || m.ended)
        pocket_free(h.values);
    else
        *sets = h.values;
    if (m.ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}
