/* Quotes of a search, looked for in kept texts and titles. */
#include "base/memory.h"
#include "query/words/word_search.h"

/* The places among the asked words of the last terms of a text, MOST_ASKED for one that is none. */
typedef struct reading {
    uint32_t last[MOST_QUOTED]; /* a ring */
    uint64_t count;
} reading;

static int ends_with(const word_search *s, const reading *r, const asked_quote *q) {
    if (r->count < q->count) return 0;
    for (uint32_t i = 0; i < q->count; i++) {
        const asked_word *own = &s->asked.words[s->asked.terms[q->first + i]];
        uint32_t place = r->last[(r->count - q->count + i) % MOST_QUOTED];
        if (place == MOST_ASKED) return 0;
        const asked_word *other = &s->asked.words[place];
        if (own->length != other->length || memcmp(own->bytes, other->bytes, own->length)) return 0;
    }
    return 1;
}

static uint32_t quoted_place(const word_search *s, const term_stream *t) {
    for (uint32_t i = 0; i < s->asked.count; i++)
        if (s->asked.words[i].quoted && s->asked.words[i].length == t->length &&
            !memcmp(s->asked.words[i].bytes, t->bytes, t->length))
            return i;
    return MOST_ASKED;
}

/* Set the bits of the quotes that stand in a text. */
static void look_into(word_search *s, const char *text, uint64_t length, uint64_t *have) {
    term_stream t;
    reading r = {.count = 0};
    term_stream_begin(&t, (const uint8_t *)text, length, STREAM_EVERY_WORD);
    t.meter = &s->steps;
    while (term_stream_next(&t)) {
        uint32_t place = quoted_place(s, &t);
        r.last[r.count++ % MOST_QUOTED] = place;
        for (uint32_t i = 0; place != MOST_ASKED && i < s->asked.quote_count; i++)
            if (ends_with(s, &r, &s->asked.quotes[i])) *have |= 1ull << i;
    }
}

static uint32_t look_into_document(word_search *s, uint32_t number, uint64_t *have) {
    pocket_document *document;
    pocket_text *text;
    uint32_t status = pocket_document_get(s->index, number, &document, s->error);
    if (!status) {
        look_into(s, document->title, document->title_length, have);
        pocket_document_free(document);
    }
    uint32_t text_status = pocket_text_get(s->index, number, &text, s->error);
    if (!text_status) {
        look_into(s, text->bytes, text->length, have);
        pocket_text_free(text);
    }
    return status ? status : text_status;
}

int all_are_quoted(const word_search *s) {
    uint64_t quoted = 0;
    if (s->index->words_heaviest || !s->index->word_title_weight) return 0;
    for (uint32_t i = 0; i < s->asked.quote_count; i++) {
        const asked_quote *q = &s->asked.quotes[i];
        for (uint32_t k = 0; k < q->count && !q->negative; k++)
            quoted |= 1ull << s->asked.terms[q->first + k];
    }
    for (uint32_t i = 0; i < s->asked.count; i++) {
        const asked_word *word = &s->asked.words[i];
        if (word->role != WORD_WANTED) continue;
        if (!(quoted >> i & 1) || word->prefix || s->partial[i]) return 0;
    }
    return quoted != 0;
}

/* How many hits may have the quotes: they have all the words where the quotes ask for these. */
static uint32_t hits_to_look_at(const word_search *s) {
    if (!all_are_quoted(s)) return s->any;
    return s->not_found ? 0 : s->all;
}

uint32_t choose_quoted(word_search *s, pocket_word_hit *hits, uint32_t *count) {
    uint64_t wanted = 0, negative = 0;
    uint32_t to = 0, missed = 0, all = hits_to_look_at(s), given = *count < all ? *count : all;
    for (uint32_t i = 0; i < s->asked.quote_count; i++)
        *(s->asked.quotes[i].negative ? &negative : &wanted) |= 1ull << i;
    for (uint32_t i = 0; i < given && to + missed < s->options.most; i++) {
        uint64_t have = 0;
        uint32_t status = look_into_document(s, hits[i].document, &have);
        if (s->steps.ended) return POCKET_INTERRUPTED;
        if (status && status != POCKET_NOT_AT_HAND) return status;
        missed += status != POCKET_OK;
        if (!status && (have & wanted) == wanted && !(have & negative)) hits[to++] = hits[i];
    }
    if (to < s->options.most && all > given) s->capped = 1;
    *count = to;
    return missed ? POCKET_NOT_AT_HAND : POCKET_OK;
}
