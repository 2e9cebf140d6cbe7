/* The documents section and the id table (docs/format.md, sections 5 and 6). */
#include "documents.h"

#include "bytes.h"
#include "container.h"
#include "hash.h"
#include "inflate.h"
#include "look_up.h"
#include "memory.h"
#include "part.h"

/* ---- a block's content ---- */

struct fetch {
    const pocket_index *index;
    uint32_t kind, block, most;
    int no_cache;
    const uint8_t *bytes;
    uint64_t length;
    uint32_t raw;
    uint8_t *content;
    pocket_error *error;
};

static uint32_t measure(void *argument) {
    struct fetch *f = argument;
    const section *s = f->index->by_kind[f->kind];
    uint32_t status = block_get(f->index, s, f->block, f->no_cache, &f->bytes, &f->length, f->error);
    if (status) return status;
    f->raw = f->length < 4 ? 0 : load32(f->bytes);
    if (f->raw < 1 || f->raw > f->most) return fail(f->error, POCKET_DAMAGED_FIELD, s->kind, f->block, "length of the content", f->most, f->raw);
    return POCKET_OK;
}

static uint32_t unpack(void *argument) {
    struct fetch *f = argument;
    if (pocket_inflate(f->bytes + 4, (size_t)f->length - 4, f->content, f->raw))
        return fail(f->error, POCKET_DAMAGED_FIELD, f->kind, f->block, "deflate stream", f->raw, 0);
    return POCKET_OK;
}

uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most, int no_cache, uint8_t **content, uint32_t *length, pocket_error *error) {
    struct fetch f = {.index = x, .kind = kind, .block = block, .most = most, .no_cache = no_cache, .error = error};
    *content = NULL;
    uint32_t status = guarded(x, measure, &f);
    if (status) return status;
    f.content = pocket_malloc(f.raw);
    if (!f.content) return fail(error, POCKET_NO_MEMORY, kind, block, NULL, 0, 0);
    status = guarded(x, unpack, &f);
    if (status) {
        pocket_free(f.content);
        return status;
    }
    *content = f.content;
    *length = f.raw;
    return POCKET_OK;
}

/* ---- records ---- */

int field_next(const uint8_t **at, const uint8_t *end, uint32_t most, field *f) {
    uint32_t length = 0;
    for (uint32_t shift = 0;; shift += 7) {
        if (*at == end || shift > 14) return 0;
        uint8_t byte = *(*at)++;
        length |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    if (length > most || length > (uint64_t)(end - *at)) return 0;
    *f = (field){*at, length};
    *at += length;
    return 1;
}

int record_next(const uint8_t **at, const uint8_t *end, record *r) {
    field id, title, url;
    if (!field_next(at, end, 1024, &id) || id.length == 0) return 0;
    if (!field_next(at, end, 8192, &title) || !field_next(at, end, 8192, &url)) return 0;
    *r = (record){id.bytes, title.bytes, url.bytes, id.length, title.length, url.length};
    return 1;
}

/* ---- the url template ---- */

static int keeps(uint8_t c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
}

/* Append bytes, percent-encoded; to is NULL to count only. */
static uint32_t percent_encode(const uint8_t *bytes, uint32_t length, char *to) {
    static const char digits[] = "0123456789ABCDEF";
    uint32_t size = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (keeps(bytes[i])) {
            if (to) to[size] = (char)bytes[i];
            size++;
        } else {
            if (to) {
                to[size] = '%';
                to[size + 1] = digits[bytes[i] >> 4];
                to[size + 2] = digits[bytes[i] & 15];
            }
            size += 3;
        }
    }
    return size;
}

static uint32_t expand(const pocket_index *x, const record *r, char *to) {
    uint32_t size = 0, i = 0;
    while (i < x->template_length) {
        const char *at = x->url_template + i;
        uint32_t left = x->template_length - i;
        if (left >= 4 && !memcmp(at, "{id}", 4)) {
            size += percent_encode(r->id, r->id_length, to ? to + size : NULL);
            i += 4;
        } else if (left >= 7 && !memcmp(at, "{title}", 7)) {
            size += percent_encode(r->title, r->title_length, to ? to + size : NULL);
            i += 7;
        } else {
            if (to) to[size] = *at;
            size++;
            i++;
        }
    }
    return size;
}

static pocket_document *copy(const pocket_index *x, const record *r) {
    uint32_t url = r->url_length ? r->url_length : expand(x, r, NULL);
    pocket_document *d = pocket_malloc(sizeof *d + r->id_length + r->title_length + url + 3u);
    if (!d) return NULL;
    char *at = (char *)(d + 1);
    memset(at, 0, r->id_length + r->title_length + url + 3u);
    *d = (pocket_document){at, at + r->id_length + 1, at + r->id_length + r->title_length + 2, r->id_length, r->title_length, url};
    memcpy(at, r->id, r->id_length);
    memcpy(at + r->id_length + 1, r->title, r->title_length);
    at += r->id_length + r->title_length + 2;
    if (r->url_length) memcpy(at, r->url, r->url_length);
    else expand(x, r, at);
    return d;
}

/* ---- the calls ---- */

struct locate {
    const pocket_index *index;
    uint32_t number, block, first;
};

static uint32_t locate(void *argument) {
    struct locate *a = argument;
    const section *s = a->index->by_kind[POCKET_DOCUMENTS];
    a->block = block_find(s, 0, s->blocks, a->number);
    a->first = (uint32_t)block_first(s, a->block);
    return POCKET_OK;
}

/* A block's content, read up to a record: documents in rising order cost one reading of each block. */
typedef struct cursor {
    uint8_t *content;
    const uint8_t *at, *end;
    uint32_t block, next; /* next: the number of the record that lies at `at` */
    record record;
} cursor;

/* Document number (< documents) becomes the cursor's record. */
static uint32_t seek(const pocket_index *x, cursor *c, uint32_t number, pocket_error *error) {
    struct locate place = {x, number, 0, 0};
    uint32_t length, status = guarded(x, locate, &place);
    if (status) return status;
    if (!c->content || c->block != place.block || c->next > number) {
        pocket_free(c->content);
        if ((status = content_get(x, POCKET_DOCUMENTS, place.block, MAX_CONTENT, 0, &c->content, &length, error))) return status;
        c->at = c->content;
        c->end = c->content + length;
        c->block = place.block;
        c->next = place.first;
    }
    for (; c->next <= number; c->next++)
        if (!record_next(&c->at, c->end, &c->record)) return fail(error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, place.block, "record", number, 0);
    return POCKET_OK;
}

uint32_t pocket_document_get(const pocket_index *x, uint32_t number, pocket_document **document, pocket_error *error) {
    cursor c = {.content = NULL};
    *document = NULL;
    clear(error);
    if (number >= x->documents) return fail(error, POCKET_NOT_FOUND, POCKET_DOCUMENTS, -1, "document", x->documents, number);
    uint32_t status = seek(x, &c, number, error);
    if (!status && !(*document = copy(x, &c.record))) status = fail(error, POCKET_NO_MEMORY, POCKET_DOCUMENTS, c.block, NULL, 0, 0);
    pocket_free(c.content);
    return fail_as(error, status);
}

void pocket_document_free(pocket_document *document) { pocket_free(document); }

struct find {
    const pocket_index *index;
    uint64_t key;
    look_up look_up;
    match match; /* count is 0 where there is none */
    pocket_error *error;
};

static uint32_t find_postlist(void *argument) {
    struct find *f = argument;
    const tables *ids = &f->index->ids;
    uint32_t status = look_up_run(&f->look_up, f->index, ids, 0, &f->key, 1, f->error);
    if (!status && f->look_up.match_count > 0) f->match = f->look_up.matches[0];
    return status;
}

struct posting {
    const tables *ids;
    const match *match;
    uint32_t place, document;
};

static uint32_t read_posting(void *argument) {
    struct posting *a = argument;
    a->document = match_posting(a->match, a->ids, a->place);
    return POCKET_OK;
}

uint32_t pocket_find(const pocket_index *x, const char *id, uint32_t length, uint32_t *number, pocket_error *error) {
    struct find f = {.index = x, .key = pocket_murmur((const uint8_t *)id, length), .error = error};
    clear(error);
    if (!look_up_alloc(&f.look_up, 1, x->most_parts)) return fail(error, POCKET_NO_MEMORY, POCKET_IDS, -1, NULL, 0, 0);
    uint32_t status = guarded(x, find_postlist, &f), same = 0;
    cursor c = {.content = NULL};
    look_up_free(&f.look_up);
    for (uint32_t i = 0, least = 0; !status && !same && i < f.match.count; i++) {
        struct posting at = {&x->ids, &f.match, i, 0};
        if ((status = guarded(x, read_posting, &at))) break;
        /* Falling ones could have the same blocks read again and again. */
        if (at.document < least || at.document >= x->documents) {
            status = fail(error, POCKET_DAMAGED_FIELD, POCKET_IDS, f.match.part, "posting", least, at.document);
        } else if (!(status = seek(x, &c, at.document, error))) {
            same = c.record.id_length == length && !memcmp(c.record.id, id, length);
            *number = at.document;
            least = at.document + 1;
        }
    }
    pocket_free(c.content);
    if (status) return fail_as(error, status);
    return same ? POCKET_OK : fail(error, POCKET_NOT_FOUND, POCKET_IDS, -1, "id", 0, 0);
}
