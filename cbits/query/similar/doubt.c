/* A hit in doubt is asked once more, with each distinct term of the text once: texts whose vectors
 * have few large terms are similar by chance more easily than others, as those of a language are
 * that is rare in the file, by its most frequent words. */
#include "query/similar/evidence.h"
#include "query/similar/stages.h"

/* Set on three collections and thirteen languages (docs/decisions.md). */
#define NO_DOUBT 5800u /* or the noise floor, where it is higher */
#define BY_DISTINCT_TERMS 4400u
#define LARGE 7u /* a term is so large that has more than one of so many parts of the vector */
#define RATHER_LARGE 10u

/* Has no term more than one of so many parts of the square of the vector's length? */
static int is_spread(const bag *b, uint64_t parts) {
    uint64_t largest = 0;
    for (uint32_t i = 0; i < b->size; i++) {
        uint64_t part = (uint64_t)b->terms[i].count * b->terms[i].weight;
        if (b->terms[i].round == b->round && part > largest) largest = part;
    }
    return largest * largest * parts <= b->square;
}

/* Take the sketch of the distinct terms for that of the text. */
static uint32_t take_distinct(query *q) {
    q->sketch.distinct = &q->evidence->document;
    bag_begin(q->sketch.distinct);
    uint32_t status = sketch_text(&q->index->profile, q->text, q->length, &q->sketch);
    ranking_begin(&q->ranking, &q->sketch);
    return q->sketch.distinct->terms ? status : POCKET_NO_MEMORY;
}

uint32_t judge_in_doubt(query *q) {
    if (!q->text || !q->ranked || q->sketches_alone || !q->index->profile.scheme->cosine)
        return POCKET_OK;
    /* What is less similar than chance alone explains is not asked. */
    uint32_t least = q->least, no_doubt = least > NO_DOUBT ? least : NO_DOUBT;
    if (least == min_related(q->index->documents)) least -= least / 10;
    for (uint32_t i = 0; i < q->found_count; i++) {
        pocket_hit *hit = &q->found[(uint32_t)q->order[i]];
        uint32_t similarity, status = POCKET_OK;
        if (hit->similarity == 10000 || hit->evidence & POCKET_IS_AGAINST) continue;
        if (hit->evidence & POCKET_IS_ENOUGH || hit->similarity >= no_doubt) break;
        if (hit->similarity < least || hit->document >= q->index->sketched) continue;
        if (!q->sketch.distinct) status = take_distinct(q);
        if (!status) status = look_at_sketch(q, hit->document, &similarity);
        if (status || q->incomplete) return status;
        int agrees = similarity >= BY_DISTINCT_TERMS;
        if (is_spread(q->sketch.distinct, agrees ? LARGE : RATHER_LARGE) == agrees)
            hit->evidence |= agrees ? POCKET_IS_ENOUGH : POCKET_IS_AGAINST;
        else if (hit->similarity < q->least)
            continue;
        if (!(hit->evidence & POCKET_IS_AGAINST)) break;
    }
    return POCKET_OK;
}
