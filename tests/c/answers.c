/* Replay vectors: answers CASES, a line each: "t STREAM HEX" for the terms of a text, "r TERMS
 * WINDOW HEX" for the places of its terms, its shingles, and those that are kept, "q FILE PROBES
 * HEX" for a query, "s FILE MOST COLD HEX" for sources, "w FILE MOST PREFIX COLD HEX" for a search
 * (COLD + 2: of titles; + 4: with other words), "l FILE DOCUMENT" for labels, "k FILE ROOM HEX" for
 * how common the words of a text are, "g FILE MODULUS COUNT STEP" for the groups of so many
 * documents, each a step after the one before; prints what came out. */
#include "ask.h"

#include "../../cbits/base/hashes/hash.h"
#include "../../cbits/text/winnowing.h"
#include "../../cbits/text/word_stream.h"

static void print_hex(const uint8_t *bytes, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) printf("%02x", bytes[i]);
}

static uint64_t unhex(const char *hex, uint8_t *out) {
    uint64_t length = strlen(hex) / 2;
    for (uint64_t i = 0; i < length; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) exit(2);
        out[i] = (uint8_t)value;
    }
    return length;
}

static void print_terms(uint32_t stream, const uint8_t *text, uint64_t length) {
    term_stream terms;
    word_stream words;
    if (stream == STREAM_WORDS) {
        word_stream_begin(&words, text, length, STREAM_EVERY_WORD, NULL);
        while (word_stream_next(&words)) {
            printf(" ");
            print_hex(words.bytes, words.length);
        }
    } else {
        term_stream_begin(&terms, text, length, stream);
        while (term_stream_next(&terms)) {
            printf(" ");
            print_hex(terms.bytes, terms.length);
        }
    }
    printf("\n");
}

static void print_shingles(uint32_t size, uint32_t window_size, const uint8_t *text,
                           uint64_t length) {
    term_stream terms;
    shingle last = {.size = size};
    window w;
    uint64_t hash;
    term_stream_begin(&terms, text, length, STREAM_EVERY_WORD);
    while (term_stream_next(&terms))
        printf(" %u-%u", (unsigned)(terms.term - text), (unsigned)(terms.term_end - text));
    term_stream_begin(&terms, text, length, STREAM_EVERY_WORD);
    while (term_stream_next(&terms)) {
        hash = shingle_push(&last, murmur(terms.bytes, terms.length));
        if (last.filled == size) printf(" %016llx", (unsigned long long)hash);
    }
    term_stream_begin(&terms, text, length, STREAM_EVERY_WORD);
    last.filled = 0;
    window_begin(&w, window_size);
    while (term_stream_next(&terms)) {
        hash = shingle_push(&last, murmur(terms.bytes, terms.length));
        if (last.filled == size && window_push(&w, &hash)) printf(" %u", (unsigned)w.kept - 1);
    }
    if (window_end(&w, &hash)) printf(" %u", (unsigned)w.kept - 1);
    printf("\n");
}

static void print_sources(const char *path, uint32_t most, uint32_t cold, const uint8_t *text,
                          uint64_t length) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pocket_index *x;
    pocket_sources_found *found;
    pocket_sources_options options = {sizeof options, most, cold};
    if (pocket_open(bytes, size, &x, NULL)) exit(3);
    if (pocket_sources(x, text, length, &options, &found, NULL)) exit(5);
    printf(" %u %u %u %u", found->all, found->terms, found->coverage, found->capped);
    for (uint32_t i = 0; i < found->count; i++) {
        const pocket_source *s = &found->sources[i];
        printf(" %u,%u,%u,%u", s->document, s->coverage, s->added, s->evidence);
        for (uint32_t k = s->first; k < s->first + s->count; k++) {
            const pocket_passage *p = &found->passages[k];
            printf(",%u,%u,%u,%u,%u,%u", (unsigned)p->start, (unsigned)p->end, p->first, p->last,
                   (unsigned)p->document_start, (unsigned)p->document_end);
            printf(",%u,%u,%u", p->edited, p->documents, p->verified);
        }
    }
    printf("\n");
    pocket_sources_free(found);
    pocket_close(x);
    free(bytes);
}

/* Spans as 0-10,20-30 with a semicolon behind each source. */
static void print_order(uint32_t least, uint32_t most, const char *given) {
    static pocket_span spans[1024];
    static uint32_t ends[1024], order[1024], added[1024];
    uint32_t count = 0, at = 0;
    for (char *next; *given; given = next) {
        if (*given == ';') {
            ends[count++] = at;
            next = (char *)given + 1;
        } else if (*given == ',') {
            next = (char *)given + 1;
        } else {
            spans[at].first = (uint32_t)strtoul(given, &next, 10);
            spans[at++].last = (uint32_t)strtoul(next + 1, &next, 10);
        }
    }
    if (pocket_order_sources(spans, ends, &count, least, most, order, added, NULL)) exit(9);
    for (uint32_t i = 0; i < count; i++) printf(" %u,%u", order[i], added[i]);
    printf("\n");
}

static void print_search(const char *path, uint32_t most, uint32_t prefix, uint32_t cold,
                         const uint8_t *text, uint64_t length) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pocket_index *x;
    pocket_search_found *found;
    pocket_search_options options = {sizeof options, most, prefix, cold & 1, 0, cold >> 1 & 1,
                                     cold >> 2,      NULL, 0,      NULL,     0};
    if (pocket_open(bytes, size, &x, NULL)) exit(3);
    if (pocket_search(x, text, length, &options, &found, NULL)) exit(6);
    printf(" %u %u %u %u %u %u", found->all, found->any, found->capped, found->unchecked,
           found->ignored, found->pieces);
    for (uint32_t i = 0; i < found->word_count; i++) {
        const pocket_asked_word *word = &found->words[i];
        printf(" %u,%u,%u,%u", (unsigned)word->start, (unsigned)word->end,
               (unsigned)word->documents, word->flags);
    }
    for (uint32_t i = 0; i < found->count; i++) {
        const pocket_word_hit *hit = &found->hits[i];
        printf(" %u,%u,%u", hit->document, hit->words, hit->score);
    }
    for (uint32_t i = 0; i < found->replacement_count; i++) {
        const pocket_replacement *r = &found->replacements[i];
        printf(" %u,%u,%u,%u", (unsigned)r->start, (unsigned)r->end,
               (unsigned)(r->new_end - r->new_start), r->how);
    }
    printf(" %u %u", found->allowed, found->unlabelled);
    for (uint32_t i = 0; i < found->filter_count; i++) {
        const pocket_asked_filter *f = &found->filters[i];
        printf(" %u,%u,%u,%u,%u", (unsigned)f->start, (unsigned)f->end, (unsigned)f->documents,
               f->flags, f->labels);
        for (uint32_t k = 0; k < f->near_count && !f->labels; k++) printf(",%u", f->near_labels[k]);
    }
    printf(" =");
    print_hex((const uint8_t *)found->text, (uint32_t)found->text_length);
    printf("\n");
    pocket_search_free(found);
    pocket_close(x);
    free(bytes);
}

static void print_labels(const char *path, uint32_t document) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pocket_index *x;
    uint32_t labels[POCKET_MOST_LABELS], count = POCKET_MOST_LABELS, length;
    char name[POCKET_LABEL_BYTES + 1];
    if (pocket_open(bytes, size, &x, NULL)) exit(3);
    if (pocket_labels_get(x, document, labels, &count, NULL)) exit(7);
    for (uint32_t i = 0; i < count; i++) {
        if (pocket_label_name(x, labels[i], name, &length, NULL)) exit(7);
        printf(" ");
        print_hex((const uint8_t *)name, length);
    }
    printf("\n");
    pocket_close(x);
    free(bytes);
}

static void print_known(const char *path, uint32_t room, const uint8_t *text, uint64_t length) {
    uint64_t size, count = room;
    uint8_t *bytes = read_file(path, &size);
    uint64_t *documents = malloc(room * sizeof *documents); /* so that more is an error */
    pocket_index *x;
    if (!documents || pocket_open(bytes, size, &x, NULL)) exit(3);
    if (pocket_known_words(x, text, length, documents, &count, NULL)) exit(8);
    printf(" %u", (unsigned)count);
    for (uint64_t i = 0; i < count && i < room; i++) printf(" %u", (unsigned)documents[i]);
    printf("\n");
    pocket_close(x);
    free(documents);
    free(bytes);
}

static void print_groups(const char *path, uint32_t modulus, uint32_t count, uint32_t step) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    uint32_t *documents = malloc(2 * count * sizeof *documents), *groups = documents + count;
    pocket_index *x;
    if (!documents || pocket_open(bytes, size, &x, NULL)) exit(3);
    for (uint32_t i = 0; i < count; i++) documents[i] = i * step % modulus;
    uint32_t status = pocket_group(x, documents, count, groups, NULL);
    if (status) printf(" status %u", status);
    for (uint32_t i = 0; i < count && !status; i++) printf(" %u", groups[i]);
    printf("\n");
    pocket_close(x);
    free(documents);
    free(bytes);
}

static void print_answer(const char *path, uint32_t probes, const uint8_t *text, uint64_t length) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pocket_index *x;
    pocket_summary s;
    pocket_report r;
    pocket_hit hits[5];
    uint32_t count = 5;
    if (pocket_open(bytes, size, &x, NULL)) exit(3);
    pocket_summarize(x, &s);
    uint8_t *digits = malloc(s.components);
    uint32_t *weights = malloc(s.components * sizeof *weights);
    uint64_t *keys = malloc(s.tables * sizeof *keys);
    if (!digits || !weights || !keys) exit(2);
    uint32_t status = pocket_sketch(x, text, length, digits, weights, keys, NULL);
    if (status == POCKET_TEXT_TOO_SHORT) {
        status = pocket_query(x, text, length, ASKED(probes, &r), hits, &count, NULL);
        if (status && status != POCKET_TEXT_TOO_SHORT) exit(4);
        if (status)
            printf(" short");
        else
            printf(" copies %u", r.candidates);
        for (uint32_t i = 0; i < count; i++) printf(" %u,%u", hits[i].document, hits[i].similarity);
    } else {
        if (status || pocket_query(x, text, length, ASKED(probes, &r), hits, &count, NULL)) exit(4);
        printf(" ");
        print_hex(digits, s.components);
        for (uint32_t i = 0; i < s.components; i++) printf(" %u", weights[i]);
        for (uint32_t i = 0; i < s.tables; i++) printf(" %016llx", (unsigned long long)keys[i]);
        printf(" %llu %u %u %u", (unsigned long long)r.terms, r.probes, r.parts, r.candidates);
        pocket_hit kept[5];
        memcpy(kept, hits, sizeof kept);
        printf(" %u", pocket_more_than_chance(x, 0, 0, kept, count));
        for (uint32_t i = 0; i < count; i++)
            printf(" %u,%u,%llu", hits[i].document, hits[i].similarity,
                   (unsigned long long)hits[i].tables);
    }
    printf("\n");
    free(digits);
    free(weights);
    free(keys);
    pocket_close(x);
    free(bytes);
}

int main(int count, char **arguments) {
    static char line[1 << 16], hex[1 << 16], path[4096];
    static uint8_t text[1 << 15];
    FILE *cases = count > 1 ? fopen(arguments[1], "r") : NULL;
    unsigned probes, stream, cold, prefix;
    if (!cases) return 2;
    while (fgets(line, sizeof line, cases)) {
        hex[0] = 0;
        if (line[0] == 't') {
            if (sscanf(line, "t %u %65535s", &stream, hex) < 1) return 2;
            print_terms(stream, text, unhex(hex, text));
        } else if (sscanf(line, "r %u %u %65535s", &stream, &probes, hex) >= 2) {
            print_shingles(stream, probes, text, unhex(hex, text));
        } else if (sscanf(line, "s %4095s %u %u %65535s", path, &probes, &cold, hex) >= 3) {
            print_sources(path, probes, cold, text, unhex(hex, text));
        } else if (sscanf(line, "o %u %u %65535s", &stream, &probes, hex) >= 2) {
            print_order(stream, probes, hex);
        } else if (sscanf(line, "w %4095s %u %u %u %65535s", path, &probes, &prefix, &cold, hex) >=
                   4) {
            print_search(path, probes, prefix, cold, text, unhex(hex, text));
        } else if (sscanf(line, "k %4095s %u %65535s", path, &probes, hex) >= 2) {
            print_known(path, probes, text, unhex(hex, text));
        } else if (sscanf(line, "g %4095s %u %u %u", path, &probes, &stream, &prefix) == 4) {
            print_groups(path, probes, stream, prefix);
        } else if (sscanf(line, "l %4095s %u", path, &probes) == 2) {
            print_labels(path, probes);
        } else if (sscanf(line, "q %4095s %u %65535s", path, &probes, hex) >= 2) {
            print_answer(path, probes, text, unhex(hex, text));
        }
    }
    fclose(cases);
    return 0;
}
