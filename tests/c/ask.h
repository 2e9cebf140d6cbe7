/* What the harnesses ask of a file: open, verify, queries, documents, ids, texts, titles, labels,
 * sources, searches, each folded into one number, and how to seal a changed file anew. */
#ifndef ASK_H
#define ASK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cbits/base/bytes.h"
#include "../../cbits/base/hashes/crc32c.h"
#include "../../cbits/base/utf8.h"
#include "../../cbits/pocket.h"

enum { OPS = 50, HITS = 10 };

/* How a query is asked. */
#define ASKED(probes, report) \
    (&(pocket_query_options){sizeof(pocket_query_options), (probes), (report), 0})

/* Enough texts to reach every table, several parts, an empty result and one that is too short. */
static const char *const texts[] = {
    "alpha beta gamma",
    "alpha alpha beta mu mu gamma",
    "gamma gamma gamma mu delta",
    "nothing that stands in the collection but enough of it",
    "the of and",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* One with passages of tests/helpers/attack/small.py and of tests/golden/passages.pocket. */
static const char essay[] =
    "alpha beta mu gamma alpha beta mu gamma alpha beta mu gamma. Nothing of them, nor this: "
    "toxetoyi toquazo xece nuha morekepa quapamo yisi xezo "
    "sisikepa quatoguwa hadinure cewamo bamo xebare liqua xezopazo "
    "badipa zoha fobaxe lidixe nupare sidizowa motogu mohake "
    "alpha.";

/* Whether a call that asks is to end. */
static pocket_interrupt ask_whether;

typedef struct answers {
    uint32_t opened;      /* status of pocket_open */
    uint32_t status[OPS]; /* of each question */
    uint64_t value[OPS];  /* of each answer */
    uint32_t read[OPS];   /* texts that a query read */
} answers;

static inline uint64_t fold(uint64_t h, uint64_t x) {
    return (h ^ x) * 0x9E3779B97F4A7C15ull ^ h >> 29;
}

static inline uint64_t fold_bytes(uint64_t h, const char *bytes, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) h = fold(h, (uint8_t)bytes[i]);
    return fold(h, length);
}

/* A string that leaves the core: pocket.h promises UTF-8. */
static inline uint64_t fold_string(uint64_t h, const char *bytes, uint32_t length) {
    if (!is_utf8((const uint8_t *)bytes, length)) abort();
    return fold_bytes(h, bytes, length);
}

static inline uint64_t fold_document(uint64_t h, const pocket_document *d) {
    h = fold_string(fold_string(h, d->id, d->id_length), d->title, d->title_length);
    return fold_string(h, d->url, d->url_length);
}

/* By a text, or where it is NULL by a stored document. */
static inline uint32_t ask_query(const pocket_index *x, const char *text, uint32_t document,
                                 uint32_t probes, uint64_t *value, uint32_t *read) {
    pocket_hit hits[HITS];
    pocket_report report = {0};
    pocket_error error;
    uint32_t count = HITS, status;
    if (text)
        status = pocket_query(x, (const uint8_t *)text, strlen(text), ASKED(probes, &report), hits,
                              &count, &error);
    else
        status = pocket_query_document(x, document, ASKED(probes, &report), hits, &count, &error);
    if (count > HITS) abort();
    pocket_hit kept[HITS];
    memcpy(kept, hits, sizeof kept);
    uint32_t shown = pocket_more_than_chance(x, 0, !text, kept, status ? 0 : count);
    if (shown > count) abort();
    if (read) *read = report.texts;
    *value = fold(fold(fold(0, report.terms), report.candidates), shown);
    for (uint32_t i = 0; i < count && !status; i++) {
        pocket_document *d;
        if (hits[i].similarity > 10000) abort();
        *value = fold(fold(fold(*value, hits[i].document), hits[i].similarity), hits[i].tables);
        status = pocket_document_get(x, hits[i].document, &d, &error);
        if (status) break;
        *value = fold_document(*value, d);
        pocket_document_free(d);
    }
    return status;
}

static inline uint32_t ask_find(const pocket_index *x, const char *id, uint64_t *value) {
    uint32_t number = 0, status = pocket_find(x, id, (uint32_t)strlen(id), &number, NULL);
    *value = status ? 0 : number;
    return status;
}

static inline uint32_t ask_text(const pocket_index *x, uint32_t number, uint64_t *value) {
    pocket_text *t;
    pocket_error error;
    uint32_t status = pocket_text_get(x, number, &t, &error);
    if ((status == 0) != (t != NULL) || error.status != status) abort();
    if (status) return status;
    if (t->bytes[t->length] != 0 || t->kept != pocket_text_kept(x)) abort();
    *value = fold_string(t->kept, t->bytes, t->length);
    pocket_text_free(t);
    return status;
}

static inline uint32_t ask_titles(const pocket_index *x, const char *text, uint64_t *value) {
    pocket_title *t;
    pocket_error error;
    uint32_t count = HITS, status = pocket_titles_find(x, text, strlen(text), &t, &count, &error);
    if ((status == 0) != (t != NULL) || error.status != status || count > HITS || (status && count))
        abort();
    *value = count;
    for (uint32_t i = 0; i < count; i++) {
        if (t[i].bytes[t[i].length] != 0) abort();
        *value = fold(fold_string(*value, t[i].bytes, t[i].length), t[i].document);
    }
    pocket_titles_free(t);
    return status;
}

static inline uint32_t ask_labels(const pocket_index *x, uint32_t document, uint64_t *value) {
    uint32_t numbers[POCKET_MOST_LABELS], count = POCKET_MOST_LABELS, length;
    char label[POCKET_LABEL_BYTES + 1];
    pocket_error error;
    uint32_t status = pocket_labels_get(x, document, numbers, &count, &error);
    if (error.status != status || count > POCKET_MOST_LABELS || (status && count)) abort();
    *value = count;
    for (uint32_t i = 0; i < count && !status; i++) {
        if (numbers[i] >= pocket_label_count(x)) abort();
        status = pocket_label_name(x, numbers[i], label, &length, &error);
        if (error.status != status || label[length] != 0 || (status && length)) abort();
        *value = fold(fold_string(*value, label, length), numbers[i]);
    }
    return status;
}

/* Order the sources of an answer again: a document that has terms no other has keeps its place. */
static inline uint32_t ask_order(const pocket_sources_found *found, uint64_t *value) {
    pocket_span spans[256];
    uint32_t ends[16], order[16], added[16], count = 0, at = 0;
    for (; count < found->count && count < 16; count++) {
        const pocket_source *s = &found->sources[count];
        for (uint32_t k = 0; k < s->count && at < 256; k++, at++) {
            const pocket_passage *p = &found->passages[s->first + k];
            spans[at] = (pocket_span){p->first, p->last};
        }
        ends[count] = at;
    }
    uint32_t all = count;
    uint64_t h = count;
    uint32_t status = pocket_order_sources(spans, ends, &count, 10, 16, order, added, NULL);
    if (status) return status;
    if (count != all) abort();
    for (uint32_t i = 0; i < count; i++) {
        if (order[i] >= all || (i && added[i] > added[i - 1])) abort();
        h = fold(fold(h, order[i]), added[i]);
    }
    *value = fold(*value, h);
    return status;
}

/* What was found of a text. */
static inline uint32_t ask_found(pocket_sources_found *found, uint64_t length, uint32_t most,
                                 uint64_t *value) {
    if (found->coverage > 10000 || found->count > most || found->count > found->all) abort();
    uint64_t h = fold(fold(fold(found->all, found->terms), found->coverage), found->capped);
    for (uint32_t i = 0; i < found->count; i++) {
        const pocket_source *s = &found->sources[i];
        if (s->count == 0 || s->first + s->count > found->passage_count) abort();
        if (s->coverage > 10000 || s->added > s->coverage) abort();
        h = fold(fold(fold(fold(h, s->document), s->coverage), s->added), s->evidence);
    }
    for (uint32_t i = 0; i < found->passage_count; i++) {
        const pocket_passage *p = &found->passages[i];
        if (p->start >= p->end || p->end > length) abort();
        if (p->first >= p->last || p->last > found->terms) abort();
        if (p->edited > 10000 || p->verified != (p->document_start < p->document_end)) abort();
        h = fold(fold(fold(fold(h, p->start), p->end), p->first), p->last);
        h = fold(fold(fold(fold(h, p->document_start), p->document_end), p->edited), p->documents);
    }
    uint32_t status = ask_order(found, &h);
    for (uint32_t i = 0; i < found->frequent_count; i++) {
        const pocket_frequent_passage *p = &found->frequent[i];
        if (p->example_count == 0 || p->example_count > 3 || p->end <= p->start) abort();
        if (p->end > length || p->last > found->terms) abort();
        h = fold(fold(fold(h, p->first), p->documents), found->examples[p->first_example]);
    }
    pocket_sources_free(found);
    if (!status) *value = h;
    return status;
}

static inline uint32_t ask_sources(const pocket_index *x, const char *text, uint32_t most,
                                   uint32_t cold, uint64_t *value) {
    pocket_sources_options options = {sizeof options, most, cold};
    pocket_sources_found *found;
    pocket_error error;
    uint64_t length = strlen(text);
    uint32_t status = pocket_sources(x, (const uint8_t *)text, length, &options, &found, &error);
    if ((status == 0) != (found != NULL) || error.status != status) abort();
    return status ? status : ask_found(found, length, most, value);
}

/* Texts in documents that are given: what was found in them of the text of that number. */
static inline uint32_t ask_given(const pocket_index *x, uint32_t number, uint64_t *value) {
    const char *const asked[] = {essay, texts[3]}, *const looked[] = {"", essay + 30, texts[3],
                                                                      essay, texts[1]};
    const uint8_t *bytes[2] = {(const uint8_t *)asked[0], (const uint8_t *)asked[1]};
    const uint64_t lengths[2] = {strlen(asked[0]), strlen(asked[1])};
    pocket_given *given;
    pocket_sources_found *found;
    pocket_error error;
    uint32_t status = pocket_given_new(x, bytes, lengths, 2, &given, &error);
    if ((status == 0) != (given != NULL) || error.status != status) abort();
    for (uint32_t i = 0; i < 5 && !status; i++) {
        status = pocket_given_look(given, i, (const uint8_t *)looked[i], strlen(looked[i]), &error);
        if (error.status != status) abort();
    }
    if (!status) {
        status = pocket_given_found(given, number, NULL, &found, &error);
        if ((status == 0) != (found != NULL) || error.status != status) abort();
        if (!status) status = ask_found(found, lengths[number], 10, value);
        if (pocket_given_next(given, 2) != UINT32_MAX) abort();
        pocket_given_forget(given);
        if (pocket_given_next(given, 0) != UINT32_MAX) abort();
    }
    pocket_given_free(given);
    return status;
}

enum { IS_COLD = 1, BY_TITLES = 2, REPLACED = 4, RARE_REPLACED = 8, EXACT = 16, FILTERED = 32 };

static inline uint32_t ask_search(const pocket_index *x, const char *text, uint32_t prefix,
                                  uint32_t how, uint64_t *value) {
    static const uint64_t having[] = {0, 3, 20};
    static const char filters[] = "-label:topics lang:en lang:de";
    pocket_search_options options = {.size = sizeof options,
                                     .most = HITS,
                                     .prefix = prefix,
                                     .cold = how & IS_COLD,
                                     .titles = how / BY_TITLES & 1,
                                     .replace = how & RARE_REPLACED ? 2 : how / REPLACED & 1,
                                     .exact = how / EXACT & 1};
    if (how & FILTERED) {
        options.having = having;
        options.all = 30;
        options.filters = (const uint8_t *)filters;
        options.filters_length = sizeof filters - 1;
    }
    pocket_search_found *found;
    pocket_error error;
    uint64_t length = strlen(text), h;
    uint32_t status = pocket_search(x, (const uint8_t *)text, length, &options, &found, &error);
    if ((status == 0) != (found != NULL) || error.status != status) abort();
    if (status) return status;
    if (found->count > HITS || found->all > found->any) abort();
    h = fold(fold(fold(found->all, found->any), found->capped), found->unchecked);
    h = fold(fold(h, found->ignored), found->pieces);
    for (uint32_t i = 0; i < found->word_count; i++) {
        const pocket_asked_word *w = &found->words[i];
        if (w->start >= w->end || w->end > (found->text ? found->text_length : length)) abort();
        h = fold(fold(fold(fold(h, w->start), w->end), w->documents), w->flags);
    }
    for (uint32_t i = 0; i < found->replacement_count; i++)
        h = fold(fold(h, found->replacements[i].new_end), found->replacements[i].how);
    h = fold(fold(h, found->allowed), found->unlabelled);
    for (uint32_t i = 0; i < found->filter_count; i++) {
        const pocket_asked_filter *f = &found->filters[i];
        if (f->start >= f->end || f->near_count > 3) abort();
        h = fold(fold(fold(fold(h, f->documents), f->labels), f->flags), f->near_labels[0]);
    }
    for (uint32_t i = 0; i < found->count; i++)
        h = fold(fold(fold(h, found->hits[i].document), found->hits[i].words),
                 found->hits[i].score);
    pocket_search_free(found);
    *value = h;
    return status;
}

static inline uint32_t ask_known(const pocket_index *x, const char *text, uint64_t *value) {
    uint64_t documents[HITS], count = HITS;
    pocket_error error;
    uint32_t status =
        pocket_known_words(x, (const uint8_t *)text, strlen(text), documents, &count, &error);
    if (error.status != status) abort();
    if (status) return status;
    for (uint64_t i = 0; i < count && i < HITS; i++) *value = fold(*value, documents[i]);
    *value = fold(*value, count);
    return status;
}

/* Of the first documents. */
static inline uint32_t ask_group(const pocket_index *x, uint64_t *value) {
    uint32_t documents[30], groups[30], count;
    pocket_summary s;
    pocket_error error;
    pocket_summarize(x, &s);
    for (count = 0; count < 30 && count < s.documents; count++) documents[count] = count;
    uint32_t status = pocket_group(x, documents, count, groups, &error);
    if (error.status != status) abort();
    if (status) return status;
    for (uint32_t i = 0; i < count; i++) {
        if (groups[i] > i || groups[groups[i]] != groups[i]) abort();
        *value = fold(*value, groups[i]);
    }
    return status;
}

static inline void ask_index(const pocket_index *x, answers *a) {
    pocket_error error;
    uint32_t op = 0;
    for (uint32_t i = 0; i < TEXTS; i++) {
        a->status[op] = ask_query(x, texts[i], 0, 1, &a->value[op], &a->read[op]);
        op++;
        a->status[op] = ask_query(x, texts[i], 0, 40, &a->value[op], &a->read[op]);
        op++;
    }
    const uint32_t ways[] = {0, POCKET_COLD, POCKET_EXHAUSTIVE};
    for (uint32_t i = 0; i < 3; i++, op++)
        a->status[op] = ask_query(x, texts[1], 0, ways[i], &a->value[op], &a->read[op]);
    const char *const ids[] = {"id 0", "id 7", "id 29", "nobody"};
    for (uint32_t i = 0; i < 4; i++, op++) a->status[op] = ask_find(x, ids[i], &a->value[op]);
    const char *const beginnings[] = {"", "List of LIGHTS", "same beginning number 5", "zz"};
    for (uint32_t i = 0; i < 4; i++, op++)
        a->status[op] = ask_titles(x, beginnings[i], &a->value[op]);
    for (uint32_t cold = 0; cold < 2; cold++, op++)
        a->status[op] = ask_sources(x, essay, 3, cold, &a->value[op]);
    for (uint32_t number = 0; number < 2; number++, op++)
        a->status[op] = ask_given(x, number, &a->value[op]);
    const char *const searched[] = {"gamma the al",
                                    "\"alpha beta\" gamma -mu",
                                    "beta -\"beta mu\" a",
                                    "\"alpha beta\" -\"beta mu\"",
                                    "list of",
                                    "gama betaa alphabeta",
                                    "beta label:\"topic 1\" -lang:en",
                                    "alpha betas 17",
                                    "alphas betta chết",
                                    "straeands",
                                    "straeands",
                                    "straeands nothing",
                                    "straeands \"alpha beta\""};
    const uint32_t how[] = {0,
                            IS_COLD,
                            BY_TITLES,
                            IS_COLD | BY_TITLES,
                            0,
                            REPLACED,
                            REPLACED,
                            EXACT,
                            REPLACED | FILTERED,
                            RARE_REPLACED,
                            RARE_REPLACED | IS_COLD,
                            RARE_REPLACED,
                            RARE_REPLACED};
    for (uint32_t i = 0; i < 13; i++, op++)
        a->status[op] = ask_search(x, searched[i], i != 1 && i < 7, how[i], &a->value[op]);
    a->status[op] = ask_known(x, texts[1], &a->value[op]);
    op++;
    a->status[op] = ask_group(x, &a->value[op]);
    op++;
    pocket_summary s;
    pocket_summarize(x, &s);
    if (s.documents > 0) {
        uint8_t *digits = malloc(s.components);
        uint32_t numbers[] = {0, (uint32_t)s.documents - 1};
        for (uint32_t i = 0; i < 2 && digits; i++, op++) {
            a->status[op] = pocket_digits(x, numbers[i], digits, &error);
            if (!a->status[op]) a->value[op] = fold_bytes(0, (const char *)digits, s.components);
        }
        for (uint32_t i = 0; i < 2; i++, op++)
            a->status[op] = ask_query(x, NULL, numbers[i], 40, &a->value[op], &a->read[op]);
        free(digits);
        for (uint32_t i = 0; i < 3; i++, op++)
            a->status[op] = ask_text(x, (uint32_t)(s.documents - 1) * i / 2, &a->value[op]);
        for (uint32_t i = 0; i < 3; i++, op++)
            a->status[op] = ask_labels(x, (uint32_t)(s.documents - 1) * i / 2, &a->value[op]);
    }
    a->status[OPS - 1] = pocket_verify(x, &error);
}

/* The bytes must be exactly length long on the heap, so that a sanitizer sees a step beyond. */
static inline void ask(const uint8_t *bytes, uint64_t length, answers *a) {
    pocket_index *x;
    memset(a, 0, sizeof *a);
    a->opened = pocket_open(bytes, length, &x, NULL);
    if (a->opened) return;
    if (ask_whether) pocket_on_interrupt(x, ask_whether, NULL);
    ask_index(x, a);
    pocket_close(x);
}

/* Is a question's outcome in `got` a refusal, or the answer of `good`? A query goes on without a
 * text that is damaged (docs/format.md, section 8), so that it reads fewer. */
static inline int same_or_refused(const answers *good, const answers *got) {
    if (got->opened) return 1;
    for (uint32_t i = 0; i < OPS - 1; i++) {
        int refused = got->status[i] >= POCKET_NO_MEMORY || got->read[i] < good->read[i];
        if (!refused && (got->status[i] != good->status[i] || got->value[i] != good->value[i]))
            return 0;
    }
    return 1;
}

/* Make every checksum agree again, following the fields as they stand where they stay inside the
 * file. */
static inline void seal(uint8_t *b, uint64_t length) {
    if (length < 32) return;
    uint32_t sections = load32(b + 12);
    if (sections > 64 || 40ull * sections > length - 32) return;
    for (uint32_t i = 0; i < sections; i++) {
        uint8_t *entry = b + 32 + 40 * i;
        uint64_t offset = load64(entry + 8), size = load64(entry + 16), at = load32(entry + 24);
        uint64_t head = at + 20ull * load32(entry + 28), start = 0;
        if (offset > length || size > length - offset || head > size) continue;
        for (uint32_t k = 0; k < load32(entry + 28); k++) {
            uint8_t *row = b + offset + at + 20ull * k;
            uint64_t end = load64(row + 8);
            if (end < start || end > size - head) break;
            store32(row + 16, crc32c(0, b + offset + head + start, (size_t)(end - start)));
            start = end;
        }
        store32(entry + 32, crc32c(0, b + offset, (size_t)head));
    }
    store32(b + 28, crc32c(crc32c(0, b, 28), b + 32, 40u * sections));
}

static inline uint8_t *read_file(const char *path, uint64_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) exit(2);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    if (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size) exit(2);
    fclose(f);
    *length = (uint64_t)size;
    return bytes;
}

#endif
