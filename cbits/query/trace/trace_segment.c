/* Finds documents for the units of a segment: first those that have shingles of it, then, for the
 * units that these do not explain, those that have their rarest words. */
#include "query/trace/trace_segment.h"

#include "base/memory.h"
#include "query/trace/by_shingles.h"
#include "query/trace/claims.h"
#include "query/trace/judge_claims.h"

#define ANY_DOCUMENT UINT32_MAX

static int is_claimed(const trace *t, const candidate *c, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (t->claims[i].candidate.document == c->document &&
            t->claims[i].candidate.unit == c->unit)
            return 1;
    return 0;
}

/* Does a document claim a part of a unit, or does any, for ANY_DOCUMENT? Only a stretch has to have
 * such a part. */
static int has_part(const trace *t, const unit *u, uint32_t document) {
    if (u->kind != STRETCH || unit_is_alone(t->segment, u)) return 1;
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const candidate *c = &t->claims[i].candidate;
        const unit *part = &t->segment->units[c->unit];
        if ((document == ANY_DOCUMENT || c->document == document) && unit_is_part(part, u) &&
            part->last - part->first >= LEAST_BAG)
            return 1;
    }
    return 0;
}

/* Claim a unit for those of its candidates whose texts are worth reading. */
static uint32_t claim_for_texts(trace *t, const unit *u, uint32_t before) {
    word_candidates *w = &t->words;
    uint32_t first = t->claim_count, status = POCKET_OK;
    for (uint32_t k = 0; k < w->found_count; k++) {
        claim own = {.candidate = w->found[k]};
        if (has_part(t, u, own.candidate.document) && is_worth_reading(w, &own.candidate) &&
            !is_claimed(t, &own.candidate, before))
            add_claim(t, &own);
    }
    if (t->claim_count > first) status = word_candidates_look(w);
    for (uint32_t i = first; i < t->claim_count; i++) {
        const candidate *c = &t->claims[i].candidate, own = word_candidate(w, c->unit, c->document);
        if (!is_worth_reading(w, &own)) t->claims[i].state = DOUBTFUL;
    }
    return status;
}

/* Claim the units that are not explained for the documents that have their rarest words. */
static uint32_t find_by_words(void *argument) {
    trace *t = argument;
    uint32_t before = t->claim_count;
    for (uint32_t i = 0; i < t->segment->unit_count; i++) {
        const unit *u = &t->segment->units[i];
        if (is_explained(t, u) || (t->with_texts && !has_part(t, u, ANY_DOCUMENT))) continue;
        t->words.least = t->with_texts ? least_share_of(t->segment, u) : 0;
        uint32_t status = word_candidates_of(&t->words, i);
        if (status) return status;
        if (t->with_texts) {
            if ((status = claim_for_texts(t, u, before))) return status;
            continue;
        }
        for (uint32_t k = 0; k < t->words.found_count; k++) {
            claim own = {.candidate = t->words.found[k]};
            uint32_t evidence = 0;
            if (t->shingles.memory)
                evidence = shingle_evidence_between(&t->shingles, own.candidate.document, u->first,
                                                    u->last);
            own.estimate = estimate_of(&own.candidate, u, evidence);
            add_claim(t, &own);
        }
    }
    return POCKET_OK;
}

static uint32_t look_claimed_terms(void *argument) {
    trace *t = argument;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const unit *u = &t->segment->units[t->claims[i].candidate.unit];
        for (uint32_t k = u->first; k < u->last && !status; k++)
            status = term_look(&t->words, t->segment->ids[k]);
    }
    return status;
}

/* A bag that is no stretch is evidence if other documents have less of it. So if the text alone has
 * one, its other candidates are read, too. The text alone is the unit that is looked for last. */
static uint32_t read_others(trace *t) {
    uint32_t last = t->segment->unit_count - 1, before = t->claim_count;
    const word_candidates *w = &t->words;
    if (!w->found_count || w->found[0].unit != last || t->segment->units[last].kind == STRETCH ||
        !has_bag_alone(t))
        return POCKET_OK;
    for (uint32_t k = 0; k < w->found_count; k++) {
        claim own = {.candidate = w->found[k]};
        if (own.candidate.share >= w->least && !is_claimed(t, &own.candidate, before))
            add_claim(t, &own);
    }
    return align_claims(t);
}

/* Align the claims; the doubtful ones only of units of which others may count. Those that are not
 * aligned are forgotten. */
static uint32_t read_claimed(trace *t) {
    uint32_t status = align_claims(t), count = 0;
    unit *units = t->segment->units;
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const claim *c = &t->claims[i];
        unit *u = &units[c->candidate.unit];
        u->may_count |= c->state == ALIGNED && is_taken(t->segment, u, c, 0, 0) != NOT_TAKEN;
    }
    for (uint32_t i = 0; i < t->claim_count; i++) {
        claim *c = &t->claims[i];
        if (c->state == DOUBTFUL && !units[c->candidate.unit].may_count) continue;
        if (c->state == DOUBTFUL) c->state = UNREAD;
        t->claims[count++] = *c;
    }
    t->claim_count = count;
    return status ? status : align_claims(t);
}

/* Find documents by words for the units that shingles do not explain. */
static uint32_t look_by_words(trace *t) {
    uint32_t status = POCKET_OK;
    if (t->index->by_kind[POCKET_WORDS]) status = guarded(t->index, find_by_words, t);
    if (!status && t->with_texts && t->claim_count) {
        status = guarded(t->index, look_claimed_terms, t);
        if (!status) status = read_claimed(t);
        if (!status) status = read_others(t);
    }
    return status ? status : judge_claims(t);
}

uint32_t trace_segment(trace *t) {
    uint32_t status = POCKET_OK;
    int missed_before = t->missed;
    t->found_before = t->found->count;
    t->missed = t->shingles.missed = 0;
    memset(t->explained, 0, t->segment->count * sizeof *t->explained);
    word_candidates_begin(&t->words, t->segment);
    t->shingles.count = 0;
    if (t->shingles.memory) {
        status = guarded(t->index, find_by_shingles, t);
        if (!status && t->with_texts) status = look_into_best(t);
        if (!status && t->with_texts) status = take_wholes(t);
    }
    t->missed |= t->shingles.missed;
    /* Blocks that are not at hand may explain the text, so no others are requested for it. */
    if (!status && !t->missed) status = look_by_words(t);
    t->claim_count = 0;
    t->missed |= t->words.missed | missed_before;
    t->capped |= t->words.capped;
    return !status && t->exhausted ? (uint32_t)POCKET_NO_MEMORY : status;
}
