/* The distinct words of texts with numbers and sums: what a site's index counts. */
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/pocket_build.h"
#include "sketch/profile.h"
#include "text/word_stream.h"

#define LEAST_SLOTS 1024u

/* A word: its line begins at `at`. texts: a bit for each that it is in. */
typedef struct entry {
    uint64_t hash, at;
    uint32_t length;
    uint8_t texts;
} entry;

/* slots: an open-addressed table, where 0 is free, and else 1 + number; entries and sums have room
 * for half as many. */
struct pocket_word_table {
    uint8_t *lines;
    uint64_t size, room;
    entry *entries;
    uint32_t *sums, *slots, count, slot_count;
    uint8_t texts; /* of what is added now */
};

/* Have room for twice as many words. */
static int grow_slots(pocket_word_table *t) {
    uint32_t count = t->slot_count ? 2 * t->slot_count : LEAST_SLOTS;
    entry *entries = pocket_malloc(count / 2 * sizeof *entries);
    uint32_t *sums = pocket_malloc(count / 2 * sizeof *sums);
    uint32_t *slots = pocket_malloc(count * sizeof *slots);
    if (!entries || !sums || !slots || count < t->slot_count) {
        pocket_free(entries);
        pocket_free(sums);
        pocket_free(slots);
        return 0;
    }
    if (t->count) memcpy(entries, t->entries, t->count * sizeof *entries);
    if (t->count) memcpy(sums, t->sums, t->count * sizeof *sums);
    pocket_free(t->entries);
    pocket_free(t->sums);
    pocket_free(t->slots);
    t->entries = entries;
    t->sums = sums;
    t->slots = slots;
    t->slot_count = count;
    memset(slots, 0, count * sizeof *slots);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t slot = (uint32_t)entries[i].hash & (count - 1);
        while (slots[slot]) slot = (slot + 1) & (count - 1);
        slots[slot] = i + 1;
    }
    return 1;
}

static int grow_lines(pocket_word_table *t, uint64_t least) {
    uint64_t room = 2 * (t->room > least ? t->room : least);
    uint8_t *lines = pocket_malloc(room);
    if (!lines) return 0;
    if (t->size) memcpy(lines, t->lines, t->size);
    pocket_free(t->lines);
    t->lines = lines;
    t->room = room;
    return 1;
}

pocket_word_table *pocket_word_table_new(void) {
    pocket_word_table *t = pocket_malloc(sizeof *t);
    if (!t) return NULL;
    *t = (pocket_word_table){0};
    if (grow_slots(t) && grow_lines(t, 4096)) return t;
    pocket_word_table_free(t);
    return NULL;
}

void pocket_word_table_free(pocket_word_table *t) {
    if (!t) return;
    pocket_free(t->lines);
    pocket_free(t->entries);
    pocket_free(t->sums);
    pocket_free(t->slots);
    pocket_free(t);
}

/* The number of a word, or UINT32_MAX of one that is unknown and not added, or cannot be. */
static uint32_t number_of(pocket_word_table *t, const uint8_t *word, uint32_t length, int adds) {
    uint64_t hash = murmur(word, length);
    uint32_t slot = (uint32_t)hash & (t->slot_count - 1);
    for (; t->slots[slot]; slot = (slot + 1) & (t->slot_count - 1)) {
        const entry *e = &t->entries[t->slots[slot] - 1];
        if (e->hash == hash && e->length == length && !memcmp(t->lines + e->at, word, length))
            return t->slots[slot] - 1;
    }
    if (!adds) return UINT32_MAX;
    if (t->room - t->size <= length && !grow_lines(t, t->size + length + 1)) return UINT32_MAX;
    if (2 * (t->count + 1) > t->slot_count) {
        if (!grow_slots(t)) return UINT32_MAX;
        slot = (uint32_t)hash & (t->slot_count - 1);
        while (t->slots[slot]) slot = (slot + 1) & (t->slot_count - 1);
    }
    t->entries[t->count] = (entry){hash, t->size, length, 0};
    t->sums[t->count] = 0;
    memcpy(t->lines + t->size, word, length);
    t->lines[t->size + length] = '\n';
    t->size += length + 1;
    t->slots[slot] = ++t->count;
    return t->count - 1;
}

static void add(pocket_word_table *t, uint32_t number, uint32_t weight) {
    uint32_t left = UINT32_MAX - t->sums[number];
    t->sums[number] += weight < left ? weight : left;
    t->entries[number].texts |= t->texts;
}

void pocket_word_table_in(pocket_word_table *t, uint8_t texts) { t->texts = texts; }

pocket_status pocket_word_table_weigh(pocket_word_table *t, const uint8_t *text, uint64_t length,
                                      uint32_t weight, uint64_t *total) {
    word_stream words;
    *total = 0;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    word_stream_begin(&words, text, length, STREAM_EVERY_WORD, NULL);
    while (word_stream_next(&words)) {
        uint32_t number = number_of(t, words.bytes, words.length, 1);
        if (number == UINT32_MAX) return POCKET_NO_MEMORY;
        add(t, number, weight);
        ++*total;
    }
    return POCKET_OK;
}

pocket_status pocket_word_table_numbers(pocket_word_table *t, const uint8_t *lines, uint64_t size,
                                        const uint32_t *weights, uint32_t *numbers) {
    for (uint64_t at = 0, i = 0; at < size; i++) {
        const uint8_t *end = memchr(lines + at, '\n', size - at);
        uint64_t length = end ? (uint64_t)(end - lines) - at : size - at;
        if (!end || length > UINT32_MAX) return POCKET_BAD_ARGUMENT;
        numbers[i] = number_of(t, lines + at, (uint32_t)length, weights != NULL);
        if (weights && numbers[i] == UINT32_MAX) return POCKET_NO_MEMORY;
        if (weights) add(t, numbers[i], weights[i]);
        at += length + 1;
    }
    return POCKET_OK;
}

const uint8_t *pocket_word_table_lines(const pocket_word_table *t, uint64_t *size) {
    *size = t->size;
    return t->lines;
}

const uint32_t *pocket_word_table_sums(const pocket_word_table *t, uint32_t *count) {
    *count = t->count;
    return t->sums;
}

void pocket_word_table_texts(const pocket_word_table *t, uint8_t *out) {
    for (uint32_t i = 0; i < t->count; i++) out[i] = t->entries[i].texts;
}
