#include "sketch.h"

#include "bytes.h"
#include "hash.h"
#include "memory.h"

uint32_t sketch_bytes(const profile *p) { return (p->sketch_bits + 7) / 8; }

void sketch_pack(const profile *p, const uint8_t *digits, uint8_t *packed) {
    uint64_t bit = 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t bits = digit_bits(component_intervals(p, j));
        store_bits(packed, bit, bits, digits[j]);
        bit += bits;
    }
}

int sketch_unpack(const profile *p, const uint8_t *packed, uint32_t first, uint32_t count, uint32_t bit, uint8_t *digits) {
    for (uint32_t j = 0; j < count; j++) {
        uint32_t r = component_intervals(p, first + j), bits = digit_bits(r), digit = load_bits(packed, bit, bits);
        if (digit >= r) return 0;
        digits[j] = (uint8_t)digit;
        bit += bits;
    }
    return 1;
}

uint64_t sub_key_of_digits(const profile *p, uint32_t t, const uint8_t *digits) {
    const sub_key *key = &p->keys[t];
    if (key->hashed) return pocket_murmur(digits, key->count);
    uint64_t sum = 0;
    for (uint32_t j = key->count; j-- > 0;) sum = sum * (key->summed ? 1 : component_intervals(p, key->first + j)) + digits[j];
    return sum;
}

int sub_key_of_packed(const profile *p, uint32_t t, const uint8_t *packed, uint64_t *key) {
    const sub_key *sub = &p->keys[t];
    if (sub->packed) {
        uint32_t low = sub->bits < 32 ? sub->bits : 32;
        *key = load_bits(packed, sub->bit, low) | (uint64_t)load_bits(packed, sub->bit + low, sub->bits - low) << 32;
        return 1;
    }
    uint8_t digits[4096];
    if (!sketch_unpack(p, packed, sub->first, sub->count, sub->bit, digits)) return 0;
    *key = sub_key_of_digits(p, t, digits);
    return 1;
}

uint32_t calibrate(const profile *p, uint32_t agreement) {
    uint32_t position = agreement * (p->points - 1), i = position >> 16, f = position & 0xFFFFu;
    uint32_t y = load16(p->calibration + 2 * i);
    if (f > 0) y += (load16(p->calibration + 2 * (i + 1)) - y) * f >> 16;
    return y > 9999 ? 9999 : y;
}

int sketch_alloc(sketch *s, const profile *p, int margins) {
    size_t n = p->component_count;
    uint32_t *memory = pocket_malloc(n + (margins ? 3 * n * sizeof(uint32_t) : 0));
    memset(s, 0, sizeof *s);
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
    if (length > POCKET_MAX_TEXT) return POCKET_TEXT_TOO_LONG;
    return p->scheme->embed(p, text, length, s);
}
