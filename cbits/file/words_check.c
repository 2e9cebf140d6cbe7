/* Everything that docs/format.md 6.4 says of the words section, checked. */
#include "base/memory.h"
#include "base/utf8.h"
#include "file/words.h"

#define POSTINGS_AT_ONCE 256u /* postings */

typedef struct word_check {
    words_block block;
    word_list list;
    uint8_t *seen; /* a bit a document */
    uint8_t before[TERM_BYTES];
    uint32_t before_length;
    uint64_t words, postings;
    meter steps;
    pocket_error *error;
} word_check;

static uint32_t word_wrong(const word_check *c, uint32_t block, const char *field,
                           uint64_t expected, uint64_t found) {
    return fail(c->error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

/* No more bytes than the postings need, and zeros behind them. */
static uint32_t check_end(const word_check *c, uint32_t block, const bit_stream *bits) {
    if ((bits->at + 7) / 8 != bits->length)
        return word_wrong(c, block, "bytes of the postings", (bits->at + 7) / 8, bits->length);
    uint64_t rest = bits_from(bits, bits->at);
    return rest == 0 ? POCKET_OK : word_wrong(c, block, "padding", 0, rest);
}

/* Mark the documents of a word, or take the marks back: none may have it in two ranks. */
static uint32_t mark_documents(word_check *c, int set) {
    uint32_t documents[POSTINGS_AT_ONCE], count = 1, rank, status = POCKET_OK;
    while (!status && count) {
        if (word_list_goes_on(&c->list) && (status = check_end(c, c->list.block, &c->list.bits)))
            break;
        status = word_list_take(&c->list, documents, POSTINGS_AT_ONCE, &rank, &count);
        if (status) break;
        if (interrupted(&c->steps, count)) return POCKET_INTERRUPTED;
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *byte = &c->seen[documents[i] >> 3], bit = (uint8_t)(1u << (documents[i] & 7));
            if (set && (*byte & bit))
                return word_wrong(c, c->list.block, "ranks of a posting", 1, 2);
            *byte = set ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
        }
    }
    return status;
}

/* The next word of a class is a word of the file that is in a class, too. */
static uint32_t check_form(const word_check *c) {
    words_block b;
    word_list next;
    uint8_t word[TERM_BYTES];
    uint32_t length = c->block.word_length, status;
    int found;
    if (!c->list.ending) return POCKET_OK;
    memcpy(word, c->block.word, length);
    if ((status = word_list_next_form(&c->list, word, &length)) ||
        (status = word_list_find(&next, &b, c->block.index, word, length, &found, c->error)))
        return status;
    return next.ending ? POCKET_OK : word_wrong(c, c->block.number, "form", 1, 0);
}

static uint32_t check_word(word_check *c, uint64_t *at) {
    words_block *b = &c->block;
    uint32_t sample = b->at / WORDS_PER_SAMPLE, status = words_block_take(b);
    if (status) return status;
    if (!is_utf8(b->word, b->word_length)) return word_wrong(c, b->number, "UTF-8", 0, 0);
    if (compare_bytes(b->word, b->word_length, c->before, c->before_length) <= 0)
        return word_wrong(c, b->number, "order of the words", 0, 0);
    memcpy(c->before, b->word, c->before_length = b->word_length);
    if (sample && (b->at - 1) % WORDS_PER_SAMPLE == 0 &&
        load32(b->samples + 4 * (sample - 1)) != *at)
        return word_wrong(c, b->number, "place of a word", *at,
                          load32(b->samples + 4 * (sample - 1)));
    if ((status = word_list_begin(&c->list, b, *at)) || (status = check_form(c))) return status;
    word_list again = c->list;
    if ((status = mark_documents(c, 1))) return status;
    *at = c->list.bits.at;
    c->words++;
    c->postings += c->list.total;
    uint32_t last = c->list.block;
    uint64_t length = c->list.bits.length;
    const uint8_t *bytes = c->list.bits.bytes;
    c->list = again;
    if ((status = mark_documents(c, 0))) return status;
    c->list.block = last;
    c->list.bits = (bit_stream){bytes, length, *at};
    return POCKET_OK;
}

/* The blocks in which the last word goes on, up to the one where it ends. */
static uint32_t check_going_on(const word_check *c, uint32_t from, uint32_t last) {
    const section *s = c->block.index->by_kind[POCKET_WORDS];
    for (uint32_t i = from + 1; i <= last; i++)
        if (block_first(s, i) != block_first(s, from))
            return word_wrong(c, i, "first", block_first(s, from), block_first(s, i));
    return POCKET_OK;
}

static uint32_t check_block(word_check *c, const pocket_index *x, uint32_t *number) {
    const uint8_t *bytes;
    uint64_t length, at = 0;
    words_block *b = &c->block;
    uint32_t status = words_block_get(x, *number, 1, &bytes, &length, c->error);
    if (status || (status = words_block_open(b, x, *number, c->error))) return status;
    if (b->count == 0)
        return allowing(c->error, "at least %", word_wrong(c, *number, "words", 1, 0));
    while (!status && b->at < b->count) {
        status = check_word(c, &at);
        if (!status && b->at == 1 &&
            first_eight(b->word, b->word_length) != block_first(x->by_kind[POCKET_WORDS], *number))
            status = word_wrong(c, *number, "first", first_eight(b->word, b->word_length),
                                block_first(x->by_kind[POCKET_WORDS], *number));
    }
    if (status) return status;
    if (b->next != b->end)
        return word_wrong(c, *number, "bytes after the last word", 0, (uint64_t)(b->end - b->next));
    if ((status = check_going_on(c, *number, c->list.block))) return status;
    *number = c->list.block + 1;
    return check_end(c, c->list.block, &c->list.bits);
}

uint32_t words_verify(const pocket_index *x, pocket_error *error) {
    word_check c = {.steps = meter_of(x), .error = error};
    uint32_t status = POCKET_OK, number = 0, blocks = x->by_kind[POCKET_WORDS]->blocks;
    size_t size = (size_t)x->documents / 8 + 1;
    c.seen = pocket_malloc(size);
    if (!c.seen) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(c.seen, 0, size);
    while (number < blocks && !status) status = check_block(&c, x, &number);
    pocket_free(c.seen);
    if (!status && c.words != x->words)
        status = fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, -1, "number of words", x->words,
                      c.words);
    if (!status && c.postings != x->word_postings)
        status = fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, -1, "number of postings",
                      x->word_postings, c.postings);
    return status;
}
