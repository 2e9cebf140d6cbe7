#include "query/similar/evidence.h"

#include "base/bits.h"
#include "base/memory.h"

#define WHOLE 1024u
#define LOOKED_UP_FIRST 16u /* words; then as many more where any document may be similar */
#define PROMISING 3u        /* words, of the first ones, that such a document has */

int evidence_is_kept(const pocket_index *x) {
    return x->by_kind[POCKET_WORDS] || x->text_kept == POCKET_WHOLE;
}

int evidence_alloc(evidence *e, const pocket_index *x, meter *steps, pocket_error *error) {
    e->words.index = e->reader.index = x;
    e->words.steps = steps;
    e->words.error = error;
    e->segment = x->by_kind[POCKET_WORDS] ? pocket_malloc(sizeof *e->segment) : NULL;
    return !x->by_kind[POCKET_WORDS] || e->segment;
}

void evidence_free(evidence *e) {
    word_candidates_free(&e->words);
    text_reader_free(&e->reader);
    bag_free(&e->asked);
    bag_free(&e->document);
    pocket_free(e->segment);
}

/* ---- words ---- */

static void measure_known(evidence *e) {
    uint64_t known = 0, all = 0;
    for (uint32_t i = 0; i < e->segment->term_count; i++) {
        const segment_term *term = &e->segment->terms[i];
        all += term->idf;
        if (term->documents) known += term->idf;
    }
    e->known = (uint32_t)(WHOLE * known / (all ? all : 1));
}

/* Has a candidate so many words that it may be similar? */
static int any_promises(const evidence *e) {
    for (uint32_t i = 0; i < e->words.found_count; i++)
        if (count_ones(e->words.found[i].mask) >= PROMISING) return 1;
    return 0;
}

uint32_t evidence_of_words(evidence *e, const uint8_t *text, uint64_t length, int is_near) {
    segment_reader r;
    segment_reader_begin(&r, text, length, every_word_of(e->words.index->profile.stream),
                         e->words.steps);
    e->words.text = text;
    e->words.brief = 1;
    if (!segment_read(&r, e->segment)) return POCKET_OK;
    word_candidates_begin(&e->words, e->segment);
    int is_narrow = word_candidates_narrow(&e->words, LOOKED_UP_FIRST);
    e->unit = segment_whole(e->segment);
    uint32_t status = is_near ? POCKET_OK : word_candidates_of(&e->words, e->unit);
    if (!status && (is_near || (is_narrow && any_promises(e)))) {
        status = word_candidates_look_more(&e->words, SECOND);
        if (!status) status = word_candidates_of(&e->words, e->unit);
    }
    if (!status) measure_known(e);
    e->ready = !status && e->words.word_count > 0;
    return status;
}

uint32_t evidence_know_more(evidence *e) {
    uint32_t status = word_candidates_look_more(&e->words, LATER);
    if (!status) measure_known(e);
    return status;
}

uint32_t evidence_share(const evidence *e, uint32_t document, uint32_t *shared) {
    *shared = 0;
    if (!e->ready) return 0;
    candidate own = word_candidate(&e->words, e->unit, document);
    *shared = count_ones(own.mask);
    uint32_t share = excess_of(&own) * e->known / WHOLE;
    return share < WHOLE ? share : WHOLE;
}

/* ---- texts ---- */

static uint32_t unless_read(const evidence *e, int read) {
    if (read) return POCKET_OK;
    return e->words.steps->ended
               ? (uint32_t)POCKET_INTERRUPTED
               : fail(e->words.error, POCKET_NO_MEMORY, POCKET_TEXTS, -1, NULL, 0, 0);
}

uint32_t evidence_begin_texts(evidence *e, const uint8_t *text, uint64_t length) {
    const profile *p = &e->reader.index->profile;
    e->text = text;
    e->length = length;
    return unless_read(e, bag_read(&e->asked, p, text, length, e->words.steps));
}

uint32_t evidence_cosine(evidence *e, uint32_t document, uint32_t *cosine) {
    const profile *p = &e->reader.index->profile;
    const uint8_t *text;
    uint32_t length, status = text_reader_get(&e->reader, document, &text, &length, e->words.error);
    if (!status) status = unless_read(e, bag_read(&e->document, p, text, length, e->words.steps));
    if (!status) *cosine = bag_cosine(&e->asked, &e->document, &e->shared);
    if (!status && length == e->length && !memcmp(text, e->text, length)) *cosine = 10000;
    return status;
}
