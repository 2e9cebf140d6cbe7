/* Candidates of a segment's units, and what their texts say: first those that have shingles of it,
 * then, for what these do not explain, those that have its rarest words. */
#include "query/sources/trace.h"

#include "base/memory.h"
#include "base/sort.h"

#define MOST_SHINGLE_DOCUMENTS_COLD 4u
#define ENOUGH_WHOLES 100u /* documents that have all of a text of one sentence */
#define EXPLAINED 80u      /* percent of a sentence */
#define EXPLAINED_LONGER 50u
#define MOST_NEIGHBOURHOODS (SEGMENT_ROOM / NEIGHBOURHOOD + 1) /* of a document in a segment */
#define MANY_TERMS \
    65536u /* in a document of more the frequent words of a unit are not looked for */

int trace_alloc(trace *t) {
    t->segment = pocket_malloc(sizeof *t->segment);
    t->explained = pocket_malloc(SEGMENT_ROOM * sizeof *t->explained);
    t->reader.index = t->words.index = t->shingles.index = t->index;
    t->words.steps = t->shingles.steps = t->document.steps = t->steps;
    t->words.error = t->shingles.error = t->error;
    return t->segment && t->explained &&
           (!t->index->by_kind[POCKET_PASSAGES] || shingle_matches_alloc(&t->shingles, t->index));
}

void trace_free(trace *t) {
    pocket_free(t->segment);
    pocket_free(t->claims);
    pocket_free(t->order);
    pocket_free(t->explained);
    document_terms_free(&t->document);
    word_candidates_free(&t->words);
    if (t->shingles.memory) shingle_matches_free(&t->shingles);
    text_reader_free(&t->reader);
}

/* ---- what was found ---- */

static int add_found(trace *t, const found_passage *own) {
    passages_found *f = t->found;
    if (f->count == f->room) {
        uint32_t room = f->room ? 2 * f->room : 256;
        found_passage *passages = pocket_malloc(room * sizeof *passages);
        if (!passages) return 0;
        if (f->count) memcpy(passages, f->passages, f->count * sizeof *passages);
        pocket_free(f->passages);
        f->passages = passages;
        f->room = room;
    }
    f->passages[f->count++] = *own;
    return 1;
}

/* Terms stand in a document word for word. */
static void explain(trace *t, uint32_t first, uint32_t last, uint32_t document) {
    for (uint32_t i = first; i < last; i++)
        if (!t->explained[i]) t->explained[i] = document + 1;
}

/* A passage of the segment, without what is known of the document's text. */
static found_passage passage_of(const trace *t, uint32_t document, uint32_t first, uint32_t last) {
    const segment *s = t->segment;
    return (found_passage){.document = document,
                           .first = (uint32_t)s->base + first,
                           .last = (uint32_t)s->base + last,
                           .start = s->starts[first],
                           .end = s->ends[last - 1]};
}

static int is_explained(const trace *t, const unit *u) {
    uint32_t count = 0;
    for (uint32_t i = u->first; i < u->last; i++) count += t->explained[i] > 0;
    return 100 * count >=
           (u->kind == SENTENCE ? EXPLAINED : EXPLAINED_LONGER) * (u->last - u->first);
}

/* ---- claims ---- */

/* Claims, and twice as many numbers to order them by. */
static int make_claims_room(trace *t) {
    uint32_t room = t->claim_room ? 2 * t->claim_room : 256;
    claim *claims = pocket_malloc(room * sizeof *claims);
    uint64_t *order = pocket_malloc(2 * (size_t)room * sizeof *order);
    if (!claims || !order) {
        pocket_free(claims);
        pocket_free(order);
        return 0;
    }
    if (t->claim_count) memcpy(claims, t->claims, t->claim_count * sizeof *claims);
    pocket_free(t->claims);
    pocket_free(t->order);
    t->claims = claims;
    t->order = order;
    t->claim_room = room;
    return 1;
}

void add_claim(trace *t, const claim *c) {
    if (t->claim_count == MOST_CLAIMS)
        t->capped = 1;
    else if (t->claim_count == t->claim_room && !make_claims_room(t))
        t->exhausted = 1;
    else
        t->claims[t->claim_count++] = *c;
}

/* What a document's shingles say, where that is enough for a neighbourhood of them: its first and
 * last match. 0 at the end. */
static int next_neighbourhood(const shingle_matches *m, uint32_t *first, uint32_t *last,
                              uint32_t end, uint32_t *evidence) {
    for (*first = *last; *first < end; *first = *last) {
        for (*last = *first + 1;
             *last < end && m->found[*last].place - m->found[*last - 1].place <= (int)NEIGHBOURHOOD;
             ++*last) {
        }
        *evidence = shingle_evidence(m, *first, *last);
        if (*evidence >= LEAST_EVIDENCE) return 1;
    }
    return 0;
}

/* Choose the documents whose shingles say most: the first match of each, and what they say. */
static void choose_by_shingles(trace *t) {
    const shingle_matches *m = &t->shingles;
    uint32_t most = t->shingles.cold ? MOST_SHINGLE_DOCUMENTS_COLD : MOST_SHINGLE_DOCUMENTS;
    t->best_count = 0;
    for (uint32_t i = 0, end, k; i < m->count; i = end) {
        uint32_t first, last = i, evidence, sum = 0;
        end = shingle_matches_end(m, i);
        while (next_neighbourhood(m, &first, &last, end, &evidence)) sum += evidence;
        if (!sum) continue;
        uint64_t own = (uint64_t)sum << 32 | (UINT32_MAX - i);
        if (t->best_count == most) {
            t->capped = 1;
            if (own < t->best[most - 1]) continue;
        } else {
            t->best_count++;
        }
        for (k = t->best_count - 1; k > 0 && own > t->best[k - 1]; k--) t->best[k] = t->best[k - 1];
        t->best[k] = own;
    }
}

/* Is each neighbourhood of a document's shingles, those of its matches from i up to end, in what
 * another document explains that has twice as many of the shingles there? */
static int is_told(const trace *t, uint32_t i, uint32_t end) {
    const shingle_matches *m = &t->shingles;
    uint32_t first, last = i, evidence;
    while (next_neighbourhood(m, &first, &last, end, &evidence)) {
        uint32_t from = m->found[first].place, to = m->found[last - 1].place + 1;
        for (uint32_t k = first; k < last; k++)
            if (!t->explained[m->found[k].place]) return 0;
        if (shingle_evidence_between(m, t->explained[from] - 1, from, to) < 2 * evidence) return 0;
    }
    return 1;
}

/* ---- with texts ---- */

/* Which words a window for a unit is looked for by: all of them, the frequent ones of the document
 * aside where there are others. */
static uint32_t words_of(const trace *t, const unit *u, uint32_t *words) {
    const segment *s = t->segment;
    uint32_t count = 0, most = t->document.count > MANY_TERMS ? WINDOW_WORDS : MOST_PLACED;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t id = s->ids[i], k;
        if (!t->document.times[id]) continue;
        for (k = 0; k < count && words[k] != id; k++) {
        }
        if (k < count) continue;
        if (count == most && s->terms[id].idf <= s->terms[words[count - 1]].idf) continue;
        if (count < most) count++;
        for (k = count - 1; k > 0 && s->terms[words[k - 1]].idf < s->terms[id].idf; k--)
            words[k] = words[k - 1];
        words[k] = id;
    }
    return count;
}

/* Where an alignment stands in the document at hand, in bytes. */
static void place_alignment(const trace *t, alignment *a) {
    if (a->same) {
        a->own_start = t->document.starts[a->own_first];
        a->own_end = t->document.ends[a->own_last - 1];
    }
    if (a->bag_last) {
        a->bag_start = t->document.starts[a->bag_first];
        a->bag_end = t->document.ends[a->bag_last - 1];
    }
}

uint32_t align_unit(trace *t, const unit *u, alignment *a) {
    uint32_t words[MOST_PLACED];
    if (interrupted(t->steps, (u->last - u->first) * 4)) return POCKET_INTERRUPTED;
    if (!align(&t->document, t->segment, u, words, words_of(t, u, words), a))
        return POCKET_NO_MEMORY;
    place_alignment(t, a);
    return POCKET_OK;
}

uint32_t align_claim(trace *t, claim *c) {
    return align_unit(t, &t->segment->units[c->candidate.unit], &c->alignment);
}

uint32_t read_document(trace *t, uint32_t document) {
    const uint8_t *bytes;
    uint32_t length, status = text_reader_get(&t->reader, document, &bytes, &length, t->error);
    t->document.count = 0;
    if (status == POCKET_NOT_AT_HAND) {
        t->missed = 1;
        return POCKET_OK;
    }
    if (status) return status;
    if (!document_terms_read(&t->document, bytes, length))
        return t->steps->ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    document_terms_find(&t->document, t->segment);
    return POCKET_OK;
}

/* Align the claims, document by document. */
static uint32_t align_claims(trace *t) {
    uint32_t n = t->claim_count, status = POCKET_OK, wholes = 0, at_hand = UINT32_MAX;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++)
        t->order[i] = (uint64_t)t->claims[i].candidate.document << 32 | i;
    radix_sort64(t->order, t->order + t->claim_room, n, 32, 64);
    for (uint32_t i = 0; i < n && !status; i++) {
        claim *c = &t->claims[(uint32_t)t->order[i]];
        int alone = unit_is_alone(t->segment, &t->segment->units[c->candidate.unit]);
        if (alone && wholes == ENOUGH_WHOLES) {
            t->capped = 1;
            continue;
        }
        if (c->candidate.document != at_hand)
            status = read_document(t, at_hand = c->candidate.document);
        if (!status && t->document.count) status = align_claim(t, c);
        wholes += alone && c->alignment.whole;
    }
    return status;
}

/* The sentences that a document's neighbourhoods touch, those of its matches from i up to end,
 * explain the text where the document at hand has them word for word; other units are claimed, each
 * once. */
static void claim_touched(trace *t, uint32_t i, uint32_t end) {
    const shingle_matches *m = &t->shingles;
    uint32_t from[MOST_NEIGHBOURHOODS], to[MOST_NEIGHBOURHOODS], count = 0, first, last = i,
                                                                 evidence;
    while (next_neighbourhood(m, &first, &last, end, &evidence)) {
        from[count] = m->found[first].place;
        to[count++] = m->found[last - 1].place + t->index->shingle_terms;
    }
    for (uint32_t k = 0; k < t->segment->unit_count; k++) {
        const unit *u = &t->segment->units[k];
        claim own = {.candidate = {m->found[i].document, k, WHOLE_SHARE, 4, 0}};
        uint32_t near = 0;
        while (near < count && (u->first >= to[near] || u->last <= from[near])) near++;
        if (near == count) continue;
        if (u->kind == SENTENCE && align_whole(&t->document, t->segment, u, &own.alignment)) {
            /* How common its words are was not looked up. */
            own.alignment.mass =
                shingle_evidence_between(m, m->found[i].document, u->first, u->last) << 8;
            place_alignment(t, &own.alignment);
            explain(t, own.alignment.first, own.alignment.last, own.candidate.document);
        }
        add_claim(t, &own);
    }
}

/* Look into the documents whose shingles say most. */
static uint32_t look_into_best(trace *t) {
    const shingle_matches *m = &t->shingles;
    for (uint32_t k = 0; k < t->best_count; k++) {
        uint32_t i = UINT32_MAX - (uint32_t)t->best[k], end = shingle_matches_end(m, i);
        if (is_told(t, i, end)) continue;
        uint32_t status = read_document(t, m->found[i].document);
        if (status) return status;
        if (t->document.count) claim_touched(t, i, end);
    }
    return POCKET_OK;
}

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
    found_passage own = passage_of(t, c->candidate.document, a->first, a->last);
    own.own_first = a->own_first;
    own.own_last = a->own_last;
    own.same = a->dense + a->beyond;
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
    /* An edited copy may have its original. */
    if (how == IN_ORDER && own.same == a->last - a->first)
        explain(t, a->first, a->last, c->candidate.document);
    return add_found(t, &own);
}

/* Is each word of a unit in some document? */
static int is_known(const trace *t, const unit *u) {
    for (uint32_t i = u->first; i < u->last; i++)
        if (!t->segment->terms[t->segment->ids[i]].documents) return 0;
    return 1;
}

/* Of the sentences that nothing explains, the longest whose words documents have in an order that
 * is not known. The claims are in the order of their units. */
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

/* What a claim says, by which those of a unit are ordered. */
static uint32_t share_of(const trace *t, const claim *c) {
    if (!t->with_texts) return c->estimate;
    const alignment *a = &c->alignment;
    return t->segment->units[c->candidate.unit].kind == STRETCH ? a->bag : a->share;
}

/* The share in bags of the document behind OTHERS among claims from first up to end. */
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

/* Was a piece of the unit found in the document in order? */
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

/* The most that a document has of a unit as a bag of which a piece was found in order. That says
 * where, and a bag does not: those that have no more count no more. */
static uint32_t most_placed(const trace *t, const unit *u, uint32_t first, uint32_t end) {
    uint32_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        const claim *c = &t->claims[(uint32_t)t->order[i]];
        if (c->alignment.bag > most && has_place(t, c->candidate.document, u))
            most = c->alignment.bag;
    }
    return most;
}

/* Judge the claims of one unit beside each other: those that count so (IN_ORDER, AS_A_BAG). */
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
            how = is_taken(t->segment, u, &c->alignment, others, bags);
            if (how == wanted && (how == IN_ORDER || c->alignment.bag > placed))
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

/* ---- stages ---- */

/* A passage by shingles alone: winnowing kept none of those at its ends, half a window on average.
 */
static int add_by_shingles(trace *t, uint32_t first, uint32_t last, uint32_t evidence) {
    const shingle_matches *m = &t->shingles;
    uint32_t margin = t->index->shingle_window / 2, size = t->index->shingle_terms,
             gap = t->index->shingle_window + size, start = first;
    for (uint32_t i = first; i < last; i++) {
        if (i + 1 < last && m->found[i + 1].place - m->found[i].place <= (int)gap) continue;
        uint32_t from = m->found[start].place, to = m->found[i].place + size + margin;
        found_passage own = passage_of(t, m->found[i].document, from > margin ? from - margin : 0,
                                       to < t->segment->count ? to : t->segment->count);
        own.same = own.last - own.first;
        own.evidence = evidence;
        explain(t, from, m->found[i].place + size, m->found[i].document);
        if (!add_found(t, &own)) return 0;
        start = i + 1;
    }
    return 1;
}

static int estimate_by_shingles(trace *t) {
    const shingle_matches *m = &t->shingles;
    for (uint32_t i = 0, end; i < m->count; i = end) {
        uint32_t first, last = i, evidence;
        end = shingle_matches_end(m, i);
        while (next_neighbourhood(m, &first, &last, end, &evidence))
            if (!add_by_shingles(t, first, last, evidence)) return 0;
    }
    return 1;
}

uint32_t look_all_terms(void *argument) {
    trace *t = argument;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < t->segment->term_count && !status; i++)
        status = term_look(&t->words, i);
    return status;
}

static uint32_t find_by_shingles(void *argument) {
    trace *t = argument;
    uint32_t status = shingle_matches_find(&t->shingles, t->segment);
    if (status) return status;
    if (!t->with_texts) return estimate_by_shingles(t) ? POCKET_OK : POCKET_NO_MEMORY;
    choose_by_shingles(t);
    return POCKET_OK;
}

/* Take the claims that are whole. Of the others those stay whose units are not explained. */
static uint32_t take_wholes(trace *t) {
    uint32_t n = t->claim_count, wholes = 0, rest = 0;
    claim *claims = t->claims;
    if (n == 0) return POCKET_OK;
    for (uint32_t i = 0; i < n; i++) {
        int stays = !claims[i].alignment.whole &&
                    !is_explained(t, &t->segment->units[claims[i].candidate.unit]);
        if (stays || claims[i].alignment.whole) claims[rest++] = claims[i];
    }
    for (uint32_t i = 0; i < rest; i++)
        if (claims[i].alignment.whole) {
            claim own = claims[i];
            claims[i] = claims[wholes];
            claims[wholes++] = own;
        }
    t->claim_count = wholes;
    uint32_t status = judge_claims(t);
    memmove(claims, claims + wholes, (rest - wholes) * sizeof *claims);
    t->claim_count = rest - wholes;
    return status;
}

static int is_claimed(const trace *t, const candidate *c, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (t->claims[i].candidate.document == c->document &&
            t->claims[i].candidate.unit == c->unit)
            return 1;
    return 0;
}

/* Candidates for the units that are not explained. */
static uint32_t find_by_words(void *argument) {
    trace *t = argument;
    uint32_t before = t->claim_count;
    for (uint32_t i = 0; i < t->segment->unit_count; i++) {
        const unit *u = &t->segment->units[i];
        if (is_explained(t, u)) continue;
        uint32_t status = word_candidates_of(&t->words, i);
        if (status) return status;
        for (uint32_t k = 0; k < t->words.found_count; k++) {
            claim own = {.candidate = t->words.found[k]};
            if (t->with_texts) {
                if (!is_worth_reading(&t->words, &own.candidate) ||
                    is_claimed(t, &own.candidate, before))
                    continue;
            } else {
                uint32_t evidence = 0;
                if (t->shingles.memory)
                    evidence = shingle_evidence_between(&t->shingles, own.candidate.document,
                                                        u->first, u->last);
                own.estimate = estimate_of(&t->words, &own.candidate, evidence);
            }
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

/* What shingles do not explain, by words. */
static uint32_t look_by_words(trace *t) {
    uint32_t status = POCKET_OK;
    if (t->index->by_kind[POCKET_WORDS]) status = guarded(t->index, find_by_words, t);
    if (!status && t->with_texts && t->claim_count) {
        status = guarded(t->index, look_claimed_terms, t);
        if (!status) status = align_claims(t);
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
    /* What is not at hand may explain the text: nothing is asked for in its place. */
    if (!status && !t->missed) status = look_by_words(t);
    t->claim_count = 0;
    t->missed |= t->words.missed | missed_before;
    t->capped |= t->words.capped;
    return !status && t->exhausted ? (uint32_t)POCKET_NO_MEMORY : status;
}
