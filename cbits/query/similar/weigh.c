/* Hits beside what the file's words and texts say of them: those that the sketches leave in doubt,
 * and documents that have the rarest words of the text. */
#include "base/memory.h"
#include "base/sort.h"
#include "query/similar/evidence.h"
#include "query/similar/stages.h"

/* A hit that is so similar, so much more than the next one, and than the tenth, needs no other
 * evidence, unless many documents are a little similar, as those of one form are; nor does a copy
 * where no other is as good as one. */
#define SURE 6800u
#define AHEAD_OF_NEXT 300u
#define AHEAD_OF_TENTH 1500u
#define OF_ONE_FORM 3300u
#ifndef FEW_DOCUMENTS       /* the files of the harnesses have fewer */
#define FEW_DOCUMENTS 1000u /* among which such a form shows less, and time matters less */
#endif
#define AHEAD_OF_COPY 50u
#define MOST_TEXTS_READ 10u    /* texts */
#define MOST_TEXTS_OF_SHORT 5u /* if the asked text is short, but for those that are tied */
#define TIED 4000u             /* in the unit of the order */

static int is_sure(const query *q) {
    if (!q->found_count) return 0;
    uint32_t first = q->found[0].similarity, last = q->found_count < 10 ? q->found_count - 1 : 9;
    /* Far away the words of a text are many blocks. */
    if (q->cold && first >= q->least) return 1;
    if (first == 10000 && q->found_count == 1) return 1;
    if (first < 10000 && q->index->documents < FEW_DOCUMENTS) return 0;
    if (q->found_count == 1) return first >= SURE;
    if (first == 10000) return q->found[1].similarity <= first - AHEAD_OF_COPY;
    return first >= SURE && first - q->found[1].similarity >= AHEAD_OF_NEXT &&
           first - q->found[last].similarity >= AHEAD_OF_TENTH &&
           (q->found_count < LEAST_FOUND || q->found[LEAST_FOUND - 1].similarity < OF_ONE_FORM);
}

uint32_t look_at_sketch(query *q, uint32_t document, uint32_t *similarity) {
    const pocket_index *x = q->index;
    packed_sketch stored;
    uint32_t agreement, status = sketch_get(x, document, &stored, q->error);
    if (status) return unless_missed(q, status);
    if (!ranking_agreement(&q->ranking, stored, &agreement))
        return damaged(q, POCKET_SKETCHES, document / x->block_documents, "digit", 0, 0);
    *similarity = without_luck(&x->profile, similarity_of(&x->profile, agreement, 1), x->documents);
    return POCKET_OK;
}

static int is_found(const query *q, uint32_t document) {
    for (uint32_t i = 0; i < q->found_count; i++)
        if (q->found[i].document == document) return 1;
    return 0;
}

static uint32_t add_word_candidates(query *q, evidence *e) {
    uint32_t most = e->words.found_count < MOST_CANDIDATES ? e->words.found_count : MOST_CANDIDATES;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t document = e->words.found[i].document, shared,
                 share = evidence_share(e, document, &shared), status = POCKET_OK;
        if (shared < LEAST_WORDS || is_found(q, document)) continue;
        pocket_hit hit = {.document = document, .similarity = share * 9999 / 1024};
        if (q->ranked && document < q->index->sketched)
            status = look_at_sketch(q, document, &hit.similarity);
        if (status) return status;
        q->found[q->found_count++] = hit;
        q->report->candidates += !is_candidate(q, document);
    }
    return POCKET_OK;
}

/* What a hit is ordered by, in twenty-thousandths: what its text says, else what its sketch and its
 * words do. */
static uint32_t order_of(const pocket_hit *hit) {
    int by_words = (hit->evidence & (POCKET_BY_WORDS | POCKET_BY_TEXT)) == POCKET_BY_WORDS;
    if (hit->similarity == 10000 || !by_words) return 2 * hit->similarity;
    return hit->similarity + hit->words;
}

/* The best first, of equal ones the one that has more of the words, then as they were. */
static uint32_t order_found(query *q) {
    for (uint32_t i = 0; i < q->found_count; i++) {
        pocket_hit *hit = &q->found[i];
        hit->order = order_of(hit);
        q->order[i] =
            (uint64_t)(20000 - hit->order) << 46 | (uint64_t)(10000 - hit->words) << 32 | i;
        if (interrupted(&q->steps, 1)) return POCKET_INTERRUPTED;
    }
    sort64(q->order, q->found_count);
    return POCKET_OK;
}

/* Give each hit what it has of the words that were asked for. */
static void take_words(query *q, const evidence *e) {
    uint32_t shared;
    for (uint32_t i = 0; i < q->found_count; i++) {
        pocket_hit *hit = &q->found[i];
        uint32_t share = evidence_share(e, hit->document, &shared);
        /* A few bits of identity and an equal sketch agree by chance, too. */
        if (hit->similarity == 10000 && shared < e->words.word_count && !q->index->words_heaviest)
            hit->similarity = 9999;
        hit->words = (uint16_t)(share * 10000 / 1024);
        hit->evidence = POCKET_BY_WORDS;
    }
}

/* Of a text of up to so many terms. */
typedef struct limit {
    uint32_t terms, least;
} limit;

/* Set on Simple English Wikipedia and Reuters (docs/decisions.md), in ten-thousandths. */
static const limit cosines[] = {{9, 4000}, {14, 4300}, {UINT32_MAX, 4500}};
static const limit shares[] = {{4, 6000},  {9, 9500},   {14, 8500},        {29, 7500},
                               {64, 5000}, {100, 4000}, {UINT32_MAX, 3000}};
#define ENOUGH_TERMS 30u  /* of a text that words alone tell of */
#define TELLING 15u       /* tenths of both limits, for words beside a sketch */
#define PROMISING_BOTH 7u /* for a text that is read */
#define TOO_FEW 500u      /* of the words, where there are enough of them to tell */
#define WORDS_TO_TELL 16u /* that are asked for */
/* Of cosines of distinct terms, one below a fifth is of few, from a half on it is of many. */
#define FEW_SQUARED 25u
#define MANY_SQUARED 4u

static uint32_t limit_of(const limit *limits, uint64_t terms) {
    while (terms > limits->terms) limits++;
    return limits->least;
}

/* Has a candidate so many of the words that they may be enough? */
static int any_may_have_enough(const query *q, const evidence *e) {
    uint32_t least = limit_of(shares, q->report->terms);
    for (uint32_t i = 0; i < e->words.found_count && i < MOST_CANDIDATES; i++)
        if (e->words.found[i].share * 10000 / 1024 >= least) return 1;
    return 0;
}

static uint32_t weigh_words(query *q, evidence *e) {
    int is_near = q->found_count && 4 * q->found[0].similarity >= 3 * q->least;
    uint32_t status = evidence_of_words(e, q->text, q->length, is_near);
    if (!status && e->ready && any_may_have_enough(q, e)) status = evidence_know_more(e);
    if (!status && e->ready) status = add_word_candidates(q, e);
    while (!status && e->ready && q->report->words != e->words.word_count) {
        q->report->words = e->words.word_count;
        take_words(q, e);
        status = order_found(q);
        /* Of documents that differ in their numbers alone, these tell which one is asked for. */
        if (!status && q->found_count > 1 && q->order[0] >> 32 == q->order[1] >> 32)
            status = word_candidates_numbers(&e->words);
    }
    if (e->words.missed) q->incomplete = 1;
    return status;
}

/* ---- what is more than chance ---- */

/* Do the similarity, in parts of the noise floor, and the words, in parts of their limit, reach so
 * many tenths together? A document has some words of a text by chance, and a sketch is a little
 * similar by chance, but hardly the same one's. */
static int both_reach(const query *q, const pocket_hit *hit, uint32_t tenths) {
    uint32_t limit = limit_of(shares, q->report->terms), least = q->least;
    return 10 * (hit->similarity * limit + hit->words * least) >= tenths * limit * least;
}

/* Are its words, beside its sketch, enough? */
static int words_tell(const query *q, const pocket_hit *hit) {
    uint64_t terms = q->report->terms;
    if (!(hit->evidence & POCKET_BY_WORDS)) return 0;
    if (terms >= ENOUGH_TERMS) return both_reach(q, hit, TELLING);
    return hit->words >= limit_of(shares, terms) && 4 * hit->similarity >= 3 * q->least;
}

static uint16_t judged(const query *q, const evidence *e, const pocket_hit *hit) {
    const pocket_index *x = q->index;
    uint64_t terms = q->report->terms;
    if (hit->evidence & (POCKET_IS_ENOUGH | POCKET_IS_AGAINST)) return 0;
    if (hit->evidence & POCKET_BY_TEXT)
        return hit->similarity >= limit_of(cosines, terms) ? POCKET_IS_ENOUGH : POCKET_IS_AGAINST;
    if (!(hit->evidence & POCKET_BY_WORDS)) return 0;
    /* Without a sketch of the text, its words alone made the similarity. */
    if (!q->ranked && x->text_kept == POCKET_WHOLE && hit->similarity < 10000)
        return POCKET_IS_AGAINST;
    if (words_tell(q, hit)) return POCKET_IS_ENOUGH;
    /* The rarest words of an edited copy may be those that were put in: a sketch that is well above
     * the noise floor counts more. */
    return hit->words < TOO_FEW && 4 * hit->similarity < 5 * q->least &&
                   e->words.word_count >= WORDS_TO_TELL && !x->words_heaviest
               ? POCKET_IS_AGAINST
               : 0;
}

/* ---- texts ---- */

/* Are the sketches so much less similar than the limit for cosines, by two standard deviations or a
 * third of the noise floor, that the cosine hardly reaches it? */
static int sketch_tells(const query *q, const pocket_hit *hit) {
    return q->ranked && hit->document < q->index->sketched &&
           3 * hit->similarity + q->least < 3 * limit_of(cosines, q->report->terms);
}

/* Has a hit so little that its text is not worth reading? The cosine of a short text is about the
 * mean of its similarity and its words. */
static int is_hopeless(const query *q, const pocket_hit *hit) {
    uint64_t terms = q->report->terms;
    if (4 * hit->similarity >= 3 * q->least) return 0;
    if (!(hit->evidence & POCKET_BY_WORDS)) return 1;
    if (terms < ENOUGH_TERMS)
        return 4 * hit->order < 7 * limit_of(cosines, terms) || sketch_tells(q, hit);
    return !both_reach(q, hit, PROMISING_BOTH);
}

/* Is the text of the hit in this place to be read? tied: how many are nearly as good as the first,
 * it among them. */
static int is_to_be_read(const query *q, uint32_t place, uint32_t tied) {
    const pocket_hit *hit = &q->found[(uint32_t)q->order[place]];
    if (hit->similarity == 10000) return q->ranked;
    if (is_hopeless(q, hit)) return 0;
    if (tied > 1 && place < tied) return 1;
    int is_short = q->report->terms < ENOUGH_TERMS;
    if (is_short && place >= MOST_TEXTS_OF_SHORT) return 0;
    return !(q->ranked && (is_short || hit->similarity >= q->least) && words_tell(q, hit));
}

/* What the terms that a hit's text shares with the asked one tell, however often they come and
 * whatever they weigh. Two texts of a language that is rare in the file have its most frequent
 * words in common, which weigh much there and come often; an edited copy has most words of the
 * original, though those that were put in may weigh most; and a document may have all of a text
 * within much else. */
static uint16_t judged_by_terms(const query *q, const evidence *e, int do_words_tell) {
    uint64_t shared = e->shared, asked = e->asked.count, square = shared * shared,
             both = asked * e->document.count;
    if (FEW_SQUARED * square < both && 4 * shared < 3 * asked) return POCKET_IS_AGAINST;
    if (q->report->terms < ENOUGH_TERMS) return 0;
    return MANY_SQUARED * square >= both || (do_words_tell && 10 * shared >= 9 * asked)
               ? POCKET_IS_ENOUGH
               : 0;
}

static uint32_t weigh_texts(query *q, evidence *e) {
    uint32_t count = q->found_count < MOST_TEXTS_READ ? q->found_count : MOST_TEXTS_READ, tied = 0,
             status = POCKET_OK, first = q->found[(uint32_t)q->order[0]].order;
    while (tied < count && q->found[(uint32_t)q->order[tied]].order + TIED > first) tied++;
    for (uint32_t i = 0; i < count && !status; i++) {
        pocket_hit *hit = &q->found[(uint32_t)q->order[i]];
        uint32_t cosine = 0;
        if (!is_to_be_read(q, i, tied)) continue;
        if (!q->report->texts) status = evidence_begin_texts(e, q->text, q->length);
        uint32_t read = status ? status : evidence_cosine(e, hit->document, &cosine);
        /* A hit whose text is damaged is judged as one whose text is not kept. */
        if (read >= POCKET_DAMAGED_HEADER && read <= POCKET_DAMAGED_FIELD) continue;
        status = unless_missed(q, read);
        q->report->texts++;
        if (hit->similarity == 10000 && cosine == 10000) continue;
        hit->evidence |= POCKET_BY_TEXT | judged_by_terms(q, e, words_tell(q, hit));
        hit->similarity = cosine;
    }
    return status;
}

uint32_t weigh_hits(query *q) {
    const pocket_index *x = q->index;
    uint32_t status = POCKET_OK;
    q->least = min_similarity(&x->profile, x->documents, 1);
    if (q->text && !q->sketches_alone && evidence_is_kept(x) && !is_sure(q)) {
        if (!evidence_alloc(q->evidence, x, &q->steps, q->error)) return POCKET_NO_MEMORY;
        if (x->by_kind[POCKET_WORDS]) status = weigh_words(q, q->evidence);
        if (!status && !q->incomplete) status = order_found(q);
        if (!status && !q->incomplete && q->found_count && x->text_kept == POCKET_WHOLE)
            status = weigh_texts(q, q->evidence);
        for (uint32_t i = 0; i < q->found_count; i++)
            q->found[i].evidence |= judged(q, q->evidence, &q->found[i]);
    }
    return status ? status : order_found(q);
}
