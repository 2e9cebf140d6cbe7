/* The words of a chunk of documents, each with the documents that have it (docs/format.md 6.4). */
#include "base/byte_strings.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/asking.h"
#include "build/words/words_build.h"
#include "text/word_stream.h"

#define MOST_PLACES 65536u /* documents of a chunk */

typedef struct word {
    uint64_t hash, first; /* first: its first eight bytes, the first one highest */
    uint32_t start, length;
    uint32_t times, in_title; /* in the document under way */
} word;

/* A posting of a word (words_build.h). */
typedef struct entry {
    uint32_t word, posting;
} entry;

struct pocket_words {
    uint32_t title_weight, stream;
    asking asking;
    meter meter;
    word *words;
    uint8_t *bytes;
    uint32_t *slots; /* an open-addressed table: 0 is free, else 1 + word */
    uint32_t *own;   /* the words of the document under way */
    entry *entries;
    uint32_t *lengths;
    uint64_t word_room, byte_room, own_room, entry_room, length_room;
    uint64_t word_count, byte_count, own_count, entry_count, length_count, slot_count;
    uint32_t *order, *word_ends, *posting_ends, *postings; /* when it is finished */
    uint8_t *sorted;
};

static int make_room(void **memory, uint64_t *room, uint64_t need, size_t size) {
    uint64_t more = *room ? *room : 1024;
    if (need <= *room) return 1;
    while (more < need) more *= 2;
    void *grown = more * size > SIZE_MAX ? NULL : pocket_malloc((size_t)(more * size));
    if (!grown) return 0;
    if (*room) memcpy(grown, *memory, (size_t)(*room * size));
    pocket_free(*memory);
    *memory = grown;
    *room = more;
    return 1;
}
#define ROOM(w, list, room, need) \
    make_room((void **)&(w)->list, &(w)->room, need, sizeof *(w)->list)

static uint32_t *slot_of(const pocket_words *w, uint64_t hash, const uint8_t *bytes,
                         uint32_t length) {
    for (uint64_t i = hash & (w->slot_count - 1);; i = (i + 1) & (w->slot_count - 1)) {
        if (w->slots[i] == 0) return &w->slots[i];
        const word *other = &w->words[w->slots[i] - 1];
        if (other->hash == hash && other->length == length &&
            !memcmp(w->bytes + other->start, bytes, length))
            return &w->slots[i];
    }
}

static int grow_slots(pocket_words *w) {
    uint64_t count = w->slot_count ? 2 * w->slot_count : 4096;
    uint32_t *slots = pocket_malloc((size_t)count * sizeof *slots);
    if (!slots) return 0;
    memset(slots, 0, (size_t)count * sizeof *slots);
    pocket_free(w->slots);
    w->slots = slots;
    w->slot_count = count;
    for (uint64_t i = 0; i < w->word_count; i++) {
        const word *own = &w->words[i];
        *slot_of(w, own->hash, w->bytes + own->start, own->length) = (uint32_t)i + 1;
    }
    return 1;
}

static int add_word(pocket_words *w, const word_stream *t, uint64_t hash, uint32_t *slot) {
    uint64_t first = first_eight(t->bytes, t->length);
    if (w->byte_count + t->length > UINT32_MAX || !ROOM(w, words, word_room, w->word_count + 1) ||
        !ROOM(w, bytes, byte_room, w->byte_count + t->length))
        return 0;
    memcpy(w->bytes + w->byte_count, t->bytes, t->length);
    w->words[w->word_count] = (word){hash, first, (uint32_t)w->byte_count, t->length, 0, 0};
    w->byte_count += t->length;
    *slot = (uint32_t)++w->word_count;
    return 1;
}

/* title: IN_TITLE where the text is one. */
static int add_text(pocket_words *w, const uint8_t *text, uint64_t length, uint32_t title,
                    uint32_t *terms) {
    uint32_t weight = title ? w->title_weight : 1;
    word_stream t;
    word_stream_begin(&t, text, length, w->stream, &w->meter);
    while (word_stream_next(&t)) {
        if (2 * w->word_count >= w->slot_count && !grow_slots(w)) return 0;
        uint64_t hash = murmur(t.bytes, t.length);
        uint32_t *slot = slot_of(w, hash, t.bytes, t.length);
        if (*slot == 0 && !add_word(w, &t, hash, slot)) return 0;
        word *own = &w->words[*slot - 1];
        if (own->times == 0) {
            if (!ROOM(w, own, own_room, w->own_count + 1)) return 0;
            w->own[w->own_count++] = *slot - 1;
        }
        own->times = own->times > MOST_TIMES - weight ? MOST_TIMES : own->times + weight;
        if (title && !own->in_title && t.kind != WORD_SPELLING &&
            *terms >> LENGTH_BITS < TITLE_WORDS)
            *terms += 1u << LENGTH_BITS;
        own->in_title |= title;
        *terms += t.kind == WORD_WHOLE;
    }
    return 1;
}

static int end_document(pocket_words *w, uint32_t terms) {
    uint32_t place = (uint32_t)w->length_count;
    if (!ROOM(w, entries, entry_room, w->entry_count + w->own_count) ||
        !ROOM(w, lengths, length_room, w->length_count + 1))
        return 0;
    for (uint64_t i = 0; i < w->own_count; i++) {
        word *own = &w->words[w->own[i]];
        w->entries[w->entry_count++] = (entry){w->own[i], place << 16 | own->in_title | own->times};
        own->times = own->in_title = 0;
    }
    w->own_count = 0;
    w->lengths[w->length_count++] = terms;
    return 1;
}

pocket_status pocket_words_begin(uint32_t title_weight, uint32_t stream, pocket_interrupt ask,
                                 pocket_words **words) {
    *words = pocket_malloc(sizeof **words);
    if (!*words) return POCKET_NO_MEMORY;
    memset(*words, 0, sizeof **words);
    (*words)->title_weight = title_weight;
    (*words)->stream = every_word_of(stream);
    (*words)->meter = meter_asking(&(*words)->asking, ask);
    return POCKET_OK;
}

pocket_status pocket_words_add(pocket_words *w, const uint8_t *texts, const uint64_t *ends,
                               const uint8_t *titles, const uint64_t *title_ends, size_t count) {
    uint64_t start = 0, title_start = 0;
    if (count > MOST_PLACES - w->length_count) return POCKET_BAD_ARGUMENT;
    for (size_t i = 0; i < count; start = ends[i], title_start = title_ends[i], i++) {
        uint32_t terms = 0;
        if (!add_text(w, texts + start, ends[i] - start, 0, &terms) ||
            (w->title_weight &&
             !add_text(w, titles + title_start, title_ends[i] - title_start, IN_TITLE, &terms)) ||
            !end_document(w, terms))
            return POCKET_NO_MEMORY;
        if (w->meter.ended) return POCKET_INTERRUPTED;
    }
    return POCKET_OK;
}

/* ---- in the order of their bytes ---- */

static int comes_before(const pocket_words *w, uint32_t a, uint32_t b) {
    const word *one = &w->words[a], *other = &w->words[b];
    if (one->first != other->first) return one->first < other->first;
    return compare_bytes(w->bytes + one->start, one->length, w->bytes + other->start,
                         other->length) < 0;
}

/* Merge sort, from pieces of one on. */
static int sort_words(pocket_words *w) {
    uint32_t count = (uint32_t)w->word_count, *from = w->order;
    uint32_t *scratch = pocket_malloc(((size_t)count + 1) * sizeof *scratch), *to = scratch;
    if (!scratch) return 0;
    for (uint32_t i = 0; i < count; i++) from[i] = i;
    for (uint64_t size = 1; size < count && !w->meter.ended; size *= 2) {
        for (uint64_t start = 0; start < count; start += 2 * size) {
            uint64_t middle = start + size < count ? start + size : count,
                     end = middle + size < count ? middle + size : count, a = start, b = middle;
            for (uint64_t i = start; i < end && !interrupted(&w->meter, 1); i++)
                to[i] = b == end || (a < middle && comes_before(w, from[a], from[b])) ? from[a++]
                                                                                      : from[b++];
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from == scratch && count) memcpy(w->order, scratch, count * sizeof *scratch);
    pocket_free(scratch);
    return 1;
}

/* Postings of a word by place: they were added so. */
static void place_postings(pocket_words *w, uint32_t *ranks) {
    uint32_t count = (uint32_t)w->word_count, sum = 0;
    memset(w->posting_ends, 0, count * sizeof *w->posting_ends);
    for (uint32_t i = 0; i < count; i++) ranks[w->order[i]] = i;
    for (uint64_t i = 0; i < w->entry_count; i++) w->posting_ends[ranks[w->entries[i].word]]++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = w->posting_ends[i];
        w->posting_ends[i] = sum;
        sum += own;
    }
    for (uint64_t i = 0; i < w->entry_count; i++)
        w->postings[w->posting_ends[ranks[w->entries[i].word]]++] = w->entries[i].posting;
}

pocket_status pocket_words_finish(pocket_words *w, pocket_chunk_words *out) {
    size_t count = (size_t)w->word_count;
    uint32_t at = 0, *ranks = pocket_malloc((count + 1) * sizeof *ranks);
    if (w->entry_count > UINT32_MAX) {
        pocket_free(ranks);
        return POCKET_NO_MEMORY;
    }
    w->order = pocket_malloc((3 * count + 1) * sizeof *w->order);
    w->postings = pocket_malloc(((size_t)w->entry_count + 1) * sizeof *w->postings);
    w->sorted = pocket_malloc((size_t)w->byte_count + 1);
    int ok = ranks && w->order && w->postings && w->sorted && sort_words(w) && !w->meter.ended;
    if (ok) {
        w->word_ends = w->order + count;
        w->posting_ends = w->word_ends + count;
        for (size_t i = 0; i < count; i++) {
            const word *own = &w->words[w->order[i]];
            memcpy(w->sorted + at, w->bytes + own->start, own->length);
            w->word_ends[i] = at += own->length;
        }
        place_postings(w, ranks);
        *out = (pocket_chunk_words){
            w->sorted,  w->word_ends, w->posting_ends, w->postings,
            w->lengths, NULL,         (uint32_t)count, (uint32_t)w->length_count,
            0};
    }
    pocket_free(ranks);
    if (w->meter.ended) return POCKET_INTERRUPTED;
    return ok ? POCKET_OK : POCKET_NO_MEMORY;
}

void pocket_words_free(pocket_words *w) {
    if (!w) return;
    pocket_free(w->words);
    pocket_free(w->bytes);
    pocket_free(w->slots);
    pocket_free(w->own);
    pocket_free(w->entries);
    pocket_free(w->lengths);
    pocket_free(w->order);
    pocket_free(w->postings);
    pocket_free(w->sorted);
    pocket_free(w);
}
