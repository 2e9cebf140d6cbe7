/* Quotes of a search, looked for in kept texts and titles, and words in titles. */
#include "base/memory.h"
#include "query/words/word_search.h"
#include "text/marks.h"

#define RUNS_SEEN (1u << 31) /* in the words of a hit */

/* Of the last terms of a text, a bit for each asked word that they are. */
typedef struct reading {
    uint64_t last[MOST_QUOTED]; /* a ring */
    uint64_t count;
} reading;

static int ends_with(const word_search *s, const reading *r, const asked_quote *q) {
    if (r->count < q->count) return 0;
    for (uint32_t i = 0; i < q->count; i++) {
        uint64_t last = r->last[(r->count - q->count + i) % MOST_QUOTED];
        if (!(last >> s->asked.terms[q->first + i] & 1)) return 0;
    }
    return 1;
}

static uint64_t quoted_words(const word_search *s, const word_stream *t) {
    uint64_t are = 0;
    for (uint32_t i = 0; i < MOST_ASKED && i < s->asked.count; i++) {
        const asked_word *word = &s->asked.words[i];
        if (word->quoted || word->of_run)
            are |= (uint64_t)is_spelling_of(s, word, t->bytes, t->length) << i;
    }
    return are;
}

/* Set the bits of the quotes that stand in a text. */
static void look_into(word_search *s, const char *text, uint64_t length, uint64_t *have) {
    word_stream t;
    reading r = {.count = 0};
    word_stream_begin(&t, (const uint8_t *)text, length, s->asked.stream, &s->steps);
    while (word_stream_next(&t)) {
        if (t.kind != WORD_WHOLE) continue;
        uint64_t are = quoted_words(s, &t);
        r.last[r.count++ % MOST_QUOTED] = are;
        for (uint32_t i = 0; are && i < s->asked.quote_count; i++)
            if (ends_with(s, &r, &s->asked.quotes[i])) *have |= 1ull << i;
    }
}

/* Are all asked words that some document has in a title? */
static int titled(const word_search *s, const pocket_document *document) {
    uint64_t missing = 0;
    word_stream t;
    for (uint32_t i = 0; i < MOST_ASKED && i < s->asked.count; i++)
        missing |= (uint64_t)(s->asked.words[i].role == WORD_WANTED) << i;
    word_stream_begin(&t, (const uint8_t *)document->title, document->title_length, s->asked.stream,
                      NULL);
    while (missing && word_stream_next(&t)) {
        uint32_t length = s->asked.marked ? t.length : letters_length(t.bytes, t.length);
        for (uint32_t i = 0; i < s->asked.count; i++)
            if (asked_word_is(&s->asked.words[i], t.bytes, length)) missing &= ~(1ull << i);
    }
    return !missing;
}

/* *have: the quotes that a document has; *fits: its title is as it should be. */
static uint32_t look_into_document(word_search *s, uint32_t number, uint64_t *have, int *fits) {
    pocket_document *document;
    pocket_text *text;
    uint32_t status = pocket_document_get(s->index, number, &document, s->error);
    if (!status) {
        *fits = !s->options.titles || titled(s, document);
        look_into(s, document->title, document->title_length, have);
        pocket_document_free(document);
    }
    if (!s->asked.quote_count || s->index->text_kept != POCKET_WHOLE) return status;
    uint32_t text_status = pocket_text_get(s->index, number, &text, s->error);
    if (!text_status) {
        look_into(s, text->bytes, text->length, have);
        pocket_text_free(text);
    }
    return status ? status : text_status;
}

/* Do the quotes ask for all the words, and tell the lists whether a document has them all? */
static int all_are_quoted(const word_search *s) {
    uint64_t quoted = 0;
    if (s->index->text_kept != POCKET_WHOLE) return 0;
    if (s->index->words_heaviest || !s->index->word_title_weight) return 0;
    for (uint32_t i = 0; i < s->asked.quote_count; i++) {
        const asked_quote *q = &s->asked.quotes[i];
        for (uint32_t k = 0; k < q->count && !q->negative && !q->run; k++)
            quoted |= 1ull << s->asked.terms[q->first + k];
    }
    for (uint32_t i = 0; i < s->asked.count; i++) {
        const asked_word *word = &s->asked.words[i];
        if (word->role != WORD_WANTED) continue;
        if (!(quoted >> i & 1) || word->prefix || s->partial[i]) return 0;
    }
    return quoted != 0;
}

int needs_all(const word_search *s) { return s->options.titles || s->nested || all_are_quoted(s); }

/* How many hits, from the first on, may have the quotes, or all words in their titles. */
static uint32_t hits_to_look_at(const word_search *s) {
    if (!needs_all(s)) return s->any;
    return s->not_found ? 0 : s->all;
}

/* Put those that have the runs before the others, each as they are; a document that is not known to
 * have them has not all that was asked for. */
static uint32_t put_runs_first(const word_search *s, pocket_word_hit *hits, uint32_t count) {
    pocket_word_hit *others = pocket_malloc((count + 1) * sizeof *others);
    uint32_t seen = 0, rest = 0;
    if (!others) return fail(s->error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        pocket_word_hit hit = hits[i];
        if (hit.words & RUNS_SEEN) {
            hit.words &= ~RUNS_SEEN;
            hits[seen++] = hit;
        } else {
            hit.words -= hit.words == s->wanted;
            others[rest++] = hit;
        }
    }
    memcpy(hits + seen, others, rest * sizeof *others);
    pocket_free(others);
    return POCKET_OK;
}

uint32_t choose_hits(word_search *s, pocket_word_hit *hits, uint32_t *count) {
    uint64_t wanted = 0, negative = 0, runs = 0;
    uint32_t to = 0, seen = 0, missed = 0, i, all = hits_to_look_at(s),
             given = *count < all ? *count : all,
             whole = s->index->text_kept == POCKET_WHOLE || s->nested;
    for (i = 0; i < s->asked.quote_count && whole; i++) {
        const asked_quote *q = &s->asked.quotes[i];
        *(q->negative ? &negative : q->run ? &runs : &wanted) |= 1ull << i;
    }
    int filters = s->options.titles || wanted || negative;
    if (!filters && given > s->all) given = s->all;
    for (i = 0; i < given && seen + missed < s->options.most; i++) {
        uint64_t have = 0;
        int fits = 0;
        uint32_t status = look_into_document(s, hits[i].document, &have, &fits);
        if (s->steps.ended) return POCKET_INTERRUPTED;
        if (status && status != POCKET_NOT_AT_HAND) return status;
        missed += status != POCKET_OK;
        if (status || !fits || (have & wanted) != wanted || have & negative) continue;
        hits[to] = hits[i];
        if ((have & runs) == runs) {
            seen++;
            hits[to].words |= RUNS_SEEN;
        }
        to++;
    }
    if (filters && seen < s->options.most && all > given) s->capped = 1;
    if (runs && !filters && i == s->all) {
        s->all = seen;
        s->pieces = 0;
    }
    for (; !filters && i < *count; i++) hits[to++] = hits[i];
    *count = to;
    return missed ? (uint32_t)POCKET_NOT_AT_HAND : put_runs_first(s, hits, to);
}
