/* Finds documents by the shingles of a segment. In a file that keeps texts, these are documents
 * that have sentences of it word for word; otherwise passages, which may end half a window too
 * early or too late. */
#include "query/trace/by_shingles.h"

#include "base/memory.h"
#include "query/trace/claims.h"
#include "query/trace/judge_claims.h"

#define MOST_SHINGLE_DOCUMENTS_COLD 4u
#define MOST_BACK (SEGMENT_ROOM + MOST_REACH + SLANT)          /* terms of a document */
#define MOST_NEIGHBOURHOODS (SEGMENT_ROOM / NEIGHBOURHOOD + 1) /* of a document in a segment */

/* Find the next neighbourhood with enough evidence among the matches of one document, which end at
 * end: matches first .. last - 1. It begins at *last or later. Returns 0 if there is none. */
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

/* Choose the documents with the most evidence. Each is kept as its evidence and its first match. */
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

/* A document, whose matches are i .. end - 1, need not be read if each of its neighbourhoods is
 * explained by another document that has at least twice the evidence there. */
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

/* The places of the segment where a document has matches. */
typedef struct touched {
    uint32_t from[MOST_NEIGHBOURHOODS], to[MOST_NEIGHBOURHOODS], count;
} touched;

static void find_touched(const trace *t, uint32_t i, uint32_t end, touched *own) {
    const shingle_matches *m = &t->shingles;
    uint32_t first, last = i, evidence;
    own->count = 0;
    while (next_neighbourhood(m, &first, &last, end, &evidence)) {
        own->from[own->count] = m->found[first].place;
        own->to[own->count++] = m->found[last - 1].place + t->index->shingle_terms;
    }
}

static int touches(const touched *own, const unit *u) {
    uint32_t at = 0;
    while (at < own->count && (u->first >= own->to[at] || u->last <= own->from[at])) at++;
    return at < own->count;
}

/* Claim each unit that a neighbourhood of a document touches. The document was read. A sentence
 * that it has word for word explains the text. */
static void claim_touched(trace *t, uint32_t document, const touched *places) {
    const shingle_matches *m = &t->shingles;
    for (uint32_t k = 0; k < t->segment->unit_count; k++) {
        const unit *u = &t->segment->units[k];
        claim own = {.candidate = {.document = document, .unit = k, .share = WHOLE_SHARE}};
        if (!touches(places, u)) continue;
        if (u->kind == SENTENCE && align_whole(&t->document, t->segment, u, &own.alignment)) {
            /* The idf of its words was not looked up; the shingles stand in for it. */
            own.alignment.mass = shingle_evidence_between(m, document, u->first, u->last) << 8;
            place_alignment(t, &own.alignment);
            explain(t, own.alignment.first, own.alignment.last, document);
        }
        add_claim(t, &own);
    }
}

/* Read a document until all sentences that it touches stand in what was read, or to its end. As
 * long as none does, what was read of a long one is forgotten, but for as many terms as an
 * alignment may reach back: so no more memory is written than the processor has at hand. */
static uint32_t read_touched(trace *t, uint32_t document, const touched *places) {
    uint32_t status = begin_document(t, document);
    while (!status && t->reader.left) {
        uint32_t missing = 0, found = 0;
        for (uint32_t k = 0; k < t->segment->unit_count; k++) {
            const unit *u = &t->segment->units[k];
            alignment own;
            if (u->kind != SENTENCE || !touches(places, u)) continue;
            int stands = align_whole(&t->document, t->segment, u, &own);
            found += stands != 0;
            missing += !stands || own.own_last + MOST_REACH + SLANT >= t->document.count;
        }
        if (!missing) break;
        if (!found && t->document.count > 8 * MOST_BACK)
            document_terms_forget(&t->document, MOST_BACK);
        status = read_on(t);
    }
    return status;
}

uint32_t look_into_best(trace *t) {
    const shingle_matches *m = &t->shingles;
    touched places;
    for (uint32_t k = 0; k < t->best_count; k++) {
        uint32_t i = UINT32_MAX - (uint32_t)t->best[k], end = shingle_matches_end(m, i);
        uint32_t document = m->found[i].document;
        if (is_told(t, i, end)) continue;
        find_touched(t, i, end, &places);
        uint32_t status = read_touched(t, document, &places);
        if (status) return status;
        if (t->document.count) claim_touched(t, document, &places);
    }
    return POCKET_OK;
}

/* Add passages by shingles alone. At each end, winnowing has left out half a window of shingles on
 * average, which is added. */
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
            if ((evidence >= SURE_EVIDENCE || !t->index->by_kind[POCKET_WORDS]) &&
                !add_by_shingles(t, first, last, evidence))
                return 0;
    }
    return 1;
}

uint32_t find_by_shingles(void *argument) {
    trace *t = argument;
    uint32_t status = shingle_matches_find(&t->shingles, t->segment);
    if (status) return status;
    if (!t->with_texts) return estimate_by_shingles(t) ? POCKET_OK : POCKET_NO_MEMORY;
    choose_by_shingles(t);
    return POCKET_OK;
}

uint32_t take_wholes(trace *t) {
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
