/* The titles section (docs/format.md 6.2): titles found by their beginnings. */
#include "file/stored/titles.h"

#include "base/byte_strings.h"
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/stored/content.h"
#include "text/terms.h"

#define MOST_TITLES 10000u /* of an answer */
#define MOST_ROOM 65536u

static uint32_t titles_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_TITLES, block, field, expected, found);
}

/* How many bytes of a title count. */
static uint32_t counted(const uint8_t *title, uint64_t length) {
    uint32_t most = TITLE_BYTES;
    if (length <= most) return (uint32_t)length;
    while (most > 0 && (title[most] & 0xC0) == 0x80) most--;
    return most;
}

uint32_t title_key(const uint8_t *text, uint64_t length, uint8_t *key) {
    return terms_folded(text, length, key, TITLE_BYTES);
}

uint64_t titles_mark(const uint8_t *title, uint32_t length, uint32_t document) {
    uint8_t key[TITLE_BYTES];
    length = counted(title, length);
    return title_key(title, length, key) ? mix64(murmur(title, length) + document) : 0;
}

uint32_t titles_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return titles_wrong(error, -1, "length of the parameters", 16, s->parameters);
    uint32_t documents = load32(b), reserved = load32(b + 12);
    x->titles = load32(b + 4);
    x->title_room = load32(b + 8);
    if (documents != x->documents)
        return titles_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->titles > documents)
        return allowing(error, "0 .. %",
                        titles_wrong(error, -1, "number of entries", documents, x->titles));
    if (x->title_room < 1 || x->title_room > MOST_ROOM)
        return allowing(error, "1 .. %", titles_wrong(error, -1, "room", MOST_ROOM, x->title_room));
    if (reserved != 0) return titles_wrong(error, -1, "reserved", 0, reserved);
    if ((s->blocks == 0) != (x->titles == 0))
        return allowing(error, x->titles ? "1 .. %" : NULL,
                        titles_wrong(error, -1, "number of blocks", x->titles, s->blocks));
    for (uint32_t i = 1; i < s->blocks; i++)
        if (block_first(s, i) < block_first(s, i - 1))
            return allowing(
                error, "at least %",
                titles_wrong(error, i, "first", block_first(s, i - 1), block_first(s, i)));
    return POCKET_OK;
}

/* ---- a block, entry by entry ---- */

typedef struct titles_block {
    const pocket_index *index;
    uint8_t *content;
    uint32_t number, count, bits, at; /* at: entries taken */
    const uint8_t *documents, *shared, *lengths, *bytes, *end;
    uint8_t title[TITLE_BYTES], key[TITLE_BYTES]; /* of the entry taken last */
    uint32_t length, key_length, document;
    meter steps;
    pocket_error *error;
} titles_block;

static void titles_close(titles_block *b) {
    pocket_free(b->content);
    b->content = NULL;
}

static uint32_t take_title(titles_block *b) {
    if (interrupted(&b->steps, 8)) return POCKET_INTERRUPTED;
    uint32_t i = b->at++, shared = b->shared[i], more = b->lengths[i];
    uint64_t left = (uint64_t)(b->end - b->bytes);
    if (shared > b->length)
        return allowing(b->error, "0 .. %",
                        titles_wrong(b->error, b->number, "shared bytes", b->length, shared));
    if (more > left)
        return allowing(b->error, "0 .. %",
                        titles_wrong(b->error, b->number, "bytes of a title", left, more));
    if (shared + more > TITLE_BYTES)
        return allowing(
            b->error, "0 .. %",
            titles_wrong(b->error, b->number, "length of a title", TITLE_BYTES, shared + more));
    memcpy(b->title + shared, b->bytes, more);
    b->bytes += more;
    b->length = shared + more;
    b->document = load_bits(b->documents, (uint64_t)i * b->bits, b->bits);
    if (b->document >= b->index->documents)
        return allowing(
            b->error, "0 .. %",
            titles_wrong(b->error, b->number, "document", b->index->documents - 1, b->document));
    b->key_length = title_key(b->title, b->length, b->key);
    return POCKET_OK;
}

static uint32_t title_is_utf8(const titles_block *b) {
    return is_utf8(b->title, b->length) ? POCKET_OK
                                        : titles_wrong(b->error, b->number, "UTF-8", 0, 0);
}

/* Go to a block and take its first entry. */
static uint32_t go_to(titles_block *b, uint32_t number, int no_cache) {
    uint32_t length;
    titles_close(b);
    uint32_t status = content_get(b->index, POCKET_TITLES, number, b->index->title_room, no_cache,
                                  &b->content, &length, b->error);
    if (status) return status;
    b->number = number;
    b->at = b->length = 0;
    b->count = length < 4 ? 0 : load32(b->content);
    for (b->bits = 1; b->bits < 32 && (b->index->documents - 1) >> b->bits; b->bits++) {
    }
    uint64_t fixed = 4 + 2 * (uint64_t)b->count + ((uint64_t)b->count * b->bits + 7) / 8;
    if (fixed > length)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, number, "size of the content", fixed, length));
    if (b->count < 1)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, number, "entries", 1, b->count));
    b->documents = b->content + 4;
    b->bytes = b->content + fixed;
    b->end = b->content + length;
    b->lengths = b->bytes - b->count;
    b->shared = b->lengths - b->count;
    if ((status = take_title(b))) return status;
    uint64_t first = block_first(b->index->by_kind[POCKET_TITLES], number),
             found = first_eight(b->key, b->key_length);
    return first == found ? POCKET_OK : titles_wrong(b->error, number, "first", found, first);
}

/* ---- looking up ---- */

typedef struct range {
    const pocket_index *index;
    uint64_t first;
    uint32_t below, to, blocks; /* below: the last block whose first is less, or 0; to: behind the
                                   last whose first is not more */
} range;

static void find_range(range *a) {
    const section *s = a->index->by_kind[POCKET_TITLES];
    a->blocks = s->blocks;
    a->below = a->first ? block_find(s, 0, s->blocks, a->first - 1) : s->blocks;
    if (a->below == s->blocks) a->below = 0;
    a->to = block_find(s, 0, s->blocks, a->first);
    a->to = a->to == s->blocks ? 0 : a->to + 1;
}

/* Go to the last block whose first key is less than this one, or to the first block of all. Many
 * may begin with the same eight bytes. */
static uint32_t go_before(titles_block *b, range *r, const uint8_t *key, uint32_t length) {
    uint32_t low = r->below, high = length > 8 ? r->to : low + 1, status;
    while (high > low + 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((status = go_to(b, middle, 0))) return status;
        if (compare_bytes(b->key, b->key_length, key, length) < 0)
            low = middle;
        else
            high = middle;
    }
    return go_to(b, low, 0);
}

uint32_t pocket_title_count(const pocket_index *x) {
    return x->by_kind[POCKET_TITLES] ? x->titles : 0;
}

/* The next entry, if need be of the next block; 0 where none is left, or *status is set. */
static int next_title(titles_block *b, uint32_t blocks, uint32_t *status) {
    if (b->at == b->count && b->number + 1 == blocks) return 0;
    *status = b->at < b->count ? take_title(b) : go_to(b, b->number + 1, 0);
    return !*status;
}

/* The answer to a look-up: the first `exact` titles are the text itself. */
typedef struct titles_answer {
    pocket_title *list;
    uint32_t room, count, exact;
} titles_answer;

/* Put the entry taken last at its place. Where there is no room the last one goes, whose bytes are
 * free then. */
static void add_title(titles_answer *a, const titles_block *b, int is_exact) {
    uint32_t last = a->count < a->room ? a->count++ : a->room - 1,
             place = is_exact ? a->exact++ : last;
    char *to = (char *)(a->list + a->room) + (size_t)last * (TITLE_BYTES + 1);
    if (a->list[last].bytes) to = (char *)(uintptr_t)a->list[last].bytes;
    memmove(a->list + place + 1, a->list + place, (last - place) * sizeof *a->list);
    memcpy(to, b->title, b->length);
    to[b->length] = 0;
    a->list[place] = (pocket_title){to, b->length, b->document};
}

pocket_status pocket_titles_find(const pocket_index *x, const char *text, uint64_t length,
                                 pocket_title **titles, uint32_t *count, pocket_error *error) {
    titles_block b = {.index = x, .steps = meter_of(x), .error = error};
    range r = {.index = x};
    uint8_t key[TITLE_BYTES];
    titles_answer a = {.room = *count < x->titles ? *count : x->titles};
    uint32_t looked_at = 0, status;
    /* As much counts as of a title: so a title finds itself, however long it is. */
    uint32_t own = counted((const uint8_t *)text, length),
             key_length = title_key((const uint8_t *)text, own, key);
    *titles = NULL;
    *count = 0;
    clear(error);
    if (!x->by_kind[POCKET_TITLES])
        return fail(error, POCKET_NOT_FOUND, POCKET_TITLES, -1, "titles", 0, 0);
    if (a.room > MOST_TITLES) a.room = MOST_TITLES;
    size_t size = a.room * (sizeof *a.list + TITLE_BYTES + 1) + 1;
    a.list = pocket_malloc(size);
    if (!a.list) return fail(error, POCKET_NO_MEMORY, POCKET_TITLES, -1, NULL, 0, 0);
    memset(a.list, 0, a.room * sizeof *a.list);
    r.first = first_eight(key, key_length);
    find_range(&r);
    status = POCKET_OK;
    if (a.room > 0 && !(status = go_before(&b, &r, key, key_length))) {
        uint32_t began_in = b.number;
        do {
            uint32_t least = b.key_length < key_length ? b.key_length : key_length;
            int order = memcmp(b.key, key, least);
            if (order > 0) break;
            if (order < 0 || least < key_length) {
                if (looked_at == 0 && b.number == began_in) continue;
                status = titles_wrong(error, b.number, "order of the entries", 0,
                                      0); /* or a look-up would go through all blocks */
                break;
            }
            if ((status = title_is_utf8(&b))) break;
            int is_same = b.key_length == key_length,
                is_exact = is_same && b.length == own && !memcmp(b.title, text, own);
            if (a.count == a.room && !is_same) break;
            if (is_exact ? a.exact < a.room : a.count < a.room) add_title(&a, &b, is_exact);
            looked_at++;
        } while ((a.count < a.room || looked_at < MOST_TITLES) &&
                 next_title(&b, r.blocks, &status));
    }
    titles_close(&b);
    if (status) {
        pocket_free(a.list);
        return fail_as(error, status);
    }
    *titles = a.list;
    *count = a.count;
    return POCKET_OK;
}

void pocket_titles_free(pocket_title *titles) { pocket_free(titles); }

/* ---- checking ---- */

/* The entry taken last comes after the one before, whose key this was and whose document *before
 * is. */
static uint32_t check_title(const titles_block *b, const uint8_t *key, uint32_t length,
                            int64_t *before) {
    uint32_t status = title_is_utf8(b);
    if (status) return status;
    if (b->key_length == 0)
        return allowing(b->error, "at least %",
                        titles_wrong(b->error, b->number, "bytes of a title's key", 1, 0));
    int order = compare_bytes(b->key, b->key_length, key, length);
    if (order < 0 || (order == 0 && b->document <= *before))
        return titles_wrong(b->error, b->number, "order of the entries", 0, 0);
    *before = b->document;
    return POCKET_OK;
}

uint32_t titles_verify(const pocket_index *x, uint64_t sum, pocket_error *error) {
    titles_block b = {.index = x, .steps = meter_of(x), .error = error};
    uint32_t status = POCKET_OK, entries = 0, length = 0,
             blocks = x->by_kind[POCKET_TITLES]->blocks;
    uint8_t key[TITLE_BYTES];
    int64_t before = -1;
    uint64_t found = 0;
    for (uint32_t i = 0; i < blocks && !status; i++) {
        status = go_to(&b, i, 1);
        while (!status) {
            if ((status = check_title(&b, key, length, &before))) break;
            memcpy(key, b.key, length = b.key_length);
            found += titles_mark(b.title, b.length, b.document);
            entries++;
            if (b.at == b.count) break;
            status = take_title(&b);
        }
        if (!status && b.bytes != b.end)
            status = titles_wrong(error, i, "bytes after the last title", 0,
                                  (uint64_t)(b.end - b.bytes));
    }
    titles_close(&b);
    if (!status && entries != x->titles)
        status = titles_wrong(error, -1, "number of entries", x->titles, entries);
    if (!status && found != sum)
        status = titles_wrong(error, -1, "titles of the documents", sum, found);
    return status;
}
