/* A hit in doubt is asked once more, with each distinct term of the text once: texts whose vectors
 * have few large terms are similar by chance more easily than others, as those of a language are
 * that is rare in the file, by its most frequent words. */
#include "query/similar/evidence.h"
#include "query/similar/stages.h"

/* Set on three collections and thirteen languages (docs/decisions.md). */
#define NO_DOUBT 6000u
#define BY_DISTINCT_TERMS 4400u
#define MANY_LARGE 14u /* terms in which the vector of the text is as good as spread evenly */
#define FEW_LARGE 20u

/* Is the vector of the text spread over so many terms? */
static int is_spread(const bag *b, uint64_t terms) {
    uint32_t shift = 0;
    uint64_t squares = 0;
    while (b->square >> shift >= 1u << 29) shift++;
    for (uint32_t i = 0; i < b->size; i++) {
        uint64_t part = (uint64_t)b->terms[i].count * b->terms[i].weight;
        if (b->terms[i].round != b->round) continue;
        part = part * part >> shift;
        squares += part * part;
    }
    return (b->square >> shift) * (b->square >> shift) >= terms * squares;
}

/* Take the sketch of the distinct terms for that of the text. */
static uint32_t take_distinct(query *q) {
    bag *b = &q->evidence->document;
    bag_begin(b);
    q->sketch.distinct = b;
    uint32_t status = sketch_text(&q->index->profile, q->text, q->length, &q->sketch);
    ranking_begin(&q->ranking, &q->sketch);
    return b->terms ? status : POCKET_NO_MEMORY;
}

uint32_t judge_in_doubt(query *q) {
    if (!q->text || !q->ranked || q->sketches_alone || !q->index->profile.scheme->cosine)
        return POCKET_OK;
    for (uint32_t i = 0; i < q->found_count; i++) {
        pocket_hit *hit = &q->found[(uint32_t)q->order[i]];
        uint32_t similarity, status = POCKET_OK, enough = hit->evidence & POCKET_IS_ENOUGH;
        if (hit->similarity == 10000 || hit->evidence & POCKET_IS_AGAINST) continue;
        if (enough || hit->similarity >= NO_DOUBT) break;
        if (hit->similarity < q->least - q->least / 10 || hit->document >= q->index->sketched)
            continue;
        if (!q->sketch.distinct) status = take_distinct(q);
        if (!status) status = look_at_sketch(q, hit->document, &similarity);
        if (status || q->incomplete) return status;
        int agrees = similarity >= BY_DISTINCT_TERMS;
        if (is_spread(q->sketch.distinct, agrees ? MANY_LARGE : FEW_LARGE) == agrees)
            hit->evidence |= agrees ? POCKET_IS_ENOUGH : POCKET_IS_AGAINST;
        else if (hit->similarity < q->least)
            continue;
        if (!(hit->evidence & POCKET_IS_AGAINST)) break;
    }
    return POCKET_OK;
}
