/* A file of which blocks come when they are asked for: a page has its bytes from scripts, over HTTP
 * or by slices of a picked file. */
#include "query/open.h"

pocket_status pocket_open_pieces(const uint8_t *heads, uint64_t length, pocket_index **index,
                                 pocket_error *error) {
    return open_bytes(heads, length, 1, index, error);
}

static const section *find_section(const pocket_index *x, uint32_t kind) {
    for (uint32_t i = 0; x->lent && i < x->section_count; i++)
        if (x->sections[i].kind == kind) return &x->sections[i];
    return NULL;
}

static void mark(atomic_bits *bits, uint64_t number, int set) {
    unsigned char bit = (unsigned char)(1u << (number & 7));
    if (set)
        bits_set(&bits[number >> 3], bit);
    else
        bits_clear(&bits[number >> 3], bit);
}

void pocket_missed(const pocket_index *x, pocket_block *blocks, uint32_t *count) {
    uint32_t room = *count;
    *count = 0;
    for (uint32_t i = 0; x->lent && i < x->section_count; i++) {
        const section *s = &x->sections[i];
        for (uint32_t block = 0; block < s->blocks && *count < room; block++) {
            uint64_t number = s->first_block + block, start = block_start(s, block);
            if (!(bits_load(&x->missed[number >> 3]) >> (number & 7) & 1)) continue;
            blocks[(*count)++] = (pocket_block){s->offset + s->head + start,
                                                block_end(s, block) - start, s->kind, block};
        }
    }
}

pocket_status pocket_miss(const pocket_index *x, uint32_t kind) {
    const section *s = find_section(x, kind);
    if (!s) return POCKET_BAD_ARGUMENT;
    for (uint32_t block = 0; block < s->blocks; block++)
        if (!x->lent[s->first_block + block]) mark(x->missed, s->first_block + block, 1);
    return POCKET_OK;
}

pocket_status pocket_lend(pocket_index *x, uint32_t kind, uint32_t block, const uint8_t *bytes) {
    const section *s = find_section(x, kind);
    if (!s || block >= s->blocks) return POCKET_BAD_ARGUMENT;
    uint64_t number = s->first_block + block;
    if (block_end(s, block) - block_start(s, block) > SIZE_MAX) return POCKET_NO_MEMORY;
    x->lent[number] = bytes;
    mark(x->checked, number, 0);
    mark(x->missed, number, 0);
    return POCKET_OK;
}
