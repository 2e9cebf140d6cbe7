/* A pocket file as its sections, blocks and contents, so that a change in one leaves the rest
 * well-formed: take_apart, change, put_together. Memory is taken from a room that the next file
 * takes again; what does not fit is given up. */
#ifndef MODEL_H
#define MODEL_H

#include <string.h>
#include <zlib.h>

#include "../../cbits/base/bytes.h"
#include "../../cbits/base/hashes/crc32c.h"
#include "../../cbits/pocket.h"
#include "inflate_raw.h"

enum { MOST_SECTIONS = 16, MOST_BLOCKS = 512, MOST_CONTENT = 1 << 17 };

typedef struct bytes {
    uint8_t *at;
    size_t length;
} bytes;

typedef struct model_block {
    uint64_t first;
    bytes bytes;
} model_block;

typedef struct model_section {
    uint32_t kind, flags, blocks;
    bytes parameters;
    model_block block[MOST_BLOCKS];
} model_section;

typedef struct model {
    uint16_t major, minor;
    uint32_t sections;
    model_section section[MOST_SECTIONS];
} model;

static uint8_t model_room[1 << 23];
static size_t model_taken;

/* Length 0 where there is no room. */
static inline bytes take(size_t length) {
    if (length > sizeof model_room - model_taken) length = 0;
    bytes b = {model_room + model_taken, length};
    model_taken += length;
    return b;
}

static inline bytes taken_copy(const uint8_t *at, size_t length) {
    bytes b = take(length);
    if (b.length) memcpy(b.at, at, b.length);
    return b;
}

/* 0 where the bytes are no file whose sections and blocks can be told apart. */
static inline int take_apart(const uint8_t *b, size_t length, model *m) {
    if (length < 32 || load32(b + 12) > MOST_SECTIONS || length - 32 < 40 * load32(b + 12))
        return 0;
    m->major = load16(b + 8);
    m->minor = load16(b + 10);
    m->sections = load32(b + 12);
    for (uint32_t i = 0; i < m->sections; i++) {
        const uint8_t *entry = b + 32 + 40 * i;
        model_section *s = &m->section[i];
        uint64_t offset = load64(entry + 8), size = load64(entry + 16),
                 parameters = load32(entry + 24), blocks = load32(entry + 28), before = 0;
        if (blocks > MOST_BLOCKS || offset > length || size > length - offset ||
            parameters + 20 * blocks > size)
            return 0;
        s->kind = load32(entry);
        s->flags = load32(entry + 4);
        s->blocks = (uint32_t)blocks;
        s->parameters = taken_copy(b + offset, parameters);
        const uint8_t *directory = b + offset + parameters, *content = directory + 20 * blocks;
        for (uint32_t k = 0; k < blocks; k++) {
            uint64_t end = load64(directory + 20 * k + 8);
            if (end < before || end > size - parameters - 20 * blocks) return 0;
            s->block[k] = (model_block){load64(directory + 20 * k),
                                        taken_copy(content + before, end - before)};
            before = end;
        }
    }
    return 1;
}

/* The length of the file, with checksums that agree; 0 where it does not fit. */
static inline size_t put_together(const model *m, uint8_t *out, size_t room) {
    size_t at = 32 + 40 * (size_t)m->sections;
    if (at > room) return 0;
    memcpy(out, "\x89PCKT\r\n\x1a", 8);
    store16(out + 8, m->major);
    store16(out + 10, m->minor);
    store32(out + 12, m->sections);
    store32(out + 24, 0);
    for (uint32_t i = 0; i < m->sections; i++) {
        const model_section *s = &m->section[i];
        for (; at % 8; at++) out[at] = 0;
        size_t parameters = pad8(s->parameters.length), head = parameters + 20 * s->blocks, end = 0;
        for (uint32_t k = 0; k < s->blocks; k++) end += s->block[k].bytes.length;
        if (at + head + end + 8 > room) return 0;
        uint8_t *entry = out + 32 + 40 * i, *directory = out + at + parameters,
                *content = directory + 20 * s->blocks;
        memset(out + at, 0, head);
        if (s->parameters.length) memcpy(out + at, s->parameters.at, s->parameters.length);
        size_t before = 0;
        for (uint32_t k = 0; k < s->blocks; k++) {
            const bytes *b = &s->block[k].bytes;
            if (b->length) memcpy(content + before, b->at, b->length);
            store64(directory + 20 * k, s->block[k].first);
            store32(directory + 20 * k + 16, crc32c(0, content + before, b->length));
            store64(directory + 20 * k + 8, before += b->length);
        }
        store32(entry, s->kind);
        store32(entry + 4, s->flags);
        store64(entry + 8, at);
        store64(entry + 16, head + end);
        store32(entry + 24, (uint32_t)parameters);
        store32(entry + 28, s->blocks);
        store32(entry + 32, crc32c(0, out + at, head));
        store32(entry + 36, 0);
        at += head + end;
    }
    store64(out + 16, at);
    store32(out + 28, crc32c(crc32c(0, out, 28), out + 32, 40 * (size_t)m->sections));
    return at;
}

/* ---- deflated contents (docs/format.md 6.1) ---- */

static inline bytes inflated(const bytes *block) {
    uint32_t length = block->length < 4 ? 0 : load32(block->at);
    if (length < 1 || length > MOST_CONTENT) return (bytes){0};
    bytes content = take(length);
    if (!content.length ||
        inflate_raw(block->at + 4, block->length - 4, content.at, content.length))
        return (bytes){0};
    return content;
}

static inline bytes deflated(const bytes *content, int level, int strategy) {
    bytes block = take(content->length + content->length / 8 + 256);
    z_stream z = {0};
    if (!block.length || deflateInit2(&z, level, Z_DEFLATED, -15, 8, strategy) != Z_OK)
        return (bytes){0};
    store32(block.at, (uint32_t)content->length);
    z.next_in = content->at;
    z.avail_in = (uInt)content->length;
    z.next_out = block.at + 4;
    z.avail_out = (uInt)block.length - 4;
    int done = deflate(&z, Z_FINISH);
    block.length -= z.avail_out;
    deflateEnd(&z);
    return done == Z_STREAM_END ? block : (bytes){0};
}

#endif
