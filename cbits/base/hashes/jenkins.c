#include "base/hashes/jenkins.h"

typedef struct lookup3_state {
    uint32_t a, b, c;
} lookup3_state;

static uint32_t turned(uint32_t x, uint32_t by) { return x << by | x >> (32 - by); }

/* Twelve bytes have been added, and more follow. */
static void lookup3_mix(lookup3_state *s) {
    static const uint32_t turns[6] = {4, 6, 8, 16, 19, 4};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t a = s->a - s->c;
        a ^= turned(s->c, turns[i]);
        /* The three take turns: what was b comes next. */
        *s = (lookup3_state){s->b, s->c + s->b, a};
    }
}

static void lookup3_finish(lookup3_state *s) {
    static const uint32_t turns[7] = {14, 11, 25, 16, 4, 14, 24};
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t c = (s->c ^ s->b) - turned(s->b, turns[i]);
        *s = (lookup3_state){s->b, c, s->a};
    }
    *s = (lookup3_state){s->c, s->a, s->b}; /* seven turns are one more than two rounds */
}

/* The next `count` bytes, at most 12; zeros stand for the others. */
static void lookup3_add(lookup3_state *s, const uint8_t *bytes, size_t count) {
    uint32_t words[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    s->a += words[0];
    s->b += words[1];
    s->c += words[2];
}

uint64_t lookup3(const uint8_t *bytes, size_t length) {
    uint32_t start = 0xDEADBEEFu + (uint32_t)length;
    lookup3_state s = {start, start, start};
    for (; length > 12; length -= 12, bytes += 12) {
        lookup3_add(&s, bytes, 12);
        lookup3_mix(&s);
    }
    if (length > 0) {
        lookup3_add(&s, bytes, length);
        lookup3_finish(&s);
    }
    return (uint64_t)s.b << 32 | s.c;
}
