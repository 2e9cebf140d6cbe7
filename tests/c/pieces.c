/* A file in pieces against the whole file: pieces CASES, lines "q FILE PROBES HEX" and "w FILE MOST
 * PREFIX COLD HEX" of the vectors.
 * Each block that is lent has its exact size on the heap, so that a sanitizer sees a step out of a
 * block, which in the whole file would land in the next one. */
#include "ask.h"
#include "lending.h"

static uint32_t ask_in_pieces(pieces *p, const uint8_t *text, uint64_t length, uint32_t probes,
                              pocket_hit *hits, uint32_t *count, pocket_report *report) {
    for (;;) {
        *count = HITS;
        uint32_t status =
            pocket_query(p->index, text, length, ASKED(probes, report), hits, count, NULL);
        if (status != POCKET_NOT_AT_HAND) return status;
        if (lend(p) == 0) abort();
    }
}

/* Each round lends what was missed: blocks of shingles, texts, words and texts again. */
static void compare_sources(pieces *p, const pocket_index *whole, const uint8_t *text,
                            uint64_t length) {
    for (uint32_t cold = 0; cold < 2; cold++) {
        pocket_sources_options options = {sizeof options, 20, cold};
        pocket_sources_found *a, *b;
        uint32_t status = pocket_sources(whole, text, length, &options, &a, NULL);
        uint32_t other = pocket_sources(p->index, text, length, &options, &b, NULL);
        while (other == POCKET_NOT_AT_HAND && lend(p) > 0)
            other = pocket_sources(p->index, text, length, &options, &b, NULL);
        if (other != status) exit(10);
        if (status) continue;
        if (a->count != b->count || a->passage_count != b->passage_count || a->terms != b->terms ||
            a->coverage != b->coverage || a->all != b->all || a->capped != b->capped ||
            memcmp(a->sources, b->sources, a->count * sizeof *a->sources) ||
            memcmp(a->passages, b->passages, a->passage_count * sizeof *a->passages))
            exit(10);
        pocket_sources_free(a);
        pocket_sources_free(b);
    }
}

static void compare(const char *path, uint32_t probes, const uint8_t *text, uint64_t length,
                    int verify) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pieces p = {.file = bytes};
    pocket_index *whole;
    pocket_hit hits[HITS], other[HITS];
    pocket_report report, other_report;
    pocket_document *a, *b;
    uint32_t count = HITS, other_count, status;
    gather_heads(&p);
    if (pocket_open(bytes, size, &whole, NULL) ||
        pocket_open_pieces(p.heads, p.length, &p.index, NULL))
        exit(3);
    status = pocket_query(whole, text, length, ASKED(probes, &report), hits, &count, NULL);
    if (ask_in_pieces(&p, text, length, probes, other, &other_count, &other_report) != status ||
        count != other_count)
        exit(4);
    if (memcmp(&report, &other_report, sizeof report) || memcmp(hits, other, count * sizeof *hits))
        exit(4);
    compare_sources(&p, whole, text, length);
    for (uint32_t i = 0; i < count; i++) {
        if (pocket_document_get(whole, hits[i].document, &a, NULL)) exit(5);
        while ((status = pocket_document_get(p.index, hits[i].document, &b, NULL)) ==
               POCKET_NOT_AT_HAND)
            lend(&p);
        if (status || a->title_length != b->title_length ||
            memcmp(a->title, b->title, a->title_length))
            exit(5);
        pocket_document_free(a);
        pocket_document_free(b);
    }
    while (verify && (status = pocket_verify(p.index, NULL)) == POCKET_NOT_AT_HAND) lend(&p);
    if (verify && status) exit(6);
    pocket_close(whole);
    close_pieces(&p);
    free(bytes);
}

static void compare_search(const char *path, const pocket_search_options *options,
                           const uint8_t *text, uint64_t length) {
    uint64_t size, counts[2] = {64, 64}, having[2][64];
    uint8_t *bytes = read_file(path, &size);
    pieces p = {.file = bytes};
    pocket_index *whole;
    pocket_search_found *a, *b;
    uint32_t status;
    gather_heads(&p);
    if (pocket_open(bytes, size, &whole, NULL) ||
        pocket_open_pieces(p.heads, p.length, &p.index, NULL) ||
        pocket_search(whole, text, length, options, &a, NULL))
        exit(11);
    while ((status = pocket_search(p.index, text, length, options, &b, NULL)) == POCKET_NOT_AT_HAND)
        if (lend(&p) == 0) abort();
    if (status || a->count != b->count || a->word_count != b->word_count || a->all != b->all ||
        a->any != b->any || a->capped != b->capped || a->unchecked != b->unchecked ||
        a->ignored != b->ignored || a->pieces != b->pieces || a->text_length != b->text_length ||
        (a->text_length && memcmp(a->text, b->text, a->text_length)) ||
        memcmp(a->hits, b->hits, a->count * sizeof *a->hits) ||
        memcmp(a->words, b->words, a->word_count * sizeof *a->words))
        exit(12);
    if (pocket_known_words(whole, text, length, having[0], &counts[0], NULL)) exit(13);
    while ((status = pocket_known_words(p.index, text, length, having[1], &counts[1], NULL)) ==
           POCKET_NOT_AT_HAND) {
        if (lend(&p) == 0) abort();
        counts[1] = 64;
    }
    uint64_t said = counts[0] < 64 ? counts[0] : 64;
    if (status || counts[0] != counts[1] || memcmp(having[0], having[1], said * sizeof said))
        exit(13);
    pocket_search_free(a);
    pocket_search_free(b);
    pocket_close(whole);
    close_pieces(&p);
    free(bytes);
}

/* Heads that end early, on a heap that ends with them. */
static void cut_off(const char *path) {
    uint64_t size;
    pieces p = {.file = read_file(path, &size)};
    gather_heads(&p);
    for (uint64_t length = 0; length < p.length; length += length < 600 ? 1 : 97) {
        uint8_t *heads = copy(p.heads, length);
        if (!pocket_open_pieces(heads, length, &p.index, NULL)) exit(7);
        free(heads);
    }
    uint8_t *longer = copy(p.file, size > p.length ? p.length + 1 : p.length);
    memcpy(longer, p.heads, p.length);
    if (size > p.length && !pocket_open_pieces(longer, p.length + 1, &p.index, NULL)) exit(9);
    free(longer);
    free(p.heads);
    free((void *)(uintptr_t)p.file);
}

int main(int argc, char **argv) {
    static char line[1 << 16], path[4096], before[4096], hex[1 << 15];
    static uint8_t text[1 << 14];
    unsigned probes, prefix, cold, asked = 0;
    FILE *cases = fopen(argc > 1 ? argv[1] : "", "r");
    if (!cases) return 2;
    while (fgets(line, sizeof line, cases)) {
        *hex = 0;
        int searches =
            sscanf(line, "w %4095s %u %u %u %32767s", path, &probes, &prefix, &cold, hex) >= 4;
        if (!searches && sscanf(line, "q %4095s %u %32767s", path, &probes, hex) < 2) continue;
        uint64_t length = strlen(hex) / 2;
        for (uint64_t i = 0; i < length; i++) {
            unsigned value;
            if (sscanf(hex + 2 * i, "%2x", &value) != 1) return 2;
            text[i] = (uint8_t)value;
        }
        uint8_t *exact = copy(text, length);
        int first = strcmp(path, before) != 0;
        if (searches) {
            pocket_search_options options = {
                sizeof options, probes, prefix, cold & 1, 0, cold >> 1 & 1,
                cold >> 2,      NULL,   0,      NULL,     0};
            compare_search(path, &options, exact, length);
        } else {
            compare(path, probes, exact, length, first);
        }
        free(exact);
        if (first) cut_off(strcpy(before, path));
        asked++;
    }
    fclose(cases);
    printf("%u\n", asked);
    return 0;
}
