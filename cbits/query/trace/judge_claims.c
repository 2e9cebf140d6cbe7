/* Turns claims into passages, those of one unit together (docs/format.md, section 9). */
#include "query/trace/judge_claims.h"

#include "base/sort.h"

#define PLACED 64u /* in 1/1024, see most_placed */

static found_passage bag_of(const trace *t, const claim *c) {
    const unit *u = &t->segment->units[c->candidate.unit];
    const alignment *a = &c->alignment;
    found_passage own = passage_of(t, c->candidate.document, u->first, u->last);
    own.own_first = a->bag_first;
    own.own_last = a->bag_last;
    own.same = (u->last - u->first) * a->bag / WHOLE_SHARE;
    return own;
}

static found_passage in_order(const trace *t, const claim *c) {
    const alignment *a = &c->alignment;
    found_passage own =
        passage_of(t, c->candidate.document, a->first - a->before.terms, a->last + a->after.terms);
    own.own_first = a->own_first - a->before.own;
    own.own_last = a->own_last + a->after.own;
    own.same = a->dense + a->beyond + a->before.same + a->after.same;
    return own;
}

static int add_taken(trace *t, const claim *c, int how, uint32_t documents) {
    const alignment *a = &c->alignment;
    found_passage own = how == AS_A_BAG ? bag_of(t, c) : in_order(t, c);
    own.own_start = how == AS_A_BAG ? a->bag_start : a->own_start;
    own.own_end = how == AS_A_BAG ? a->bag_end : a->own_end;
    own.documents = documents;
    own.evidence = a->mass >> 8;
    own.verified = 1;
    own.bag = how == AS_A_BAG;
    /* An edited copy does not explain the text, because its original may be there, too. */
    if (how == IN_ORDER && a->dense + a->beyond == a->last - a->first)
        explain(t, a->first, a->last, c->candidate.document);
    return add_found(t, &own);
}

/* Is each word of a unit in at least one document? */
static int is_known(const trace *t, const unit *u) {
    for (uint32_t i = u->first; i < u->last; i++)
        if (!t->segment->terms[t->segment->ids[i]].documents) return 0;
    return 1;
}

/* Note the longest sentence that is not explained although documents have all of its words that
 * were looked up, in an unknown order. The claims are in the order of their units. */
static void note_words_only(trace *t) {
    for (uint32_t i = 0, end; i < t->claim_count; i = end) {
        uint32_t number = (uint32_t)(t->order[i] >> 48), documents = 0, first = 0;
        const unit *u = &t->segment->units[number];
        for (end = i; end < t->claim_count && t->order[end] >> 48 == number; end++) {
            const candidate *c = &t->claims[(uint32_t)t->order[end]].candidate;
            if (c->share != WHOLE_SHARE) continue;
            if (!documents++) first = c->document;
        }
        if (!documents || u->kind != SENTENCE || u->last - u->first <= t->words_only_terms)
            continue;
        if (is_explained(t, u) || !is_known(t, u)) continue;
        t->words_only_terms = u->last - u->first;
        t->words_only = (pocket_words_only){t->segment->starts[u->first],
                                            t->segment->ends[u->last - 1], first, documents};
    }
}

/* The share by which the claims of a unit are ordered. */
static uint32_t share_of(const trace *t, const claim *c) {
    if (!t->with_texts) return c->estimate;
    const alignment *a = &c->alignment;
    return t->segment->units[c->candidate.unit].kind == STRETCH ? a->bag : a->share;
}

/* The bag that more than OTHERS of the claims first .. end - 1 reach, or 0. */
static uint32_t others_in_bags(const trace *t, uint32_t first, uint32_t end) {
    uint32_t best[OTHERS + 1] = {0};
    for (uint32_t i = first; i < end; i++) {
        uint32_t bag = t->claims[(uint32_t)t->order[i]].alignment.bag, k = OTHERS;
        if (bag <= best[k]) continue;
        for (; k > 0 && bag > best[k - 1]; k--) best[k] = best[k - 1];
        best[k] = bag;
    }
    return best[OTHERS];
}

/* Was a part of the unit found in the document in order? */
static int has_place(const trace *t, uint32_t document, const unit *u) {
    uint32_t first = (uint32_t)t->segment->base + u->first,
             last = (uint32_t)t->segment->base + u->last;
    for (uint32_t i = t->found_before; i < t->found_in_order; i++) {
        const found_passage *p = &t->found->passages[i];
        if (p->document == document && p->first < last && p->last > first) return 1;
    }
    return 0;
}

static int add_estimated(trace *t, const claim *c, const unit *u) {
    found_passage own = passage_of(t, c->candidate.document, u->first, u->last);
    own.same = u->last - u->first;
    own.evidence = c->estimate * (u->last - u->first) / WHOLE_SHARE;
    explain(t, u->first, u->last, c->candidate.document);
    return add_found(t, &own);
}

/* The largest bag of a document in which a part of the unit was found in order, and PLACED more.
 * Words in order are stronger evidence than a bag: a document whose bag is not larger than this
 * does not count. */
static uint32_t most_placed(const trace *t, const unit *u, uint32_t first, uint32_t end) {
    uint32_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        const claim *c = &t->claims[(uint32_t)t->order[i]];
        if (c->alignment.bag > most && has_place(t, c->candidate.document, u))
            most = c->alignment.bag;
    }
    return most + PLACED;
}

int has_bag_alone(const trace *t) {
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const claim *c = &t->claims[i];
        const unit *u = &t->segment->units[c->candidate.unit];
        if (unit_is_alone(t->segment, u) && is_taken(t->segment, u, c, 0, 0) == AS_A_BAG) return 1;
    }
    return 0;
}

/* Texts about the same thing have words of a long stretch in common, but they are spread over it.
 * Of a stretch that was copied, a shorter unit has many of them, too. */
static int is_dense(const trace *t, const claim *c) {
    const unit *units = t->segment->units, *u = &units[c->candidate.unit];
    if (u->kind != STRETCH || unit_is_alone(t->segment, u)) return 1;
    for (uint32_t i = 0; i < t->claim_count; i++) {
        const claim *part = &t->claims[i];
        if (part->candidate.document == c->candidate.document &&
            unit_is_part(&units[part->candidate.unit], u) &&
            is_nearly_bag(t->segment, &units[part->candidate.unit], part->alignment.bag))
            return 1;
    }
    return 0;
}

/* Judge the claims of one unit together; add those that count as wanted, IN_ORDER or AS_A_BAG. */
static uint32_t judge_unit(trace *t, uint32_t first, uint32_t end, int wanted) {
    const unit *u = &t->segment->units[t->order[first] >> 48];
    uint32_t others = 0, whole = 0, bags = others_in_bags(t, first, end), placed = 0;
    if (wanted == AS_A_BAG) placed = most_placed(t, u, first, end);
    if (end - first > OTHERS) others = share_of(t, &t->claims[(uint32_t)t->order[first + OTHERS]]);
    for (uint32_t i = first; i < end; i++)
        whole += t->claims[(uint32_t)t->order[i]].alignment.whole;
    for (uint32_t i = first; i < end; i++) {
        const claim *c = &t->claims[(uint32_t)t->order[i]];
        int how = IN_ORDER, done = 1;
        if (t->with_texts) {
            how = is_taken(t->segment, u, c, others, bags);
            if (how == wanted && (how == IN_ORDER || (c->alignment.bag > placed && is_dense(t, c))))
                done = add_taken(t, c, how, whole);
        } else if (wanted == IN_ORDER && is_estimated(t->segment, u, c->estimate, others)) {
            done = add_estimated(t, c, u);
        }
        if (!done) return POCKET_NO_MEMORY;
    }
    return POCKET_OK;
}

uint32_t judge_claims(trace *t) {
    uint32_t n = t->claim_count, status = POCKET_OK;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++) {
        const claim *c = &t->claims[i];
        t->order[i] =
            (uint64_t)c->candidate.unit << 48 | (uint64_t)(0xFFFF - share_of(t, c)) << 32 | i;
    }
    radix_sort64(t->order, t->order + t->claim_room, n, 32, 64);
    for (int wanted = IN_ORDER; wanted <= AS_A_BAG; wanted++) {
        for (uint32_t i = 0, end; i < n && !status; i = end) {
            for (end = i; end < n && t->order[end] >> 48 == t->order[i] >> 48; end++) {
            }
            status = judge_unit(t, i, end, wanted);
        }
        t->found_in_order = t->found->count;
    }
    if (!t->with_texts) note_words_only(t);
    t->claim_count = 0;
    return status;
}
