/* A hit in doubt is asked once more, with each distinct term of the text once and the roots of
 * their weights: texts whose vectors have few large terms are similar by chance more easily than
 * others, as those of a language are that is rare in the file, by its most frequent words. A
 * text whose terms many documents have is a copy of one of them more likely than others are. */
#include "query/similar/evidence.h"
#include "query/similar/stages.h"

/* Set on three collections, parts of these, and thirteen languages (docs/decisions.md). */
#define NO_DOUBT 5800u /* or the noise floor, where it is higher */
#define PART 60u       /* what each part of the vector, see added_by, adds to the similarities */
#define MOST_PARTS 16u
#define FAMILIAR 70u /* below this mean weight of its terms, the file knows the text's words well */
#define OF_EACH 25u  /* what each unit that the mean is below it adds to the similarities */
/* By how much four times the sum of both similarities and these is to exceed three times the noise
 * floor, and by how much more where a text of few terms is below that floor. */
#define ENOUGH_OF_BOTH 25200u
#define MORE_OF_SHORT 4800u
#define FEW_TERMS 30u

/* What the vector of a text of so many terms adds to the similarities: for each of its parts, which
 * are the square of its length in squares of its largest term, rounded down, and for light terms. */
static uint32_t added_by(const bag *b, uint64_t terms) {
    uint64_t largest = 0, weights = 0;
    for (uint32_t i = 0; i < b->size; i++) {
        if (b->terms[i].round != b->round) continue;
        uint64_t part = (uint64_t)b->terms[i].count * b->terms[i].weight;
        if (part > largest) largest = part;
        weights += b->terms[i].weight;
    }
    uint32_t parts = 1, mean = (uint32_t)(weights / b->count);
    while (parts < MOST_PARTS && largest * largest * (parts + 1) <= b->square) parts++;
    return PART * parts + (terms >= FEW_TERMS && mean < FAMILIAR ? OF_EACH * (FAMILIAR - mean) : 0);
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
    uint32_t least = q->least, no_doubt = least > NO_DOUBT ? least : NO_DOUBT, added = 0;
    if (least == min_related(q->index->documents)) least -= least / 4;
    for (uint32_t i = 0; i < q->found_count; i++) {
        pocket_hit *hit = &q->found[(uint32_t)q->order[i]];
        uint32_t similarity, status = POCKET_OK, enough = 3 * q->least + ENOUGH_OF_BOTH;
        if (hit->similarity == 10000 || hit->evidence & POCKET_IS_AGAINST) continue;
        if (hit->evidence & POCKET_IS_ENOUGH || hit->similarity >= no_doubt) break;
        if (hit->similarity < least || hit->document >= q->index->sketched) continue;
        if (!added) {
            status = take_distinct(q);
            if (!status) added = added_by(q->sketch.distinct, q->report->terms);
        }
        if (!status) status = look_at_sketch(q, hit->document, &similarity);
        if (status || q->incomplete) return status;
        int is_low = hit->similarity < q->least;
        if (is_low && q->report->terms < FEW_TERMS) enough += MORE_OF_SHORT;
        if (4 * (hit->similarity + similarity + added) >= enough) {
            hit->evidence |= POCKET_IS_ENOUGH;
            break;
        }
        if (!is_low) hit->evidence |= POCKET_IS_AGAINST;
    }
    return POCKET_OK;
}
