/* count_words ROUNDS < TEXTS: the words of pieces of texts, counted and then told by their lines,
 * all in memory of exactly their size, for the sanitizers. Prints how many words there were, and
 * how many distinct ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/pocket_build.h"

static uint64_t state = 2007;
static size_t below(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static void *room(const uint8_t *bytes, size_t length) {
    void *out = malloc(length ? length : 1);
    if (!out) abort();
    if (bytes && length) memcpy(out, bytes, length);
    return out;
}

/* Whether the lines of one table have their numbers in it, and in a new one, too. */
static int told(pocket_word_table *t) {
    uint64_t size;
    uint32_t count, good = 1;
    const uint8_t *lines = pocket_word_table_lines(t, &size);
    pocket_word_table_sums(t, &count);
    uint8_t *texts = room(NULL, count);
    pocket_word_table_texts(t, texts);
    free(texts);
    uint8_t *own = room(lines, size);
    uint32_t *numbers = room(NULL, count * sizeof *numbers);
    pocket_word_table *other = pocket_word_table_new();
    for (int i = 0; i < 3; i++) {
        const uint32_t *sums = i == 1 ? pocket_word_table_sums(t, &count) : NULL;
        pocket_word_table *asked = i ? other : t;
        good &= !pocket_word_table_numbers(asked, own, size, sums, numbers);
        for (uint32_t n = 0; n < count; n++) good &= numbers[n] == n;
    }
    pocket_word_table_free(other);
    free(numbers);
    free(own);
    return (int)good;
}

int main(int argc, char **argv) {
    static uint8_t all[1 << 16];
    size_t size = fread(all, 1, sizeof all, stdin);
    uint64_t words = 0, distinct = 0, own;
    uint32_t count;
    if (!size) return 1;
    pocket_word_table *t = pocket_word_table_new();
    for (long round = argc > 1 ? atol(argv[1]) : 100; round > 0; round--) {
        size_t from = below(size), length = below(size - from + 1);
        uint8_t *text = room(all + from, length);
        for (size_t i = below(9); i > 0 && length; i--) text[below(length)] = (uint8_t)below(256);
        pocket_word_table_in(t, (uint8_t)below(256));
        if (pocket_word_table_weigh(t, text, length, (uint32_t)below(300), &own)) return 1;
        words += own;
        free(text);
        if (below(2)) continue; /* more texts in one table */
        if (!told(t)) return 1;
        pocket_word_table_sums(t, &count);
        distinct += count;
        pocket_word_table_free(t);
        t = pocket_word_table_new();
    }
    pocket_word_table_free(t);
    printf("%llu %llu\n", (unsigned long long)words, (unsigned long long)distinct);
    return 0;
}
