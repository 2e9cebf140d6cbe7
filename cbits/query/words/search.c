/* Words to documents (docs/format.md, section 10): asked words -> words of the file -> sums by
 * document -> the best -> those that have the quotes. */
#include "query/words/word_search.h"

#include "base/memory.h"
#include "query/query.h"

static int read_search_options(const pocket_search_options *given, pocket_search_options *options) {
    *options = (pocket_search_options){.size = sizeof *options, .most = 10};
    if (!given) return 1;
    if (given->most > MOST_HITS) return 0;
    if (given->most) options->most = given->most;
    options->prefix = given->prefix;
    options->cold = given->cold;
    options->exact = given->exact;
    return 1;
}

static uint32_t find_and_rank(void *argument) {
    word_search *s = argument;
    uint32_t status = find_words(s);
    if (!status && s->missed) status = POCKET_NOT_AT_HAND;
    return status ? status : rank_words(s);
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

/* One piece of memory: the head, the words, the hits. */
static uint32_t answer(word_search *s, pocket_search_found **found) {
    size_t words = s->asked.count * sizeof(pocket_asked_word),
           hits = s->best_count * sizeof(pocket_word_hit);
    uint32_t status = POCKET_OK, whole = s->index->text_kept == POCKET_WHOLE;
    pocket_search_found *f = pocket_malloc(sizeof *f + words + hits);
    if (!f) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    pocket_asked_word *word = (pocket_asked_word *)(f + 1);
    pocket_word_hit *hit = (pocket_word_hit *)(word + s->asked.count);
    for (uint32_t i = 0; i < s->asked.count; i++) word[i] = word_of(s, i);
    for (uint32_t i = 0; i < s->best_count; i++) hit[i] = hit_of(s, s->best[i]);
    *f = (pocket_search_found){.hits = hit, .words = word, .count = s->best_count};
    f->word_count = s->asked.count;
    f->all = s->all;
    f->any = s->any;
    f->unchecked = s->asked.quote_count && !whole;
    if (s->asked.quote_count && whole) status = choose_quoted(s, hit, &f->count);
    if (f->count > s->options.most) f->count = s->options.most;
    f->capped = (uint32_t)(s->capped || s->asked.capped);
    f->ignored = (uint32_t)s->asked.ignored;
    if (status)
        pocket_free(f);
    else
        *found = f;
    return status;
}

static uint32_t run_search(word_search *s, pocket_search_found **found) {
    const pocket_index *x = s->index;
    asked_words_read(&s->asked, s->text, s->length, s->options.prefix != 0, &s->steps);
    if (s->steps.ended) return POCKET_INTERRUPTED;
    int quotes = s->asked.quote_count && x->text_kept == POCKET_WHOLE;
    s->room = !quotes ? s->options.most : s->options.cold ? MOST_TEXTS_COLD : MOST_TEXTS;
    if (s->room > x->documents) s->room = x->documents ? x->documents : 1;
    uint32_t status = guarded(x, find_and_rank, s);
    return status ? status : answer(s, found);
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
    s->text = text ? text : none;
    s->length = length;
    s->options = options;
    s->error = error;
    s->steps = meter_of(x);
    uint32_t status = run_search(s, found);
    pocket_free(s->found);
    pocket_free(s->best);
    tally_free(&s->tally);
    tally_free(&s->one);
    tally_free(&s->titles[0]);
    tally_free(&s->titles[1]);
    pocket_free(s);
    return fail_as(error, status);
}

void pocket_search_free(pocket_search_found *found) { pocket_free(found); }

pocket_status pocket_mark_words(const uint8_t *text, uint64_t length, const uint8_t *asked,
                                uint64_t asked_length, uint32_t prefix, uint64_t *places,
                                uint32_t *count) {
    static const uint8_t none[1] = {0};
    if (!text) text = none;
    if (!asked) asked = none;
    asked_words *a = pocket_malloc(sizeof *a);
    term_stream t;
    uint32_t room = *count;
    *count = 0;
    if (!a) return POCKET_NO_MEMORY;
    meter steps = {.ask = NULL};
    asked_words_read(a, asked, asked_length, prefix != 0, &steps);
    term_stream_begin(&t, text, length, STREAM_EVERY_WORD);
    while (*count < room && term_stream_next(&t)) {
        uint32_t i = 0;
        while (i < a->count &&
               (a->words[i].role != WORD_WANTED || !asked_word_is(&a->words[i], t.bytes, t.length)))
            i++;
        if (i == a->count) continue;
        places[2 * *count] = (uint64_t)(t.term - text);
        places[2 * (*count)++ + 1] = (uint64_t)(t.term_end - text);
    }
    pocket_free(a);
    return POCKET_OK;
}
