/* The blocks of the words section (docs/format.md 6.4): the words of all chunks in order, with
 * their postings by rank. */
#include "base/memory.h"
#include "base/sort.h"
#include "build/bit_writer.h"
#include "build/words/words_build.h"

#define MOST_WORDS 65535u /* of a block */
#define LEAST_BITS 65u    /* room that the number of postings in a block may take, with its flag */

/* The words of a file that are taken along. */
typedef struct old_words {
    struct old_words *next;
    const uint32_t *kept;
    words_block block; /* that of the word which comes next, if one waits */
    uint64_t at;       /* where its bits begin, unless it is the first of its block */
    int waits, chosen; /* chosen: it is the word under way */
    word_list list;
} old_words;

struct pocket_words_writer {
    pocket_words_settings settings;
    words_merge merge;
    const uint32_t *numbers;
    old_words *olds, **last_old; /* files whose words are taken along */
    int merge_waits;             /* the word that the chunks gave last, if it waits */
    const uint8_t *merged;
    uint32_t merged_length;
    /* the word under way */
    uint8_t word[TERM_BYTES];
    uint32_t length, counts[WORD_RANKS];
    uint64_t counted, *postings, *scratch; /* postings: (WORD_RANKS - 1 - rank) << 32 | document,
                                             rising */
    uint64_t room, count,
        written; /* written: how many lie in blocks already, of one that goes on */
    uint32_t blocks_back;
    int waits, added; /* added: it came in a chunk without documents */
    /* the block under way */
    uint8_t *vocabulary, *bits, *samples, before[TERM_BYTES];
    uint64_t first, before_first;
    uint32_t words, vocabulary_size, sample_count, before_length;
    bit_writer to;
    uint64_t words_in_all, postings_in_all;
    /* the endings of all words, NULL where they are in no classes, and those that are spelled; that
     * of the word under way */
    const uint32_t *endings;
    const uint8_t *spelled, *own_spelled;
    uint32_t is_spelled, ending; /* is_spelled: the number of an ending that is */
};

/* ---- the word under way ---- */

static int make_room(pocket_words_writer *w, uint64_t need) {
    if (need <= w->room) return 1;
    uint64_t room = w->room ? w->room : 4096;
    while (room < need) room *= 2;
    pocket_free(w->postings);
    pocket_free(w->scratch);
    w->postings = pocket_malloc((size_t)room * sizeof *w->postings);
    w->scratch = pocket_malloc((size_t)room * sizeof *w->scratch);
    w->room = room;
    return w->postings && w->scratch;
}

static uint64_t postings_of(const pocket_words_writer *w) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < w->merge.count; i++) {
        const pocket_chunk_words *c = &w->merge.chunks[w->merge.having[i]];
        uint32_t own = w->merge.next[w->merge.having[i]] - 1;
        count += c->posting_ends[own] - chunk_postings_start(c, own);
    }
    return count;
}

static void put_posting(pocket_words_writer *w, uint32_t rank, uint32_t number) {
    w->counts[rank]++;
    w->postings[w->count++] = (uint64_t)(WORD_RANKS - 1 - rank) << 32 | number;
}

static void read_postings(pocket_words_writer *w, uint32_t chunk) {
    const pocket_chunk_words *c = &w->merge.chunks[chunk];
    uint32_t own = w->merge.next[chunk] - 1;
    if (c->having && c->having[own] > w->counted) w->counted = c->having[own];
    for (uint32_t i = chunk_postings_start(c, own); i < c->posting_ends[own]; i++) {
        uint32_t place = c->postings[i] >> 16, number = c->first + place;
        put_posting(w, word_rank(c->postings[i], c->lengths[place], w->settings.average),
                    w->numbers ? w->numbers[number] : number);
    }
}

/* The postings of the old word that are kept, for which there is room; then go to the next one. */
static uint32_t read_old_postings(pocket_words_writer *w, old_words *o) {
    uint32_t documents[256], rank, count, status;
    if (!o->kept) {
        status = o->list.here == o->list.total ? word_list_pass(&o->list) : POCKET_OK;
    } else {
        while (!(status = word_list_take(&o->list, documents, 256, &rank, &count)) && count)
            for (uint32_t i = 0; i < count; i++)
                if (o->kept[documents[i]] != POCKET_GONE)
                    put_posting(w, rank, o->kept[documents[i]]);
    }
    if (status) return status;
    o->at = o->list.bits.at;
    return words_next(&o->block, &o->waits);
}

/* Make a word the one under way if it comes before that. */
static void choose(pocket_words_writer *w, const uint8_t *word, uint32_t length) {
    if (w->length == 0 || compare_bytes(word, length, w->word, w->length) < 0)
        memcpy(w->word, word, w->length = length);
}

/* Choose the least of the words that wait, and say which have it. */
static void choose_word(pocket_words_writer *w) {
    if (!w->merge_waits)
        w->merge_waits = words_merge_next(&w->merge, &w->merged, &w->merged_length);
    w->length = 0;
    if (w->merge_waits) choose(w, w->merged, w->merged_length);
    for (old_words *o = w->olds; o; o = o->next)
        if (o->waits) choose(w, o->block.word, o->block.word_length);
    for (old_words *o = w->olds; o; o = o->next)
        o->chosen =
            o->waits && !compare_bytes(o->block.word, o->block.word_length, w->word, w->length);
}

/* Read the next word, which may be left without postings; its length is 0 at the end. */
static uint32_t read_any_word(pocket_words_writer *w) {
    uint64_t need = 0;
    uint32_t status;
    choose_word(w);
    w->counted = w->count = w->written = w->blocks_back = 0;
    w->added = 0;
    memset(w->counts, 0, sizeof w->counts);
    int merged = w->merge_waits && !compare_bytes(w->merged, w->merged_length, w->word, w->length);
    if (merged) need = postings_of(w);
    for (old_words *o = w->olds; o; o = o->next) {
        if (!o->chosen) continue;
        if ((status = word_list_begin(&o->list, &o->block, o->block.at > 1 ? o->at : 0)))
            return status;
        if (o->kept) need += o->list.total;
        if (o->list.counted > w->counted) w->counted = o->list.counted;
    }
    if (!make_room(w, need)) return POCKET_NO_MEMORY;
    for (old_words *o = w->olds; o; o = o->next)
        if (o->chosen && (status = read_old_postings(w, o))) return status;
    if (merged) {
        for (uint32_t i = 0; i < w->merge.count; i++) {
            read_postings(w, w->merge.having[i]);
            w->added |= w->merge.chunks[w->merge.having[i]].documents == 0;
        }
        w->merge_waits = 0;
    }
    return POCKET_OK;
}

static void read_ending(pocket_words_writer *w) {
    if (!w->endings) return;
    w->ending = w->endings[w->words_in_all];
    if (w->ending != w->is_spelled) return;
    w->own_spelled = w->spelled;
    w->spelled += 2 + w->spelled[1];
}

/* Read the next word that has postings, or a count that other words do not have, or was added.
 * *more is 0 at the end. */
static uint32_t read_word(pocket_words_writer *w, int *more) {
    uint32_t status;
    do status = read_any_word(w);
    while (!status && w->length && w->count == 0 && w->counted < 2 && !w->added);
    *more = w->length != 0;
    if (status || !*more) return status;
    if (w->count < 64)
        sort64(w->postings, (uint32_t)w->count);
    else
        radix_sort64(w->postings, w->scratch, (uint32_t)w->count, w->numbers ? 0 : 32, 40);
    read_ending(w);
    w->words_in_all++;
    w->postings_in_all += w->count;
    return POCKET_OK;
}

/* ---- its bits ---- */

static uint32_t low_bits(const pocket_words_writer *w, uint64_t posting) {
    return word_low_bits(w->settings.documents, w->counts[WORD_RANKS - 1 - (posting >> 32)]);
}

static uint64_t gap(const pocket_words_writer *w, uint64_t i) {
    uint64_t own = w->postings[i];
    if (i == 0 || w->postings[i - 1] >> 32 != own >> 32) return own & UINT32_MAX;
    return own - w->postings[i - 1] - 1;
}

/* The count less the postings, as a number from 1 on. */
static uint64_t difference(const pocket_words_writer *w) {
    uint64_t counted = w->counted ? w->counted : 1;
    return counted > w->count ? 2 * (counted - w->count) : 1 + 2 * (w->count - counted);
}

/* Up to which rank counts are told: all of them where a title has the word. */
static uint32_t told_ranks(const pocket_words_writer *w) {
    uint32_t ranks = WORD_RANKS;
    while (ranks > WORD_LEVELS && w->counts[ranks - 1] == 0) ranks--;
    return ranks > WORD_LEVELS ? WORD_RANKS : WORD_LEVELS;
}

static uint32_t head_bits(const pocket_words_writer *w) {
    uint32_t bits = 1 + (w->settings.heaviest ? gamma_bits(difference(w)) : 0);
    if (w->endings) bits += gamma_bits(1ull + w->ending);
    if (w->endings && w->ending == w->is_spelled) bits += 8 * (2u + w->own_spelled[1]);
    for (uint32_t rank = told_ranks(w); rank-- > 0;) bits += gamma_bits(w->counts[rank] + 1ull);
    return bits;
}

/* How many postings from one on find room in so many bits, which become those that they take. */
static uint64_t postings_in(const pocket_words_writer *w, uint64_t from, uint64_t *bits) {
    uint64_t used = 0, i = from;
    for (; i < w->count; i++) {
        uint32_t k = low_bits(w, w->postings[i]);
        uint64_t more = k + zeros_bits(gap(w, i) >> k);
        if (used + more > *bits) break;
        used += more;
    }
    *bits = used;
    return i - from;
}

static void put_postings(pocket_words_writer *w, uint64_t from, uint64_t count) {
    for (uint64_t i = from, end; i < from + count; i = end) {
        uint64_t rank = w->postings[i] >> 32;
        uint32_t k = low_bits(w, w->postings[i]);
        for (end = i; end < from + count && w->postings[end] >> 32 == rank; end++)
            put_bits(&w->to, gap(w, end) & ((1ull << k) - 1), k);
        for (uint64_t j = i; j < end; j++) put_zeros(&w->to, gap(w, j) >> k);
    }
}

static void put_head(pocket_words_writer *w) {
    if (w->endings) put_gamma(&w->to, 1ull + w->ending);
    for (uint32_t i = 0; w->endings && w->ending == w->is_spelled && i < 2u + w->own_spelled[1];
         i++)
        put_bits(&w->to, w->own_spelled[i], 8);
    if (w->settings.heaviest) put_gamma(&w->to, difference(w));
    uint32_t ranks = told_ranks(w);
    put_bits(&w->to, ranks > WORD_LEVELS, 1);
    while (ranks-- > 0) put_gamma(&w->to, w->counts[ranks] + 1ull);
}

/* ---- blocks ---- */

/* Bytes of the word in the vocabulary, behind the words that are there. */
static uint32_t shared_bytes(const pocket_words_writer *w) {
    uint32_t shared = 0;
    while (w->words && shared < w->length && shared < w->before_length &&
           w->word[shared] == w->before[shared])
        shared++;
    return shared;
}

static uint32_t vocabulary_bytes(const pocket_words_writer *w) {
    uint32_t shared = shared_bytes(w), more = w->length - shared;
    return 1u + (shared >= 15) + (more >= 15) + more;
}

static void put_vocabulary(pocket_words_writer *w) {
    uint32_t shared = shared_bytes(w), more = w->length - shared;
    uint8_t *to = w->vocabulary + w->vocabulary_size;
    *to++ = (uint8_t)((shared < 15 ? shared : 15) | (more < 15 ? more : 15) << 4);
    if (shared >= 15) *to++ = (uint8_t)shared;
    if (more >= 15) *to++ = (uint8_t)more;
    memcpy(to, w->word + shared, more);
    w->vocabulary_size = (uint32_t)(to + more - w->vocabulary);
    memcpy(w->before, w->word, w->before_length = w->length);
    if (w->words == 0) w->first = first_eight(w->word, w->length);
    if (w->words && w->words % WORDS_PER_SAMPLE == 0)
        store32(w->samples + 4 * w->sample_count++, (uint32_t)w->to.at);
    w->words++;
}

/* Bits that are left for the next word in the block under way; 0 where there are none. */
static uint64_t bits_left(const pocket_words_writer *w) {
    uint64_t fixed =
                 4 + w->vocabulary_size + vocabulary_bytes(w) +
                 4 * (uint64_t)(w->sample_count + (w->words && w->words % WORDS_PER_SAMPLE == 0)),
             room = w->settings.room;
    if (fixed >= room || w->words == MOST_WORDS) return 0;
    return 8 * (room - fixed) > w->to.at ? 8 * (room - fixed) - w->to.at : 0;
}

/* Put the word into the block under way, if there is room for it. */
static int put_word(pocket_words_writer *w) {
    uint64_t left = bits_left(w), head = head_bits(w) + 1;
    if (left < head) return 0;
    left -= head;
    if (postings_in(w, 0, &left) < w->count) return 0;
    put_vocabulary(w);
    put_head(w);
    put_bits(&w->to, 0, 1);
    put_postings(w, 0, w->count);
    return 1;
}

static void begin_block(pocket_words_writer *w) {
    w->words = w->vocabulary_size = w->sample_count = w->before_length = 0;
    w->to = (bit_writer){w->bits, 0};
    memset(w->bits, 0, w->settings.room + 16);
}

static void end_block(pocket_words_writer *w, uint8_t *block, uint64_t *length, uint64_t *first) {
    uint64_t at = 4 + w->vocabulary_size + 4 * (uint64_t)w->sample_count, bits = (w->to.at + 7) / 8;
    store16(block, w->words);
    store16(block + 2, w->vocabulary_size);
    memcpy(block + 4, w->vocabulary, w->vocabulary_size);
    memcpy(block + 4 + w->vocabulary_size, w->samples, 4 * (size_t)w->sample_count);
    memcpy(block + at, w->bits, (size_t)bits);
    *length = at + bits;
    *first = w->first;
    begin_block(w);
}

/* The first block of a word that goes on, which it has for itself. */
static void begin_long(pocket_words_writer *w, uint8_t *block, uint64_t *length, uint64_t *first) {
    uint64_t left = bits_left(w) - head_bits(w) - LEAST_BITS;
    w->written = postings_in(w, 0, &left);
    put_vocabulary(w);
    put_head(w);
    put_bits(&w->to, 1, 1);
    put_gamma(&w->to, 1 + w->written);
    put_postings(w, 0, w->written);
    w->blocks_back = 1;
    end_block(w, block, length, first);
}

static void go_on(pocket_words_writer *w, uint8_t *block, uint64_t *length, uint64_t *first) {
    uint64_t left = 8 * (uint64_t)(w->settings.room - WORD_GOES_ON), from = w->written,
             count = postings_in(w, from, &left);
    int begun = w->postings[from] >> 32 == w->postings[from - 1] >> 32;
    put_postings(w, from, count);
    memset(block, 0, 4);
    store32(block + 4, w->blocks_back++);
    store32(block + 8, (uint32_t)from);
    store32(block + 12, (uint32_t)count);
    store32(block + 16, begun ? (uint32_t)w->postings[from - 1] + 1 : 0);
    memcpy(block + WORD_GOES_ON, w->bits, (size_t)(w->to.at + 7) / 8);
    *length = WORD_GOES_ON + (w->to.at + 7) / 8;
    *first = first_eight(w->word, w->length);
    w->written += count;
    w->waits = w->written < w->count;
    begin_block(w);
}

pocket_status pocket_words_write(pocket_words_writer *w, uint8_t *block, uint64_t *length,
                                 uint64_t *first) {
    *length = 0;
    if (w->waits && w->written) return go_on(w, block, length, first), POCKET_OK;
    for (;;) {
        int more = 1;
        uint32_t status = w->waits ? POCKET_OK : read_word(w, &more);
        if (status) return status;
        w->waits = more && !put_word(w);
        if (more && !w->waits) continue;
        if (w->words)
            end_block(w, block, length, first);
        else if (more)
            begin_long(w, block, length, first);
        return POCKET_OK;
    }
}

pocket_status pocket_words_writer_begin(const pocket_chunk_words *chunks, uint32_t count,
                                        const pocket_words_settings *settings,
                                        const uint32_t *numbers, pocket_words_writer **writer) {
    pocket_words_writer *w = pocket_malloc(sizeof *w);
    size_t room = settings->room;
    *writer = NULL;
    if (!w) return POCKET_NO_MEMORY;
    memset(w, 0, sizeof *w);
    w->settings = *settings;
    w->numbers = numbers;
    w->last_old = &w->olds;
    w->vocabulary = pocket_malloc(3 * (room + 256));
    if (!w->vocabulary || !words_merge_begin(&w->merge, chunks, count)) {
        pocket_free(w->vocabulary);
        pocket_free(w);
        return POCKET_NO_MEMORY;
    }
    w->samples = w->vocabulary + room + 256;
    w->bits = w->samples + room + 256;
    begin_block(w);
    *writer = w;
    return POCKET_OK;
}

void pocket_words_writer_forms(pocket_words_writer *w, const uint32_t *endings, uint32_t is_spelled,
                               const uint8_t *spelled) {
    w->endings = endings;
    w->is_spelled = is_spelled;
    w->spelled = spelled;
}

pocket_status pocket_words_writer_names(pocket_words_writer *w, uint8_t *bytes, uint64_t *ends,
                                        uint32_t *having, uint32_t room, uint32_t *count) {
    uint32_t size = 0;
    int more = 1;
    for (*count = 0; *count < room; ++*count) {
        uint32_t status = read_word(w, &more);
        if (status || !more) return status;
        memcpy(bytes + size, w->word, w->length);
        ends[*count] = size += w->length;
        having[*count] = (uint32_t)w->count;
    }
    return POCKET_OK;
}

pocket_status pocket_words_writer_take(pocket_words_writer *w, const pocket_index *old,
                                       const uint32_t *kept, pocket_error *error) {
    old_words *o = pocket_malloc(sizeof *o);
    if (!o) return POCKET_NO_MEMORY;
    memset(o, 0, sizeof *o);
    o->kept = kept;
    *w->last_old = o;
    w->last_old = &o->next;
    return words_seek(&o->block, old, w->word, 0, &o->waits, error);
}

void pocket_words_writer_end(pocket_words_writer *w, uint64_t *words, uint64_t *postings) {
    *words = w->words_in_all;
    *postings = w->postings_in_all;
    words_merge_end(&w->merge);
    for (old_words *o = w->olds, *next; o; o = next) {
        next = o->next;
        pocket_free(o);
    }
    pocket_free(w->vocabulary);
    pocket_free(w->postings);
    pocket_free(w->scratch);
    pocket_free(w);
}
