#include "sketch/sketch.h"

#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/meter.h"

#define MOST_COMPONENTS 4096u

uint32_t sketch_bytes(const profile *p) { return (p->sketch_bits + 7) / 8; }

uint32_t coarse_bytes(const profile *p) {
    return sketch_bytes(p) < COARSE_BYTES ? sketch_bytes(p) : COARSE_BYTES;
}

const uint8_t *sketch_whole(const profile *p, packed_sketch s, uint8_t *room) {
    uint32_t bytes = sketch_bytes(p);
    if (bytes <= COARSE_BYTES) return s.coarse;
    memcpy(room, s.coarse, COARSE_BYTES);
    memcpy(room + COARSE_BYTES, s.rest, bytes - COARSE_BYTES);
    return room;
}

void sketch_pack(const profile *p, const uint8_t *digits, uint8_t *packed) {
    uint64_t bit = 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t bits = digit_bits(component_intervals(p, j));
        store_bits(packed, bit, bits, digits[j]);
        bit += bits;
    }
}

int sketch_unpack(const profile *p, const uint8_t *packed, uint32_t first, uint32_t count,
                  uint32_t bit, uint8_t *digits) {
    for (uint32_t j = 0; j < count; j++) {
        uint32_t r = component_intervals(p, first + j), bits = digit_bits(r),
                 digit = load_bits(packed, bit, bits);
        if (digit >= r) return 0;
        digits[j] = (uint8_t)digit;
        bit += bits;
    }
    return 1;
}

uint64_t sub_key_of_digits(const profile *p, uint32_t t, const uint8_t *digits) {
    const sub_key *key = &p->keys[t];
    uint8_t own[MOST_COMPONENTS];
    uint64_t sum = 0;
    uint32_t copied = 0;
    if (key->hashed) {
        for (const key_row *row = key->rows; row < key->rows + key->row_count;
             copied += row++->count)
            memcpy(own + copied, digits + row->first, row->count);
        return murmur(own, key->count);
    }
    for (const key_row *row = key->rows + key->row_count; row-- > key->rows;)
        for (uint32_t j = row->first + row->count; j-- > row->first;)
            sum = sum * (key->summed ? 1 : component_intervals(p, j)) + digits[j];
    return sum;
}

/* At most 64 bits. */
static uint64_t load_long(const uint8_t *packed, uint32_t bit, uint32_t bits) {
    uint32_t low = bits < 32 ? bits : 32;
    return load_bits(packed, bit, low) | (uint64_t)load_bits(packed, bit + low, bits - low) << 32;
}

int sub_key_of_packed(const profile *p, uint32_t t, const uint8_t *packed, uint64_t *key) {
    const sub_key *sub = &p->keys[t];
    if (sub->packed) {
        uint32_t filled = 0;
        *key = 0;
        for (const key_row *row = sub->rows; row < sub->rows + sub->row_count;
             filled += row++->bits)
            *key |= load_long(packed, row->bit, row->bits) << filled;
        return 1;
    }
    uint8_t digits[MOST_COMPONENTS];
    for (const key_row *row = sub->rows; row < sub->rows + sub->row_count; row++)
        if (!sketch_unpack(p, packed, row->first, row->count, row->bit, digits + row->first))
            return 0;
    *key = sub_key_of_digits(p, t, digits);
    return 1;
}

int sketch_alloc(sketch *s, const profile *p, int margins) {
    size_t n = p->component_count;
    uint32_t *memory = pocket_malloc(n + (margins ? 3 * n * sizeof(uint32_t) : 0));
    memset(s, 0, sizeof *s);
    s->least = p->least_terms;
    if (!memory) return 0;
    if (margins) {
        s->down = memory;
        s->up = memory + n;
        s->weights = memory + 2 * n;
    }
    s->digits = (uint8_t *)(margins ? memory + 3 * n : memory);
    return 1;
}

void sketch_free(sketch *s) { pocket_free(s->down ? (void *)s->down : (void *)s->digits); }

uint32_t sketch_text(const profile *p, const uint8_t *text, uint64_t length, sketch *s) {
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    uint32_t status = p->scheme->embed(p, text, length, s);
    return s->meter && s->meter->ended ? (uint32_t)POCKET_INTERRUPTED : status;
}

int sketch_stored(const profile *p, const uint8_t *packed, sketch *s) {
    if (!sketch_unpack(p, packed, 0, p->component_count, 0, s->digits)) return 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t last = component_intervals(p, j) - 1;
        s->weights[j] = 0;
        s->down[j] = p->scheme->ordered && s->digits[j] > 0 ? 1 : POCKET_NO_MOVE;
        s->up[j] = p->scheme->ordered && s->digits[j] < last ? 1 : POCKET_NO_MOVE;
    }
    return 1;
}
