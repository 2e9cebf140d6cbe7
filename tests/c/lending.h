/* A file in pieces, lent block by block: each has its exact size on the heap, so that a sanitizer
 * sees a step out of a block, which in the whole file would land in the next one. */
#ifndef LENDING_H
#define LENDING_H

#include "ask.h"

enum { ROOM = 3, MOST = 4096 };

typedef struct pieces {
    const uint8_t *file;
    uint8_t *heads, *lent[MOST];
    uint64_t length;
    uint32_t count;
    pocket_index *index;
} pieces;

static inline uint8_t *copy(const uint8_t *bytes, uint64_t length) {
    uint8_t *out = malloc(length ? length : 1);
    if (!out) exit(2);
    memcpy(out, bytes, length);
    return out;
}

static inline void gather_heads(pieces *p) {
    uint32_t sections = load32(p->file + 12);
    uint64_t at = 32 + 40ull * sections, most = at;
    for (uint32_t i = 0; i < sections; i++)
        most += load32(p->file + 32 + 40 * i + 24) + 20ull * load32(p->file + 32 + 40 * i + 28);
    p->heads = copy(p->file, at);
    p->heads = realloc(p->heads, most);
    if (!p->heads) exit(2);
    for (uint32_t i = 0; i < sections; i++) {
        const uint8_t *entry = p->file + 32 + 40 * i;
        uint64_t length = load32(entry + 24) + 20ull * load32(entry + 28);
        memcpy(p->heads + at, p->file + load64(entry + 8), length);
        at += length;
    }
    p->length = at;
}

/* Lend all that was missed; returns how many blocks. */
static inline uint32_t lend(pieces *p) {
    pocket_block blocks[ROOM];
    uint32_t all = 0, count = ROOM;
    for (pocket_missed(p->index, blocks, &count); count > 0;
         pocket_missed(p->index, blocks, &count)) {
        for (uint32_t i = 0; i < count; i++, all++) {
            if (p->count == MOST) exit(2);
            uint8_t *bytes = p->lent[p->count++] =
                copy(p->file + blocks[i].offset, blocks[i].length);
            if (pocket_lend(p->index, blocks[i].section, blocks[i].number, bytes)) abort();
        }
        count = ROOM;
    }
    return all;
}

static inline void close_pieces(pieces *p) {
    pocket_close(p->index);
    for (uint32_t i = 0; i < p->count; i++) free(p->lent[i]);
    free(p->heads);
}

#endif
