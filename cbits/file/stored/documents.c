/* The documents section and the id table (docs/format.md, sections 5 and 6). */
#include "file/stored/documents.h"

#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/container.h"
#include "file/keys/look_up.h"
#include "file/keys/part.h"

/* ---- records ---- */

uint32_t record_read(const pocket_index *x, const uint8_t **at, const uint8_t *end, uint8_t *room,
                     uint64_t size, record *r) {
    if (size < SYMBOL_BYTES) return RECORD_CUT;
    const uint8_t *from = *at;
    uint8_t *to = room, *limit = room + (size - SYMBOL_BYTES);
    for (;;) {
        if (to > limit) return size < RECORD_ROOM ? RECORD_CUT : RECORD_WRONG;
        if (from == end) return RECORD_WRONG;
        uint32_t code = once(*from++), length = x->symbol_lengths[code];
        if (length) {
            memcpy(to, x->symbols[code], SYMBOL_BYTES);
            to += length;
        } else if (code == SYMBOL_END) {
            break;
        } else if (code == SYMBOL_LITERAL && from < end && *from != SYMBOL_END) {
            *to++ = *from++;
        } else {
            return RECORD_WRONG;
        }
    }
    *at = from;
    const uint8_t *id = room, *url;
    while (id < to && *id != FIELD_END) id++;
    if (id == to) return RECORD_WRONG;
    for (url = ++id; url < to && *url != FIELD_END;) url++;
    *r = (record){.title = room,
                  .id = id,
                  .title_length = (uint32_t)(id - 1 - room),
                  .id_length = (uint32_t)(url - id)};
    if (url < to) {
        r->url = ++url;
        r->url_length = (uint32_t)(to - url);
        if (url == to) return RECORD_WRONG;
    }
    return r->id_length >= 1 && r->id_length <= MOST_ID && r->title_length <= MOST_TITLE &&
                   r->url_length <= MOST_URL
               ? RECORD_READ
               : RECORD_WRONG;
}

int record_is_utf8(const record *r) {
    return is_utf8(r->id, r->id_length) && is_utf8(r->title, r->title_length) &&
           is_utf8(r->url, r->url_length);
}

/* The highest bit of every byte of eight that is SYMBOL_END. */
static uint64_t ends_in(uint64_t bytes) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    return ((bytes & low) + 0x0101010101010101u) & bytes & ~low;
}

/* Behind the next count ends of records; NULL when there are fewer. */
static const uint8_t *pass(const uint8_t *at, const uint8_t *end, uint32_t count) {
    for (; end - at >= 32 && count >= 32; at += 32) {
        uint64_t sums = 0;
        for (int i = 0; i < 32; i += 8) sums += ends_in(load64(at + i)) >> 7;
        count -= (uint32_t)(sums * 0x0101010101010101u >> 56);
    }
    for (; end - at >= 8 && count >= 8; at += 8)
        count -= (uint32_t)((ends_in(load64(at)) >> 7) * 0x0101010101010101u >> 56);
    while (count && at < end) count -= *at++ == SYMBOL_END;
    return count ? NULL : at;
}

/* ---- the calls ---- */

/* A place between the records of a block: documents in rising order cost one pass over each block.
 */
typedef struct cursor {
    const uint8_t *at, *end; /* at: NULL before the first seek */
    uint32_t block, next;    /* next: the number of the record that lies at `at` */
} cursor;

static uint32_t wrong_record(const cursor *c, pocket_error *error) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, c->block, "record", 0, 0);
}

/* Go to the record of document number (< documents). For guarded work. */
static uint32_t seek(const pocket_index *x, cursor *c, uint32_t number, pocket_error *error) {
    const section *s = x->by_kind[POCKET_DOCUMENTS];
    uint32_t block = block_find(s, 0, s->blocks, number);
    if (!c->at || block != c->block || number < c->next) {
        uint64_t length;
        uint32_t status = block_get(x, s, block, 0, &c->at, &length, error);
        if (status) {
            c->at = NULL;
            return status;
        }
        *c = (cursor){c->at, c->at + length, block, (uint32_t)block_first(s, block)};
    }
    c->at = pass(c->at, c->end, number - c->next);
    c->next = number;
    return c->at ? POCKET_OK : wrong_record(c, error);
}

/* Documents on their way into one piece of memory: these structures, then the strings, whose places
 * are filled in last. */
typedef struct taking {
    const pocket_index *index;
    const uint32_t *numbers;
    uint32_t count, done, missed;
    pocket_document *documents;
    uint8_t *strings;
    uint64_t size, used, wanted; /* of the strings; wanted: more than there is room for */
    pocket_error *error;
} taking;

static int make_room(taking *b) {
    uint64_t before = (uint64_t)b->count * sizeof *b->documents,
             size = 2 * b->size + b->wanted + 64u * (uint64_t)b->count + 256;
    uint8_t *memory = before + size > SIZE_MAX ? NULL : pocket_malloc((size_t)(before + size));
    if (!memory) return 0;
    if (b->used) {
        memcpy(memory, b->documents, b->done * sizeof *b->documents);
        memcpy(memory + before, b->strings, (size_t)b->used);
    }
    pocket_free(b->documents);
    b->documents = (pocket_document *)memory;
    b->strings = memory + before;
    b->size = size;
    b->wanted = 0;
    return 1;
}

/* A record that was unpacked to where its strings are to stay, as title, id, url: zeros between
 * them, and the url where it comes from the template. */
static int settle(taking *b, const record *r) {
    uint32_t url = r->url_length ? r->url_length : url_expand(b->index, r, NULL);
    uint64_t whole = (uint64_t)r->title_length + r->id_length + url + 3;
    if (whole > b->size - b->used) {
        b->wanted = whole;
        return 0;
    }
    char *title = (char *)b->strings + b->used, *id = title + r->title_length + 1;
    if (!r->url_length) url_expand(b->index, r, id + r->id_length + 1);
    id[-1] = id[r->id_length] = id[r->id_length + 1 + url] = 0;
    b->documents[b->done] = (pocket_document){
        .id_length = r->id_length, .title_length = r->title_length, .url_length = url};
    b->used += whole;
    return 1;
}

/* As many as there is room for. Blocks that are not at hand are all asked for before any is. */
static uint32_t take_documents(void *argument) {
    taking *b = argument;
    cursor c = {.at = NULL};
    for (; b->done < b->count; b->done++) {
        uint32_t number = b->numbers[b->done], status;
        record r;
        if (number >= b->index->documents)
            return no_document(b->error, POCKET_DOCUMENTS, b->index->documents, number);
        if ((status = seek(b->index, &c, number, b->error)) == POCKET_NOT_AT_HAND) {
            b->missed = 1;
            continue;
        }
        if (status) return status;
        if (b->missed) continue;
        uint32_t read =
            record_read(b->index, &c.at, c.end, b->strings + b->used, b->size - b->used, &r);
        if (read == RECORD_WRONG) return wrong_record(&c, b->error);
        if (read == RECORD_READ && !record_is_utf8(&r))
            return fail(b->error, POCKET_DAMAGED_FIELD, POCKET_DOCUMENTS, c.block, "UTF-8", 0, 0);
        if (read == RECORD_CUT) b->wanted = RECORD_ROOM;
        if (read == RECORD_CUT || !settle(b, &r)) return POCKET_OK;
        c.next++;
    }
    return b->missed ? POCKET_NOT_AT_HAND : POCKET_OK;
}

pocket_status pocket_documents_get(const pocket_index *x, const uint32_t *numbers, uint32_t count,
                                   pocket_document **documents, pocket_error *error) {
    taking b = {.index = x, .numbers = numbers, .count = count, .error = error};
    uint32_t status = POCKET_OK;
    *documents = NULL;
    clear(error);
    do {
        if (!make_room(&b))
            status = fail(error, POCKET_NO_MEMORY, POCKET_DOCUMENTS, -1, NULL, 0, 0);
        else
            status = guarded(x, take_documents, &b);
    } while (!status && b.done < count);
    if (status) {
        pocket_free(b.documents);
        return fail_as(error, status);
    }
    const char *at = (const char *)b.strings;
    for (uint32_t i = 0; i < count; i++) {
        pocket_document *d = &b.documents[i];
        d->title = at;
        d->id = d->title + d->title_length + 1;
        d->url = d->id + d->id_length + 1;
        at = d->url + d->url_length + 1;
    }
    *documents = b.documents;
    return POCKET_OK;
}

pocket_status pocket_document_get(const pocket_index *x, uint32_t number,
                                  pocket_document **document, pocket_error *error) {
    return pocket_documents_get(x, &number, 1, document, error);
}

void pocket_document_free(pocket_document *documents) { pocket_free(documents); }

struct sought {
    const pocket_index *index;
    const char *id;
    uint64_t key;
    uint32_t length, number;
    int found;
    look_up look_up;
    uint8_t *room; /* RECORD_ROOM */
    meter steps;
    pocket_error *error;
};

static uint32_t find(void *argument) {
    struct sought *f = argument;
    const tables *ids = &f->index->ids;
    cursor c = {.at = NULL};
    uint32_t status = look_up_run(&f->look_up, f->index, ids, 0, &f->key, 1, f->error);
    if (status || f->look_up.match_count == 0) return status;
    const match *m = &f->look_up.matches[0];
    for (uint32_t i = 0, least = 0; i < m->count && !f->found; i++) {
        uint32_t document = match_posting(m, ids, i);
        record r;
        if (interrupted(&f->steps, 32)) return POCKET_INTERRUPTED;
        /* Falling ones could have the same blocks read again and again. */
        if (document < least)
            return allowing(f->error, "at least %",
                            fail(f->error, POCKET_DAMAGED_FIELD, POCKET_IDS, m->part, "posting",
                                 least, document));
        if (document >= f->index->documents)
            return allowing(f->error, "less than %",
                            fail(f->error, POCKET_DAMAGED_FIELD, POCKET_IDS, m->part, "posting",
                                 f->index->documents, document));
        if ((status = seek(f->index, &c, document, f->error))) return status;
        if (record_read(f->index, &c.at, c.end, f->room, RECORD_ROOM, &r) != RECORD_READ)
            return wrong_record(&c, f->error);
        f->found = r.id_length == f->length && !memcmp(r.id, f->id, f->length);
        f->number = document;
        c.next = least = document + 1;
    }
    return POCKET_OK;
}

pocket_status pocket_find(const pocket_index *x, const char *id, uint32_t length, uint32_t *number,
                          pocket_error *error) {
    if (!id) id = "";
    struct sought f = {.index = x,
                       .id = id,
                       .length = length,
                       .key = murmur((const uint8_t *)id, length),
                       .steps = meter_of(x),
                       .error = error};
    clear(error);
    f.room = pocket_malloc(RECORD_ROOM);
    uint32_t status = POCKET_NO_MEMORY;
    if (look_up_alloc(&f.look_up, 1, x->most_parts) && f.room)
        status = guarded(x, find, &f);
    else
        fail(error, status, POCKET_IDS, -1, NULL, 0, 0);
    look_up_free(&f.look_up);
    pocket_free(f.room);
    if (status) return fail_as(error, status);
    if (!f.found) return fail(error, POCKET_NOT_FOUND, POCKET_IDS, -1, "id", 0, 0);
    *number = f.number;
    return POCKET_OK;
}
