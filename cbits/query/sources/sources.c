/* Finds the sources of a text (docs/format.md, section 9): segments -> candidates -> alignments ->
 * passages -> sources. The next source is always the one that explains most of what is not
 * explained yet. */
#include "base/memory.h"
#include "query/frequent/frequent_passages.h"
#include "query/query.h"
#include "query/sources/choose_sources.h"
#include "query/trace/trace_segment.h"

static int read_sources_options(const pocket_sources_options *given,
                                pocket_sources_options *options) {
    *options = (pocket_sources_options){sizeof *options, DEFAULT_SOURCES, 0};
    if (!given) return 1;
    if (given->most > MOST_SOURCES) return 0;
    if (given->most) options->most = given->most;
    options->cold = given->cold;
    return 1;
}

static uint32_t trace_text(trace *t, const uint8_t *text, uint64_t length, uint32_t *terms) {
    segment_reader r;
    uint32_t status = POCKET_OK;
    segment_reader_begin(&r, text, length, every_word_of(t->index->profile.stream), t->steps);
    t->words.text = text;
    while (!status && segment_read(&r, t->segment)) {
        uint32_t before = t->found->count;
        status = trace_segment(t);
        if (!status) status = find_frequent_passages(t, before);
    }
    *terms = (uint32_t)r.before;
    if (!status && t->steps->ended) status = POCKET_INTERRUPTED;
    return !status && t->missed ? (uint32_t)POCKET_NOT_AT_HAND : status;
}

pocket_status pocket_sources(const pocket_index *x, const uint8_t *text, uint64_t length,
                             const pocket_sources_options *given, pocket_sources_found **found,
                             pocket_error *error) {
    static const uint8_t none[1] = {0};
    pocket_sources_options options;
    *found = NULL;
    clear(error);
    if (!x->by_kind[POCKET_PASSAGES] && !x->by_kind[POCKET_WORDS])
        return fail(error, POCKET_NO_PASSAGES, POCKET_PASSAGES, -1, "sections", 1, 0);
    if (given && !options_fit(given, sizeof *given))
        return fail_options(error, given, sizeof *given);
    if (!read_sources_options(given, &options))
        return allowing(
            error, "0 .. %",
            fail(error, POCKET_BAD_ARGUMENT, 0, -1, "most sources", MOST_SOURCES, given->most));
    if (length > MOST_TEXT) return text_too_long(error, length);
    meter steps = meter_of(x);
    passages_found passages = {0};
    uint32_t terms = 0, status = POCKET_NO_MEMORY;
    trace *t = pocket_malloc(sizeof *t);
    if (!t) return fail(error, POCKET_NO_MEMORY, POCKET_PASSAGES, -1, NULL, 0, 0);
    memset(t, 0, sizeof *t);
    t->index = x;
    t->steps = &steps;
    t->error = error;
    t->with_texts = x->text_kept == POCKET_WHOLE;
    t->found = &passages;
    t->shingles.cold = t->words.cold = options.cold != 0;
    if (trace_alloc(t)) status = trace_text(t, text ? text : none, length, &terms);
    if (!status && !choose_sources(&passages, terms, options.most, &steps, found))
        status = steps.ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    if (!status) (*found)->capped = (uint32_t)t->capped;
    if (!status) (*found)->words_only = t->words_only;
    trace_free(t);
    pocket_free(t);
    pocket_free(passages.passages);
    pocket_free(passages.frequent);
    return fail_as(error, status);
}

void pocket_sources_free(pocket_sources_found *found) { pocket_free(found); }
