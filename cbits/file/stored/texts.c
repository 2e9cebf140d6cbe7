/* The texts section (docs/format.md 6.1): whole texts or snippets, in blocks of whole documents, or
 * of pieces of one. */
#include "file/stored/texts.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/keys/copies.h"
#include "file/stored/content.h"
#include "sketch/copy_key.h"

#define MAX_ROOM 1048576u
#define MAX_CHARACTERS 10000u

static uint32_t texts_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_TEXTS, block, field, expected, found);
}

/* ---- opening ---- */

static uint32_t document_of(uint64_t first) { return (uint32_t)(first >> 32); }
static uint32_t piece_of(uint64_t first) { return (uint32_t)first; }

/* Documents follow each other without a gap after pieces, and pieces within their document. */
static uint32_t open_text_blocks(const pocket_index *x, const section *s, pocket_error *error) {
    uint64_t before = 0;
    for (uint32_t i = 0; i <= s->blocks; i++) {
        uint64_t first = i < s->blocks ? block_first(s, i) : (uint64_t)x->documents << 32;
        uint32_t document = document_of(first), piece = piece_of(first),
                 least = i ? document_of(before) + 1 : 0;
        uint32_t most_pieces = (MOST_TEXT - 1) / x->text_room + 1;
        int64_t block = i < s->blocks ? (int64_t)i : -1;
        int after_piece = i > 0 && piece_of(before) > 0, alone = i == 0 || after_piece;
        uint64_t next_piece = after_piece ? before + 1 : (uint64_t)least << 32;
        if (piece > 1 && first != next_piece)
            return texts_wrong(error, block, "first", next_piece, first);
        if (piece > most_pieces)
            return allowing(error, "1 .. %",
                            texts_wrong(error, block, "piece", most_pieces, piece));
        if (piece <= 1 && alone && document != least)
            return texts_wrong(error, block, "document of the first", least, document);
        if (piece <= 1 && document < least)
            return allowing(
                error, "more than %",
                texts_wrong(error, block, "document of the first", document_of(before), document));
        if (i < s->blocks && document >= x->documents)
            return allowing(
                error, "less than %",
                texts_wrong(error, block, "document of the first", x->documents, document));
        before = first;
    }
    return POCKET_OK;
}

uint32_t texts_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return texts_wrong(error, -1, "length of the parameters", 16, s->parameters);
    uint32_t documents = load32(b);
    x->text_kept = load32(b + 4);
    x->text_characters = load32(b + 8);
    x->text_room = load32(b + 12);
    if (documents != x->documents)
        return texts_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->text_kept < POCKET_WHOLE || x->text_kept > POCKET_SNIPPET)
        return allowing(error, "1 .. %",
                        texts_wrong(error, -1, "kept", POCKET_SNIPPET, x->text_kept));
    if (x->text_kept != POCKET_SNIPPET && x->text_characters != 0)
        return texts_wrong(error, -1, "characters of a snippet", 0, x->text_characters);
    if (x->text_kept == POCKET_SNIPPET &&
        (x->text_characters < 1 || x->text_characters > MAX_CHARACTERS))
        return allowing(
            error, "1 .. %",
            texts_wrong(error, -1, "characters of a snippet", MAX_CHARACTERS, x->text_characters));
    if (x->text_room < 1 || x->text_room > MAX_ROOM)
        return allowing(error, "1 .. %", texts_wrong(error, -1, "room", MAX_ROOM, x->text_room));
    return open_text_blocks(x, s, error);
}

/* ---- reading ---- */

/* Documents first .. end - 1 of a block, or of as many blocks as the one document has pieces. */
typedef struct span {
    const pocket_index *index;
    uint32_t number, block, first, end, pieces;
} span;

static void read_span(span *a) {
    const section *s = a->index->by_kind[POCKET_TEXTS];
    uint64_t first = block_first(s, a->block);
    a->first = document_of(first);
    a->pieces = 0;
    if (piece_of(first) > 0)
        while (a->block + a->pieces < s->blocks &&
               document_of(block_first(s, a->block + a->pieces)) == a->first)
            a->pieces++;
    uint32_t next = a->block + (a->pieces ? a->pieces : 1);
    a->end = next < s->blocks ? document_of(block_first(s, next)) : a->index->documents;
}

/* A text with room for so many bytes and a zero. */
static pocket_text *text_alloc(const span *s, uint64_t room, pocket_error *error) {
    pocket_text *t = pocket_malloc(sizeof *t + (size_t)room + 1);
    if (t)
        *t = (pocket_text){(char *)(t + 1), 0, s->index->text_kept};
    else
        fail(error, POCKET_NO_MEMORY, POCKET_TEXTS, s->block, NULL, 0, 0);
    return t;
}

static void text_add(pocket_text *t, const uint8_t *bytes, uint32_t length) {
    char *to = (char *)(t + 1) + t->length;
    if (length > 0) memcpy(to, bytes, length);
    to[length] = 0;
    t->length += length;
}

/* Add piece i of a document to its text; no_cache: see block_get. */
static uint32_t add_piece(const span *s, uint32_t i, int no_cache, pocket_text *t,
                          pocket_error *error) {
    uint32_t room = s->index->text_room, last = s->block + s->pieces - 1, length;
    uint8_t *content;
    uint32_t status =
        content_get(s->index, POCKET_TEXTS, i, room, no_cache, &content, &length, error);
    if (status) return status;
    if (i < last && length != room)
        status = texts_wrong(error, i, "length of a piece", room, length);
    else if (length > MOST_TEXT - t->length)
        status =
            allowing(error, "at most %",
                     texts_wrong(error, i, "length of a piece", MOST_TEXT - t->length, length));
    else
        text_add(t, content, length);
    pocket_free(content);
    return status;
}

/* Add pieces from i on, up to an end. If one is not at hand, the others are asked for, too, so that
 * all are missed at once. */
static uint32_t add_pieces(const span *s, uint32_t i, uint32_t end, int no_cache, pocket_text *t,
                           pocket_error *error) {
    meter steps = meter_of(s->index);
    uint32_t status = POCKET_OK;
    for (int incomplete = 0; i < end && (!status || status == POCKET_NOT_AT_HAND); i++) {
        uint32_t own = interrupted(&steps, steps_of(s->index->text_room));
        if (!own) own = add_piece(s, i, no_cache, t, error);
        incomplete |= own == POCKET_NOT_AT_HAND;
        status = own || !incomplete ? own : (uint32_t)POCKET_NOT_AT_HAND;
    }
    return status;
}

static pocket_text *pieces_alloc(const span *s, pocket_error *error) {
    return text_alloc(s, (uint64_t)s->pieces * s->index->text_room, error);
}

/* The text of a document in pieces. */
static uint32_t join_pieces(const span *s, int no_cache, pocket_text **text, pocket_error *error) {
    *text = pieces_alloc(s, error);
    if (!*text) return POCKET_NO_MEMORY;
    return add_pieces(s, s->block, s->block + s->pieces, no_cache, *text, error);
}

static uint32_t text_is_utf8(const span *s, const uint8_t *bytes, uint32_t length,
                             pocket_error *error) {
    return is_utf8(bytes, length) ? POCKET_OK : texts_wrong(error, s->block, "UTF-8", 0, 0);
}

/* ---- checking ---- */

/* What stands beside a document's sketch, or in its place: the identity of its text, or its copy
 * key, no_copy_key where it has none. */
typedef struct kept {
    const pocket_index *index;
    uint32_t document;
    uint64_t identity;
    pocket_error *error;
} kept;

static const uint64_t no_copy_key = UINT64_MAX;

static uint32_t read_identity(void *argument) {
    kept *a = argument;
    if (copies_has(a->index, a->document))
        return copies_get(a->index, a->document, &a->identity, a->error);
    if (a->document >= a->index->sketched) return POCKET_OK;
    uint32_t own, status = identity_get(a->index, a->document, &own, a->error);
    a->identity = own;
    return status;
}

/* The same, of a text. */
static uint64_t identity_of(const pocket_index *x, uint32_t document, const uint8_t *bytes,
                            uint32_t length, meter *steps) {
    uint64_t key;
    if (document < x->sketched) return murmur(bytes, length) & ((1ull << x->identity_bits) - 1);
    return copy_key_of_text(bytes, length, steps, &key) ? key : no_copy_key;
}

static uint32_t check_text(const span *s, uint32_t document, const uint8_t *bytes, uint32_t length,
                           pocket_error *error) {
    const pocket_index *x = s->index;
    uint32_t characters = 0;
    uint32_t status = text_is_utf8(s, bytes, length, error);
    if (status) return status;
    for (uint32_t i = 0; i < length; i++) characters += (bytes[i] & 0xC0) != 0x80;
    if (x->text_characters > 0)
        return characters <= x->text_characters
                   ? POCKET_OK
                   : allowing(error, "0 .. %",
                              texts_wrong(error, s->block, "characters of a snippet",
                                          x->text_characters, characters));
    kept a = {x, document, no_copy_key, error};
    meter steps = meter_of(x);
    uint64_t identity = identity_of(x, document, bytes, length, &steps);
    status = steps.ended ? (uint32_t)POCKET_INTERRUPTED : guarded(x, read_identity, &a);
    return status || a.identity == identity
               ? status
               : texts_wrong(error, s->block, "identity of a text", a.identity, identity);
}

/* Check a block of whole documents. */
static uint32_t check_texts(const span *s, pocket_error *error) {
    uint8_t *content;
    uint32_t length, status = content_get(s->index, POCKET_TEXTS, s->block, s->index->text_room, 1,
                                          &content, &length, error);
    if (status) return status;
    const uint8_t *at = content, *end = content + length;
    for (uint32_t i = s->first; i < s->end && !status; i++) {
        field f;
        status = field_next(&at, end, length, &f) ? check_text(s, i, f.bytes, f.length, error)
                                                  : texts_wrong(error, s->block, "record", 0, 0);
    }
    if (!status && at != end)
        status = texts_wrong(error, s->block, "bytes after the last text", 0, (uint64_t)(end - at));
    pocket_free(content);
    return status;
}

uint32_t texts_verify(const pocket_index *x, pocket_error *error) {
    span s = {.index = x};
    meter steps = meter_of(x);
    uint32_t status = POCKET_OK, blocks = x->text_kept ? x->by_kind[POCKET_TEXTS]->blocks : 0;
    for (; s.block < blocks && !status; s.block += s.pieces ? s.pieces : 1) {
        pocket_text *t = NULL;
        if ((status = interrupted(&steps, steps_of(16 * x->text_room))))
            break; /* what checks the text, too */
        read_span(&s);
        if (!s.pieces)
            status = check_texts(&s, error);
        else if (!(status = join_pieces(&s, 1, &t, error)))
            status = check_text(&s, s.first, (const uint8_t *)t->bytes, t->length, error);
        pocket_free(t);
    }
    return status;
}

/* ---- the calls ---- */

uint32_t pocket_text_kept(const pocket_index *x) { return x->text_kept; }

void text_reader_free(text_reader *r) {
    content_close(&r->content);
    pocket_free(r->joined);
    r->joined = NULL;
}

/* A text that is looked for in its block of whole documents. */
typedef struct wanted_record {
    content *content;
    const span *span;
    field *field;
    pocket_error *error;
} wanted_record;

/* Inflate the block up to the end of the text. */
static uint32_t inflate_record(void *argument) {
    const wanted_record *w = argument;
    content *c = w->content;
    const uint8_t *at = c->bytes;
    for (uint32_t i = w->span->first;; i++) {
        /* The length has three bytes at most. */
        uint32_t more = i <= w->span->number ? 3 : 0,
                 status = content_until(c, (uint32_t)(at - c->bytes) + more, w->error);
        if (status || !more) return status;
        if (!field_next(&at, c->bytes + c->length, c->length, w->field))
            return texts_wrong(w->error, w->span->block, "record", 0, 0);
    }
}

/* The text of the span's number in its block of whole documents. One guard for all records before
 * it: a guard asks the system whether the file was changed. */
static uint32_t read_record(text_reader *r, const span *s, field *f, pocket_error *error) {
    content *c = &r->content;
    wanted_record wanted = {c, s, f, error};
    uint32_t status = POCKET_OK;
    c->index = r->index;
    if (!c->bytes || c->block != s->block)
        status = content_open(c, POCKET_TEXTS, s->block, s->index->text_room, 0, error);
    if (status) return status;
    status = guarded(c->index, inflate_record, &wanted);
    if (status) content_close(c);
    return status;
}

void text_reader_begin(text_reader *r, uint32_t number) {
    const section *texts = r->index->by_kind[POCKET_TEXTS];
    span s = {.index = r->index};
    s.block = r->block = block_find(texts, 0, texts->blocks, (uint64_t)number << 32 | 1);
    read_span(&s);
    r->number = number;
    r->first = s.first;
    r->pieces = s.pieces;
    r->length = r->next = 0;
    r->left = s.pieces ? s.pieces : 1;
}

/* Read one piece more. */
static uint32_t read_piece(text_reader *r, const span *s, pocket_error *error) {
    if (!r->next) {
        pocket_free(r->joined);
        r->joined = pieces_alloc(s, error);
        if (!r->joined) return POCKET_NO_MEMORY;
    }
    uint32_t at = s->block + r->next, end = s->block + s->pieces;
    uint32_t status = add_piece(s, at, 0, r->joined, error);
    if (status == POCKET_NOT_AT_HAND) {
        uint32_t others = add_pieces(s, at + 1, end, 0, r->joined, error);
        if (others) status = others;
    }
    r->bytes = (const uint8_t *)r->joined->bytes;
    r->next++;
    r->left--;
    return status;
}

uint32_t text_reader_more(text_reader *r, pocket_error *error) {
    span s = {r->index, r->number, r->block, r->first, r->first + 1, r->pieces};
    field f = {0};
    uint32_t before = r->length, status;
    if (s.pieces) {
        if ((status = read_piece(r, &s, error))) return status;
        f = (field){r->bytes, r->joined->length};
        /* A code point may go on in the next piece. */
        if (r->left)
            while (f.length > before && (r->bytes[--f.length] & 0xC0) == 0x80) {
            }
    } else {
        pocket_free(r->joined);
        r->joined = NULL;
        r->left = 0;
        if ((status = read_record(r, &s, &f, error))) return status;
    }
    r->bytes = f.bytes;
    r->length = f.length;
    return text_is_utf8(&s, f.bytes + before, f.length - before, error);
}

uint32_t text_reader_get(text_reader *r, uint32_t number, const uint8_t **bytes, uint32_t *length,
                         pocket_error *error) {
    uint32_t status = POCKET_OK;
    meter steps = meter_of(r->index);
    text_reader_begin(r, number);
    while (r->left && !status) {
        if (r->pieces) status = interrupted(&steps, steps_of(r->index->text_room));
        if (!status) status = text_reader_more(r, error);
    }
    *bytes = r->bytes;
    *length = r->length;
    return status;
}

pocket_status pocket_text_get(const pocket_index *x, uint32_t number, pocket_text **text,
                              pocket_error *error) {
    text_reader r = {.index = x};
    const uint8_t *bytes;
    uint32_t length;
    *text = NULL;
    clear(error);
    if (!x->text_kept) return fail(error, POCKET_NOT_FOUND, POCKET_TEXTS, -1, "texts", 0, 0);
    if (number >= x->documents) return no_document(error, POCKET_TEXTS, x->documents, number);
    uint32_t status = text_reader_get(&r, number, &bytes, &length, error);
    if (!status && r.joined) {
        *text = r.joined;
        r.joined = NULL;
    } else if (!status) {
        span s = {.index = x};
        if ((*text = text_alloc(&s, length, error)))
            text_add(*text, bytes, length);
        else
            status = POCKET_NO_MEMORY;
    }
    text_reader_free(&r);
    return fail_as(error, status);
}

void pocket_text_free(pocket_text *text) { pocket_free(text); }
