/* site_words ROUNDS < LINES: dictionaries of some of these words and of random pages, which say the
 * same the second time or something else, all in memory of exactly their size, for the sanitizers.
 * Prints how many pieces there were, and how many second times were refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/pocket_build.h"

#define PAGES 12
#define MOST_WORDS 400

static uint64_t state = 2007;
static size_t below(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static void *room(const void *bytes, size_t length) {
    void *out = malloc(length ? length : 1);
    if (!out) abort();
    if (bytes && length) memcpy(out, bytes, length);
    return out;
}

typedef struct page {
    uint32_t slot, count, *numbers, *weights;
    uint8_t *places, *texts;
} page;

static page page_of(uint32_t slot, uint32_t words) {
    page p = {.slot = slot};
    uint32_t numbers[MOST_WORDS];
    for (uint32_t n = 0; n < words && p.count < MOST_WORDS; n++)
        if (below(3)) numbers[p.count++] = n;
    p.numbers = room(numbers, p.count * sizeof *numbers);
    p.weights = room(NULL, p.count * sizeof *p.weights);
    p.places = room(NULL, p.count);
    p.texts = below(3) ? NULL : room(NULL, p.count);
    for (uint32_t i = 0; i < p.count; i++) {
        p.weights[i] = (uint32_t)below(below(2) ? 99 : UINT32_MAX);
        p.places[i] = (uint8_t)below(256);
        if (p.texts) p.texts[i] = (uint8_t)below(256);
    }
    return p;
}

static int put(pocket_dictionary *d, const page *p, uint32_t slot) {
    return pocket_dictionary_put(d, slot, p->numbers, p->weights, p->places, p->texts, p->count);
}

/* All pieces, by runs of a random length; 0 where a page is refused. lies: what pages say the
 * second time is not what they said. */
static int written(pocket_dictionary *d, const page *pages, uint32_t pieces, int lies,
                   uint64_t *bytes) {
    for (uint32_t from = 0, upto = 0; from < pieces; from = upto) {
        if (pocket_dictionary_take(d, from, below(60000), &upto)) abort();
        for (int i = 0; i < PAGES; i++) {
            const page *p = pages + (lies ? below(PAGES) : (size_t)i);
            if (put(d, p, lies ? (uint32_t)below(UINT32_MAX) : p->slot)) return 0;
        }
        for (uint32_t n = from; n < upto; n++) {
            const uint8_t *first;
            uint64_t size;
            uint32_t length;
            const uint8_t *piece = pocket_dictionary_piece(d, n, &size, &first, &length);
            if (!piece && lies) return 0;
            if (!piece || memcmp(piece + 14, first, length)) abort();
            free(room(piece, size));
            *bytes += size;
        }
        if (!pocket_dictionary_take(d, from, 1, &upto)) abort(); /* a piece is taken once */
    }
    return 1;
}

int main(int argc, char **argv) {
    static uint8_t all[1 << 16];
    size_t size = fread(all, 1, sizeof all, stdin);
    uint64_t total = 0, refused = 0, bytes = 0;
    for (long round = argc > 1 ? atol(argv[1]) : 100; round > 0; round--) {
        size_t length = below(size);
        while (length && all[length - 1] != '\n') length--;
        uint8_t *lines = room(all, length), *stems = room(all, length);
        uint32_t words = 0, used, pieces;
        for (size_t i = 0; i < length; i++) words += lines[i] == '\n';
        pocket_dictionary *d = pocket_dictionary_new(lines, length);
        page pages[PAGES];
        for (uint32_t i = 0; i < PAGES; i++) {
            pages[i] = page_of(i * (uint32_t)below(1 << 20), words);
            if (i && pages[i].slot <= pages[i - 1].slot) pages[i].slot = pages[i - 1].slot + 1;
            const page *p = pages + i;
            if (pocket_dictionary_count(d, p->slot, p->numbers, p->count, p->texts != NULL))
                return 1;
        }
        uint64_t sorted;
        if (pocket_dictionary_sort(d, &used, &sorted)) return 1;
        uint8_t *out = room(NULL, sorted);
        pocket_dictionary_words(d, out);
        for (size_t i = 0; i < length; i++)
            if (stems[i] != '\n' && !below(9)) stems[i] = 'x';
        if (pocket_dictionary_cut(d, out, sorted, stems, length, &pieces)) {
            refused++;
        } else if (written(d, pages, pieces, below(3) == 0, &bytes)) {
            total += pieces;
        } else {
            refused++;
        }
        pocket_dictionary_free(d);
        for (int i = 0; i < PAGES; i++) {
            free(pages[i].numbers);
            free(pages[i].weights);
            free(pages[i].places);
            free(pages[i].texts);
        }
        free(out);
        free(stems);
        free(lines);
    }
    printf("%llu %llu\n", (unsigned long long)total, (unsigned long long)refused);
    return 0;
}
