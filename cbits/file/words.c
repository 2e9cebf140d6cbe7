#include "file/words.h"

#include "base/byte_strings.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/heads.h"

#define WORDS_PARAMETERS 40u /* before the endings */
#define LEAST_WORDS_ROOM 1024u
#define MOST_WORDS_ROOM 65535u
#define MOST_TITLE_WEIGHT 100u
#define MOST_NAME 255 /* bytes of the name of what made the classes */
#define COUNTED_OF "documents that words were counted of"

static uint32_t words_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_WORDS, block, field, expected, found);
}

static uint32_t open_numbers(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    x->word_room = load32(b + 4);
    x->words = load64(b + 8);
    x->word_postings = load64(b + 16);
    x->words_heaviest = load32(b + 24);
    x->word_average = load32(b + 28);
    x->word_title_weight = load32(b + 32);
    x->words_counted = load32(b + 36);
    if (load32(b) != x->documents)
        return words_wrong(error, -1, "number of documents", x->documents, load32(b));
    if (x->word_room < LEAST_WORDS_ROOM || x->word_room > MOST_WORDS_ROOM)
        return allowing(error, "1024 .. %",
                        words_wrong(error, -1, "room", MOST_WORDS_ROOM, x->word_room));
    if (x->word_average < 1)
        return allowing(error, "at least %", words_wrong(error, -1, "average length", 1, 0));
    if (x->word_title_weight > MOST_TITLE_WEIGHT)
        return allowing(
            error, "0 .. %",
            words_wrong(error, -1, "title weight", MOST_TITLE_WEIGHT, x->word_title_weight));
    if (x->words_heaviest && !x->words_counted)
        return allowing(error, "at least %", words_wrong(error, -1, COUNTED_OF, 1, 0));
    if (!x->words_heaviest && x->words_counted)
        return words_wrong(error, -1, COUNTED_OF, 0, x->words_counted);
    return POCKET_OK;
}

/* Two endings of text, one behind the other. */
static int is_rule(const uint8_t *p) {
    return p[0] <= p[1] && is_utf8(p + 2, p[0]) && is_utf8(p + 2 + p[0], p[1] - p[0]);
}

/* The table of endings, and the name of what made the classes, which lie in room bytes. */
static uint32_t open_endings(pocket_index *x, const uint8_t *from, uint32_t room,
                             pocket_error *error) {
    const uint8_t *end = from + room, *p = from + 4;
    x->word_forms_length = load16(from);
    x->word_ending_count = load16(from + 2);
    uint32_t most = end - p < MOST_NAME ? (uint32_t)(end - p) : MOST_NAME;
    if (x->word_forms_length > most)
        return allowing(error, "at most %",
                        words_wrong(error, -1, "name of the classes", most, load16(from)));
    if (!is_utf8(p, x->word_forms_length)) return words_wrong(error, -1, "UTF-8", 0, 0);
    if (x->word_ending_count > (x->word_forms_length ? MOST_ENDINGS : 0))
        return allowing(error, "at most %",
                        words_wrong(error, -1, "number of endings",
                                    x->word_forms_length ? MOST_ENDINGS : 0, load16(from + 2)));
    x->word_forms = p;
    x->word_endings = p += x->word_forms_length;
    for (uint32_t i = 0; i < x->word_ending_count; i++, p += 2 + p[1]) {
        if (end - p < 2 || end - p - 2 < p[1] || p[0] > TERM_BYTES || p[1] > TERM_BYTES ||
            (x->word_rules && !is_rule(p)))
            return words_wrong(error, -1, "ending", x->word_ending_count, i);
        if (x->word_rules || p[0] || p[1]) continue;
        x->word_rules = p + 2;
        x->word_rule_count = x->word_ending_count - i - 1;
    }
    if (end - p >= 8 || memcmp(p, "\0\0\0\0\0\0\0", (size_t)(end - p)) != 0)
        return words_wrong(error, -1, "padding", 0, (uint64_t)(end - p));
    return POCKET_OK;
}

uint32_t words_open(pocket_index *x, const section *s, pocket_error *error) {
    if (s->parameters < WORDS_PARAMETERS + 8)
        return allowing(error, "at least %",
                        words_wrong(error, -1, "length of the parameters", WORDS_PARAMETERS + 8,
                                    s->parameters));
    uint32_t status = open_numbers(x, s, error);
    if (!status)
        status = open_endings(x, s->bytes + WORDS_PARAMETERS,
                              (uint32_t)s->parameters - WORDS_PARAMETERS, error);
    if (status) return status;
    if ((s->blocks == 0) != (x->words == 0))
        return allowing(error, x->words ? "1 .. %" : NULL,
                        words_wrong(error, -1, "number of blocks", x->words, s->blocks));
    for (uint32_t i = 1; i < s->blocks; i++)
        if (block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                words_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    return POCKET_OK;
}

/* ---- a block, word by word ---- */

uint32_t words_block_get(const pocket_index *x, uint32_t number, int no_cache,
                         const uint8_t **bytes, uint64_t *length, pocket_error *error) {
    uint32_t status =
        block_get(x, x->by_kind[POCKET_WORDS], number, no_cache, bytes, length, error);
    if (status) return status;
    if (*length < 4)
        return allowing(error, "at least %",
                        words_wrong(error, number, "size of the block", 4, *length));
    return *length <= x->word_room
               ? POCKET_OK
               : allowing(error, "at most %",
                          words_wrong(error, number, "size of the block", x->word_room, *length));
}

static uint32_t open_block(words_block *b, int no_cache) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = words_block_get(b->index, b->number, no_cache, &bytes, &length, b->error);
    if (status) return status;
    b->at = b->word_length = 0;
    b->count = once(load16(bytes));
    uint32_t vocabulary = once(load16(bytes + 2));
    uint64_t fixed =
        4 + (uint64_t)vocabulary + (b->count ? (b->count - 1) / WORDS_PER_SAMPLE * 4 : 0);
    if (b->count && fixed > length)
        return allowing(b->error, "at least %",
                        words_wrong(b->error, b->number, "size of the block", fixed, length));
    b->next = bytes + 4;
    b->samples = b->end = b->next + (b->count ? vocabulary : 0);
    b->from = b->count ? bytes + fixed : bytes;
    b->length = b->count ? length - fixed : length;
    return POCKET_OK;
}

uint32_t words_block_open(words_block *b, const pocket_index *x, uint32_t number,
                          pocket_error *error) {
    b->index = x;
    b->error = error;
    b->number = number;
    return open_block(b, 0);
}

/* A half of a word's first byte, or the byte that it stands for. */
static uint32_t take_half(words_block *b, uint32_t half) {
    return half < 15 || b->next == b->end ? half : once(*b->next++);
}

static uint32_t taken_wrong(const words_block *b, uint32_t shared, uint32_t more) {
    if (shared > b->word_length)
        return allowing(b->error, "0 .. %",
                        words_wrong(b->error, b->number, "shared bytes", b->word_length, shared));
    if (more > (uint64_t)(b->end - b->next))
        return allowing(b->error, "0 .. %",
                        words_wrong(b->error, b->number, "bytes of a word",
                                    (uint64_t)(b->end - b->next), more));
    return allowing(
        b->error, "1 .. %",
        words_wrong(b->error, b->number, "length of a word", TERM_BYTES, shared + more));
}

/* Take the next word; *shared: so many bytes it has of the one before. */
static uint32_t take_word(words_block *b, uint32_t *shared) {
    if (b->next == b->end)
        return allowing(b->error, "at least %",
                        words_wrong(b->error, b->number, "words", b->count, b->at));
    uint32_t halves = once(*b->next++), own = take_half(b, halves & 15),
             more = take_half(b, halves >> 4), length = own + more;
    if (own > b->word_length || more > (uint64_t)(b->end - b->next) || length - 1 >= TERM_BYTES)
        return taken_wrong(b, own, more);
    /* A call of memcpy would cost more than the few bytes that most words add. */
    if (more <= 8 && b->end - b->next >= 8)
        store64(b->word + own, load64(b->next));
    else
        memcpy(b->word + own, b->next, more);
    b->next += more;
    b->word_length = length;
    b->at++;
    *shared = own;
    return POCKET_OK;
}

uint32_t words_block_take(words_block *b) {
    uint32_t shared;
    return take_word(b, &shared);
}

/* ---- finding a word ---- */

/* Where a word goes on in this block: how many blocks before it its first one is. */
static uint32_t blocks_back(const words_block *b, uint32_t *back) {
    if (b->length < WORD_GOES_ON)
        return allowing(
            b->error, "at least %",
            words_wrong(b->error, b->number, "size of the block", WORD_GOES_ON, b->length));
    *back = once(load32(b->from + 4));
    return *back >= 1 && *back <= b->number
               ? POCKET_OK
               : allowing(b->error, "1 .. %",
                          words_wrong(b->error, b->number, "blocks before", b->number, *back));
}

/* Go to a block, or to the one in which the word begins that goes on in it, and take its first
 * word. */
static uint32_t go_to_head(words_block *b, uint32_t number) {
    uint32_t back = 0, status = words_block_open(b, b->index, number, b->error);
    if (!status && b->count == 0 && !(status = blocks_back(b, &back))) {
        status = words_block_open(b, b->index, number - back, b->error);
        if (!status && b->count != 1)
            status = words_wrong(b->error, b->number, "words", 1, b->count);
    }
    if (status || (status = words_block_take(b))) return status;
    uint64_t first = block_first(b->index->by_kind[POCKET_WORDS], b->number),
             found = first_eight(b->word, b->word_length);
    return first == found ? POCKET_OK : words_wrong(b->error, b->number, "first", found, first);
}

/* A word of fewer bytes shares what the directory has of it with no other word. One of seven shares
 * it with its spelling, which has a byte 0 behind it. */
#define SHARES_FIRST 7u

/* Go to the last block whose first word is not above these bytes, or to the first block of all. */
static uint32_t go_near(words_block *b, const uint8_t *bytes, uint32_t length) {
    const section *s = b->index->by_kind[POCKET_WORDS];
    uint64_t first = first_eight(bytes, length);
    uint32_t below = first ? block_find(s, 0, s->blocks, first - 1) : s->blocks,
             high = block_find(s, 0, s->blocks, first), low = below == s->blocks ? 0 : below;
    if (high == s->blocks) high = 0;
    /* A shorter word is the first of the blocks that have its bytes; it goes on in the others. */
    if (length < SHARES_FIRST && low < high && block_first(s, high) == first)
        low = high = block_first(s, low) < first ? low + 1 : low;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2, status = go_to_head(b, middle);
        if (status) return status;
        if (b->number <= low || compare_bytes(b->word, b->word_length, bytes, length) <= 0)
            low = middle;
        else
            high = b->number - 1;
    }
    return go_to_head(b, low);
}

/* How the word taken last lies to these bytes, of which it has the first *common; *common becomes
 * how many it has. */
static int compare_beyond(const words_block *b, const uint8_t *bytes, uint32_t length,
                          uint32_t *common) {
    uint32_t i = *common, least = length < b->word_length ? length : b->word_length;
    while (i < least && b->word[i] == bytes[i]) i++;
    *common = i;
    return i < least ? b->word[i] - bytes[i]
                     : (b->word_length > length) - (b->word_length < length);
}

/* Pass over words that have more than `common` bytes of the one before, which thus lie to the bytes
 * that are looked for as that one does. They need not be put together; what is wrong with one is
 * left to take_word. */
static void pass_words(words_block *b, uint32_t common) {
    const uint8_t *next = b->next, *end = b->end;
    uint32_t at = b->at, length = b->word_length;
    while (at < b->count && end - next >= 3) {
        const uint8_t *p = next;
        uint32_t halves = once(*p++), shared = halves & 15, more = halves >> 4;
        if (shared == 15) shared = once(*p++);
        if (shared <= common) break;
        if (more == 15) more = once(*p++);
        if (shared > length || more > (uint64_t)(end - p) || shared + more > TERM_BYTES) break;
        length = shared + more;
        next = p + more;
        at++;
    }
    b->next = next;
    b->at = at;
    b->word_length = length;
}

uint32_t words_find(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error) {
    *found = 0;
    b->index = x;
    b->error = error;
    if (x->by_kind[POCKET_WORDS]->blocks == 0) return POCKET_OK;
    uint32_t status = go_near(b, bytes, length), common = 0, shared;
    int order = status ? -1 : compare_beyond(b, bytes, length, &common);
    while (!status && order < 0 && b->at < b->count) {
        pass_words(b, common);
        if (b->at == b->count || (status = take_word(b, &shared))) break;
        if (shared < common) common = shared;
        order = compare_beyond(b, bytes, length, &common);
    }
    *found = !status && order == 0;
    return status;
}

uint32_t words_next(words_block *b, int *found) {
    const section *s = b->index->by_kind[POCKET_WORDS];
    uint64_t first = block_first(s, b->number);
    *found = 1;
    if (b->at < b->count) return words_block_take(b);
    for (uint32_t i = b->number + 1; i < s->blocks; i++) {
        /* In blocks with the first of a short word this word goes on. */
        if (b->word_length < SHARES_FIRST && block_first(s, i) == first) continue;
        uint32_t status = words_block_open(b, b->index, i, b->error);
        if (status) return status;
        if (b->count) return words_block_take(b);
    }
    *found = 0;
    return POCKET_OK;
}

uint32_t words_seek(words_block *b, const pocket_index *x, const uint8_t *bytes, uint32_t length,
                    int *found, pocket_error *error) {
    uint32_t status = words_find(b, x, bytes, length, found, error), began_in = b->number;
    if (status || *found || x->by_kind[POCKET_WORDS]->blocks == 0) return status;
    *found = 1;
    while (!status && *found && compare_bytes(b->word, b->word_length, bytes, length) < 0) {
        if (b->number > began_in) /* or a look-up would go through all blocks */
            return words_wrong(error, b->number, "order of the words", 0, 0);
        status = words_next(b, found);
    }
    return status;
}
