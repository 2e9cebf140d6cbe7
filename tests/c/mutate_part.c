/* Parts, `pilot` and `quotient` hashes with bytes changed, cut and made up: whatever part_open
 * accepts can be looked up without a step outside, and every answer stays in its range. Bytes lie
 * in memory of exactly their size, so that the sanitizer sees any step.
 *
 * clang -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover -Icbits
 * tests/c/mutate_part.c cbits/file/keys/pilot.c cbits/build/pilot_build.c cbits/file/keys/quotient.c
 * cbits/file/keys/part.c cbits/build/part_build.c -o mutate_part && ./mutate_part 20000 1
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "build/pocket_build.h"
#include "file/keys/part.h"

#define MOST 3000u

static uint64_t state;

static uint64_t draw(uint64_t below) {
    state += 0x9E3779B97F4A7C15ull;
    return mix64(state) % below;
}

static void require(int true, const char *what) {
    if (true) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Keys, postlists and a part of them. lists: the most postings of a list. */
typedef struct sample {
    uint64_t keys[MOST], starts[MOST + 1];
    uint32_t postings[8 * MOST], n;
    pocket_part_settings settings;
    uint8_t *part;
    uint64_t length;
} sample;

/* Between two keys, so that a quotient has 256 at most. */
static uint64_t gap(const sample *s) {
    if (s->settings.mph == POCKET_MPH_PILOT) return 1 + draw(1ull << draw(40));
    uint32_t rest = s->settings.checksum_bits;
    return (1ull << (rest - 8)) + draw(1ull << (rest - draw(5)));
}

static uint64_t mixed_key(const pocket_part_settings *s, uint64_t key) {
    return s->mph == POCKET_MPH_QUOTIENT ? key : mix64(key);
}

/* The slot of a mixed key; the part's keys count from first. */
static int slot_of(const part *p, const pocket_part_settings *s, uint64_t first, uint64_t mixed,
                   uint32_t *slot) {
    if (s->mph == POCKET_MPH_QUOTIENT)
        return quotient_slot(&p->quotient, mixed - (first >> s->checksum_bits << s->checksum_bits),
                             slot);
    pilot_slots(&p->pilot, &mixed, 1, slot);
    return 1;
}

static void make(sample *s, uint32_t n, uint32_t lists) {
    static const uint32_t checksums[] = {0, 8, 16, 32};
    s->n = n;
    s->settings =
        (pocket_part_settings){POCKET_MPH_PILOT, checksums[draw(4)], 16 + (uint32_t)draw(17), 0};
    if (draw(3) == 0) {
        s->settings.mph = POCKET_MPH_QUOTIENT;
        s->settings.checksum_bits = 8 * (1 + (uint32_t)draw(4));
    }
    uint64_t key = 0;
    s->starts[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        s->keys[i] = key += gap(s);
        s->starts[i + 1] = s->starts[i] + 1 + draw(lists);
        uint32_t posting = 0;
        for (uint64_t j = s->starts[i]; j < s->starts[i + 1]; j++)
            s->postings[j] = posting += 1 + (uint32_t)draw(8000);
    }
    pocket_effort effort;
    uint32_t status = pocket_part_build(&s->settings, s->keys, n, s->starts, s->postings, NULL, 0,
                                        NULL, &s->part, &s->length, &effort);
    require(status == POCKET_OK, "a good part is not built");
}

/* The part says what went in. */
static void read_back(const sample *s) {
    part p;
    require(!part_open(&p, s->part, s->length, s->settings.mph, s->settings.checksum_bits,
                       s->settings.posting_bits),
            "a good part is refused");
    uint64_t first = mixed_key(&s->settings, s->keys[0]), last;
    if (s->settings.mph == POCKET_MPH_QUOTIENT)
        require(!quotient_check(&p.quotient, first % (1ull << s->settings.checksum_bits), &last),
                "the hash of a good part");
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t mixed = mixed_key(&s->settings, s->keys[i]);
        uint32_t slot, start, count;
        require(slot_of(&p, &s->settings, first, mixed, &slot), "a contradiction of a good part");
        require(part_agrees(&p, slot, mixed), "checksum of a good part");
        count = part_postlist(&p, slot, &start);
        require(count == s->starts[i + 1] - s->starts[i], "length of a good postlist");
        for (uint32_t j = 0; j < count; j++)
            require(part_posting(&p, start + j) == s->postings[s->starts[i] + j],
                    "posting of a good part");
    }
}

/* 1 when it was accepted. */
static int look_up(const uint8_t *bytes, uint64_t length, const pocket_part_settings *s) {
    part p;
    if (part_open(&p, bytes, length, s->mph, s->checksum_bits, s->posting_bits)) return 0;
    uint64_t last;
    int in_order = s->mph == POCKET_MPH_QUOTIENT;
    if (in_order) (void)quotient_check(&p.quotient, draw(256), &last);
    for (int i = 0; i < 70; i++) {
        uint64_t mixed =
            in_order ? draw(1ull << (s->checksum_bits + draw(14))) : mix64(draw(~0ull));
        uint32_t slot, start, count;
        if (!slot_of(&p, s, 0, mixed, &slot)) continue;
        require(slot < p.keys + (uint32_t)in_order, "a slot outside");
        (void)part_agrees(&p, slot, mixed);
        if (slot == p.keys) continue;
        count = part_postlist(&p, slot, &start);
        require(count <= p.count && (count == 0 || start <= p.count - count), "a postlist outside");
        if (count) (void)part_posting(&p, start + count - 1);
    }
    return 1;
}

static uint8_t *changed(const sample *s, uint64_t *length) {
    *length = draw(8) ? s->length : draw(s->length + 1);
    uint8_t *bytes = malloc(*length + (*length == 0));
    require(bytes != NULL, "memory");
    memcpy(bytes, s->part, *length);
    uint64_t head = PART_HEAD + PILOT_HEAD, tail = s->length - head;
    for (uint64_t i = draw(6); i > 0 && *length > 0; i--) {
        uint64_t at = draw(3) ? draw(tail) + head : draw(head);
        if (at < *length) bytes[at] = (uint8_t)(draw(2) ? draw(256) : bytes[at] ^ 1u << draw(8));
    }
    return bytes;
}

/* Widths that no table has, and a hash of no keys or of too many, where a good part stands. */
static void refuse(const sample *s) {
    const uint32_t widths[][2] = {{40, 9}, {12, 9}, {8, 0}, {8, 33}};
    part p;
    pilot hash;
    quotient other;
    for (int i = 0; i < 4; i++)
        require(part_open(&p, s->part, s->length, s->settings.mph, widths[i][0], widths[i][1]) !=
                    NULL,
                "a width that there is not is accepted");
    require(!pilot_open(&hash, s->part + PART_HEAD, s->length - PART_HEAD, 0),
            "a hash of no keys is accepted");
    require(!pilot_open(&hash, s->part + PART_HEAD, s->length - PART_HEAD, PILOT_KEYS + 1),
            "a hash of too many keys is accepted");
    require(!quotient_open(&other, s->part + PART_HEAD, 3, 1, s->part, 8),
            "a hash without its quotients is accepted");
}

int main(int count, char **arguments) {
    static sample s;
    require(count == 3, "usage: mutate_part ROUNDS SEED");
    uint64_t rounds = strtoull(arguments[1], NULL, 10), accepted = 0;
    state = strtoull(arguments[2], NULL, 10);
    for (uint64_t round = 0; round < rounds; round++) {
        if (round % 50 == 0) {
            pocket_release(s.part);
            make(&s, 1 + (uint32_t)draw(draw(4) ? 200 : MOST), draw(3) ? 8 : 1);
            read_back(&s);
            refuse(&s);
        }
        uint64_t length;
        uint8_t *bytes = changed(&s, &length);
        accepted += (uint64_t)look_up(bytes, length, &s.settings);
        free(bytes);
    }
    pocket_release(s.part);
    printf("%llu of %llu accepted\n", (unsigned long long)accepted, (unsigned long long)rounds);
    return 0;
}
