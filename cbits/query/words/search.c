/* Words to documents (docs/format.md, section 10): asked words -> words of the file -> sums by
 * document -> the best -> those that have the quotes. */
#include "query/words/word_search.h"

#include "base/byte_strings.h"
#include "base/memory.h"
#include "query/query.h"
#include "text/plain.h"

static int read_search_options(const pocket_search_options *given, pocket_search_options *options) {
    *options = (pocket_search_options){.size = sizeof *options, .most = 10};
    if (!given) return 1;
    if (given->most > MOST_HITS) return 0;
    if (given->most) options->most = given->most;
    options->prefix = given->prefix;
    options->cold = given->cold;
    options->titles = given->titles;
    options->replace = given->replace;
    options->having = given->having;
    options->all = given->all;
    options->exact = given->exact;
    options->filters = given->filters;
    options->filters_length = given->filters ? given->filters_length : 0;
    return 1;
}

static uint32_t find_and_rank(void *argument) {
    word_search *s = argument;
    uint32_t status = find_words(s);
    if (!status && s->missed) status = POCKET_NOT_AT_HAND;
    return status ? status : rank_words(s);
}

static int looks_into_documents(const word_search *s) {
    return s->options.titles || s->nested ||
           (s->asked.quote_count && s->index->text_kept == POCKET_WHOLE);
}

static pocket_word_hit hit_of(const word_search *s, uint64_t worse) {
    uint32_t document = UINT32_MAX - (uint32_t)~worse, sum = tally_sum(&s->tally, document);
    return (pocket_word_hit){document, sum / TALLY_WORD,
                             (uint32_t)(~worse >> 32) & ~TALLY_EXCLUDED};
}

static pocket_asked_word word_of(const word_search *s, uint32_t i) {
    const asked_word *word = &s->asked.words[i];
    uint32_t flags =
        (word->role != WORD_WANTED ? POCKET_ASKED_EXCLUDED : 0u) |
        (word->quoted ? POCKET_ASKED_QUOTED : 0u) | (word->prefix ? POCKET_ASKED_PREFIX : 0u) |
        (s->partial[i] ? POCKET_ASKED_PARTIAL : 0u) | (s->forms[i] ? POCKET_ASKED_FORMS : 0u);
    return (pocket_asked_word){word->start, word->end, s->documents[i], flags, 0};
}

/* Where the replacements stand in the text that was asked instead. */
static void place_replacements(const word_search *s, pocket_replacement *list) {
    uint64_t moved = 0; /* modulo 2^64 */
    for (uint32_t i = 0; i < s->replaced; i++) {
        const replacement *r = &s->replacements[i];
        uint64_t from = r->start + moved;
        list[i] = (pocket_replacement){r->start,         r->end, from,
                                       from + r->length, r->how, (uint32_t)r->documents};
        moved += r->length - (r->end - r->start);
    }
}

static pocket_asked_filter filter_of(const word_search *s, uint32_t i) {
    const search_filter *own = &s->filters[i];
    uint32_t flags = (own->asked.excluded ? POCKET_FILTER_EXCLUDED : 0u) |
                     (own->asked.language ? POCKET_FILTER_LANGUAGE : 0u) |
                     (i < s->typed_filters ? 0u : POCKET_FILTER_OPTION);
    pocket_asked_filter filter = {
        own->asked.start, own->asked.end, own->documents, flags, own->labels, own->near_count, {0}};
    memcpy(filter.near_labels, own->near, sizeof own->near);
    return filter;
}

/* One piece of memory: the head, the words, the filters, the replacements, the hits, the text. */
static uint32_t answer(word_search *s, pocket_search_found **found) {
    size_t words = s->asked.count * sizeof(pocket_asked_word),
           filters = s->filter_count * sizeof(pocket_asked_filter),
           replacements = s->replaced * sizeof(pocket_replacement),
           hits = s->best_count * sizeof(pocket_word_hit),
           text = s->other_text ? (size_t)s->length : 0;
    uint32_t status = POCKET_OK, whole = s->index->text_kept == POCKET_WHOLE;
    pocket_search_found *f =
        pocket_malloc(sizeof *f + words + filters + replacements + hits + text + 1);
    if (!f) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    pocket_asked_word *word = (pocket_asked_word *)(f + 1);
    pocket_asked_filter *filter = (pocket_asked_filter *)(word + s->asked.count);
    pocket_replacement *replaced = (pocket_replacement *)(filter + s->filter_count);
    pocket_word_hit *hit = (pocket_word_hit *)(replaced + s->replaced);
    char *copy = (char *)(hit + s->best_count);
    for (uint32_t i = 0; i < s->asked.count; i++) word[i] = word_of(s, i);
    for (uint32_t i = 0; i < s->filter_count; i++) filter[i] = filter_of(s, i);
    for (uint32_t i = 0; i < s->best_count; i++) hit[i] = hit_of(s, s->best[i]);
    place_replacements(s, replaced);
    memcpy(copy, s->text, text);
    *f = (pocket_search_found){.hits = hit, .words = word, .count = s->best_count};
    f->replacements = replaced;
    f->replacement_count = s->replaced;
    f->text = text ? copy : NULL;
    f->text_length = text;
    f->word_count = s->asked.count;
    f->filters = filter;
    f->filter_count = s->filter_count;
    f->allowed = s->allowed_count;
    f->unlabelled = s->unlabelled;
    for (uint32_t i = 0; i < s->asked.quote_count; i++) {
        if (s->asked.quotes[i].run)
            s->pieces = 1;
        else
            f->unchecked = !whole;
    }
    for (uint32_t i = 0; i < f->count && s->pieces && !whole; i++)
        hit[i].words -= hit[i].words == s->wanted;
    if (looks_into_documents(s)) status = choose_hits(s, hit, &f->count);
    f->all = s->all;
    f->any = s->any;
    f->pieces = (uint32_t)s->pieces;
    if (f->count > s->options.most) f->count = s->options.most;
    f->capped = (uint32_t)(s->capped || s->asked.capped);
    f->ignored = (uint32_t)s->asked.ignored;
    if (status)
        pocket_free(f);
    else
        *found = f;
    return status;
}

/* Ask the text that is set. */
static uint32_t answer_question(word_search *s) {
    const pocket_index *x = s->index;
    asked_words *a = &s->asked;
    uint32_t status = asked_words_read(a, s->text, s->length, every_word_of(x->profile.stream),
                                       s->options.prefix != 0, &s->steps);
    if (status) return fail(s->error, status, POCKET_WORDS, -1, NULL, 0, 0);
    if (s->steps.ended) return POCKET_INTERRUPTED;
    s->typed_filters = a->filter_count;
    if (s->options.filters)
        asked_filters_add(a->filters, &a->filter_count, s->options.filters,
                          s->options.filters_length, &a->capped);
    for (uint32_t i = 0; i < a->filter_count; i++) s->filters[i].asked = a->filters[i];
    s->filter_count = a->filter_count;
    if ((status = filter_documents(s))) return status;
    s->room = s->options.most;
    if (looks_into_documents(s)) s->room = s->options.cold ? MOST_TEXTS_COLD : MOST_TEXTS;
    if (s->nested) s->room = s->options.cold ? MOST_NEIGHBOURS_COLD : MOST_TEXTS_COLD;
    if (s->room > x->documents) s->room = x->documents ? x->documents : 1;
    return guarded(x, find_and_rank, s);
}

static void free_search(word_search *s) {
    pocket_free(s->found);
    pocket_free(s->best);
    pocket_free(s->allowed);
    tally_free(&s->tally);
    tally_free(&s->one);
    tally_free(&s->titles[0]);
    tally_free(&s->titles[1]);
    pocket_free(s->other_text);
    pocket_free(s);
}

static word_search *new_search(const word_search *like) {
    word_search *s = pocket_malloc(sizeof *s);
    if (!s) return NULL;
    memset(s, 0, sizeof *s);
    s->index = like->index;
    s->options = like->options;
    s->error = like->error;
    s->steps = like->steps;
    return s;
}

static uint32_t search_neighbours(word_search *s, const uint8_t *bytes, uint32_t at,
                                  uint32_t length, int *found) {
    uint8_t text[TERM_BYTES + 3];
    pocket_word_hit hits[MOST_TEXTS_COLD];
    word_search *n = new_search(s);
    *found = 0;
    if (!n) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    text[0] = text[length + 2] = '"';
    memcpy(text + 1, bytes, at);
    text[at + 1] = ' ';
    memcpy(text + at + 2, bytes + at, length - at);
    n->text = text;
    n->length = length + 3;
    n->options =
        (pocket_search_options){.size = sizeof n->options, .most = 1, .cold = s->options.cold};
    n->nested = 1;
    uint32_t status = answer_question(n), count = n->best_count;
    for (uint32_t i = 0; i < count && !status; i++) hits[i] = hit_of(n, n->best[i]);
    if (!status) status = choose_hits(n, hits, &count);
    s->steps = n->steps;
    *found = !status && count;
    free_search(n);
    return status;
}

/* The text with its replacements, as another search. */
static word_search *replaced_search(const word_search *s) {
    word_search *other = new_search(s);
    uint64_t at = 0, size = 0;
    if (!other) return NULL;
    other->options.having = NULL; /* that is of other words */
    memcpy(other->replacements, s->replacements, sizeof s->replacements);
    other->replaced = s->replaced;
    other->other_text = pocket_malloc(s->length + s->replaced * sizeof s->replacements->bytes + 1);
    if (!other->other_text) {
        free_search(other);
        return NULL;
    }
    for (uint32_t i = 0; i < s->replaced; at = s->replacements[i++].end) {
        const replacement *r = &s->replacements[i];
        memcpy(other->other_text + size, s->text + at, r->start - at);
        size += r->start - at;
        memcpy(other->other_text + size, r->bytes, r->length);
        size += r->length;
    }
    memcpy(other->other_text + size, s->text + at, s->length - at);
    other->text = other->other_text;
    other->length = size + s->length - at;
    return other;
}

static uint32_t guarded_replacements(void *argument) { return find_replacements(argument); }

static uint32_t run_search(word_search *s, pocket_search_found **found) {
    uint32_t status = answer_question(s);
    if (!status && s->options.replace) status = guarded(s->index, guarded_replacements, s);
    if (status || !s->replaced) return status ? status : answer(s, found);
    word_search *other = replaced_search(s);
    if (!other) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    if (!(status = answer_question(other))) status = answer(other, found);
    free_search(other);
    return status;
}

pocket_status pocket_search(const pocket_index *x, const uint8_t *text, uint64_t length,
                            const pocket_search_options *given, pocket_search_found **found,
                            pocket_error *error) {
    static const uint8_t none[1] = {0};
    pocket_search_options options;
    *found = NULL;
    clear(error);
    if (!x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_WORDS, POCKET_WORDS, -1, "sections", 1, 0);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    if (!read_search_options(given, &options))
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most hits", MOST_HITS, given->most));
    if (length > MOST_TEXT) return text_too_long(error, length);
    word_search *s = pocket_malloc(sizeof *s);
    if (!s) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    memset(s, 0, sizeof *s);
    s->index = x;
    s->neighbours = search_neighbours;
    s->text = text ? text : none;
    s->length = length;
    s->options = options;
    s->error = error;
    s->steps = meter_of(x);
    uint32_t status = run_search(s, found);
    free_search(s);
    return fail_as(error, status);
}

void pocket_search_free(pocket_search_found *found) { pocket_free(found); }

/* Add a place that is not within the last one; one that overlaps it makes it longer. */
static void add_mark(uint64_t *places, uint32_t *count, uint64_t from, uint64_t to) {
    if (*count && from < places[2 * *count - 1]) {
        if (to > places[2 * *count - 1]) places[2 * *count - 1] = to;
        return;
    }
    places[2 * *count] = from;
    places[2 * (*count)++ + 1] = to;
}

/* Is a word of a text the asked one, spelled so or otherwise, or does it begin so? */
static int is_marked(const asked_word *word, const uint8_t *bytes, uint32_t length) {
    uint8_t plain[TERM_BYTES];
    return asked_word_is(word, bytes, length) ||
           (!word->prefix && !compare_bytes(plain, plain_spelling(bytes, length, plain),
                                            word->plain, word->plain_length));
}

pocket_status pocket_mark_words(const uint8_t *text, uint64_t length, const uint8_t *asked,
                                uint64_t asked_length, uint32_t prefix, uint64_t *places,
                                uint32_t *count) {
    static const uint8_t none[1] = {0};
    if (!text) text = none;
    if (!asked) asked = none;
    asked_words *a = pocket_malloc(sizeof *a);
    word_stream t;
    uint32_t room = *count;
    *count = 0;
    if (!a) return POCKET_NO_MEMORY;
    meter steps = {.ask = NULL};
    uint32_t status =
        asked_words_read(a, asked, asked_length, STREAM_EVERY_WORD, prefix != 0, &steps);
    if (status) {
        pocket_free(a);
        return status;
    }
    word_stream_begin(&t, text, length, STREAM_EVERY_WORD, NULL);
    while (*count < room && word_stream_next(&t)) {
        uint32_t i = 0;
        while (i < a->count &&
               (a->words[i].role != WORD_WANTED || !is_marked(&a->words[i], t.bytes, t.length)))
            i++;
        if (i < a->count)
            add_mark(places, count, (uint64_t)(t.from - text), (uint64_t)(t.to - text));
    }
    pocket_free(a);
    return POCKET_OK;
}
