/* Deflated blocks (docs/format.md, 6.1 and 6.2). */
#include "file/stored/content.h"

#include "base/bytes.h"
#include "base/inflate.h"
#include "base/memory.h"

struct fetch {
    const pocket_index *index;
    uint32_t kind, block, most;
    int no_cache;
    const uint8_t *bytes;
    uint64_t length;
    uint32_t raw;
    pocket_error *error;
};

static uint32_t measure(void *argument) {
    struct fetch *f = argument;
    const section *s = f->index->by_kind[f->kind];
    uint32_t status =
        block_get(f->index, s, f->block, f->no_cache, &f->bytes, &f->length, f->error);
    if (status) return status;
    if (f->length < 4)
        return allowing(f->error, "at least %",
                        fail(f->error, POCKET_DAMAGED_FIELD, s->kind, f->block,
                             "length of the block", 4, f->length));
    f->raw = once(load32(f->bytes));
    if (f->raw < 1 || f->raw > f->most)
        return allowing(f->error, "1 .. %",
                        fail(f->error, POCKET_DAMAGED_FIELD, s->kind, f->block,
                             "length of the content", f->most, f->raw));
    return POCKET_OK;
}

void content_close(content *c) {
    inflate_end(c->inflater);
    pocket_free(c->bytes);
    c->inflater = NULL;
    c->bytes = NULL;
}

uint32_t content_open(content *c, uint32_t kind, uint32_t block, uint32_t most, int no_cache,
                      pocket_error *error) {
    struct fetch f = {.index = c->index,
                      .kind = kind,
                      .block = block,
                      .most = most,
                      .no_cache = no_cache,
                      .error = error};
    content_close(c);
    uint32_t status = guarded(c->index, measure, &f);
    if (status) return status;
    c->bytes = pocket_malloc(f.raw);
    if (c->bytes) c->inflater = inflate_begin(f.bytes + 4, (size_t)f.length - 4, c->bytes, f.raw);
    if (!c->inflater) {
        content_close(c);
        return fail(error, POCKET_NO_MEMORY, kind, block, NULL, 0, 0);
    }
    c->length = f.raw;
    c->kind = kind;
    c->block = block;
    c->ready = 0;
    return POCKET_OK;
}

static uint32_t go_on(void *argument) {
    const content *c = argument;
    return inflate_until(c->inflater, c->ready) ? (uint32_t)POCKET_DAMAGED_FIELD : POCKET_OK;
}

uint32_t content_until(content *c, uint32_t place, pocket_error *error) {
    if (place > c->length) place = c->length;
    if (place <= c->ready) return POCKET_OK;
    c->ready = place;
    uint32_t status = guarded(c->index, go_on, c);
    return status == POCKET_DAMAGED_FIELD
               ? fail(error, status, c->kind, c->block, "deflate stream", 0, 0)
               : status;
}

uint32_t content_get(const pocket_index *x, uint32_t kind, uint32_t block, uint32_t most,
                     int no_cache, uint8_t **bytes, uint32_t *length, pocket_error *error) {
    content c = {.index = x};
    *bytes = NULL;
    uint32_t status = content_open(&c, kind, block, most, no_cache, error);
    if (!status) status = content_until(&c, c.length, error);
    if (!status) {
        *bytes = c.bytes;
        *length = c.length;
        c.bytes = NULL;
    }
    content_close(&c);
    return status;
}

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
