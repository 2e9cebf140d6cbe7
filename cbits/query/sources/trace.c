/* Candidates of a segment's units, and what their texts say: first those that have shingles of it,
 * then, for what these do not explain, those that have its rarest words. */
#include "query/sources/trace.h"

#include "base/memory.h"
#include "base/sort.h"

#define MOST_SHINGLE_DOCUMENTS 64u /* that are looked into for a segment, those of most evidence */
#define EXPLAINED 80u              /* percent of a unit */

int trace_alloc(trace *t) {
    t->segment = pocket_malloc(sizeof *t->segment);
    t->claims = pocket_malloc(MOST_CLAIMS * sizeof *t->claims);
    t->order = pocket_malloc(2 * (size_t)MOST_CLAIMS * sizeof *t->order);
    t->explained = pocket_malloc(SEGMENT_ROOM);
    t->reader.index = t->words.index = t->shingles.index = t->index;
    t->words.steps = t->shingles.steps = t->document.steps = t->steps;
    t->words.error = t->shingles.error = t->error;
    return t->segment && t->claims && t->order && t->explained &&
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

static void explain(trace *t, uint32_t first, uint32_t last) {
    memset(t->explained + first, 1, last - first);
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
    for (uint32_t i = u->first; i < u->last; i++) count += t->explained[i];
    return 100 * count >= EXPLAINED * (u->last - u->first);
}

/* ---- claims ---- */

static void add_claim(trace *t, const candidate *c) {
    if (t->claim_count == MOST_CLAIMS)
        t->capped = 1;
    else
        t->claims[t->claim_count++] = (claim){.candidate = *c};
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

/* The units that a document's shingles touch. */
static void claim_units(trace *t, uint32_t document, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < t->segment->unit_count; i++) {
        const unit *u = &t->segment->units[i];
        candidate own = {document, i, WHOLE_SHARE, 4, 0};
        if (u->first < to && u->last > from) add_claim(t, &own);
    }
}

/* Claims of the documents whose shingles say most. */
static void claim_by_shingles(trace *t) {
    const shingle_matches *m = &t->shingles;
    uint64_t best[MOST_SHINGLE_DOCUMENTS];
    uint32_t count = 0;
    for (uint32_t i = 0, end; i < m->count; i = end) {
        uint32_t first, last = i, evidence, most = 0, k;
        end = shingle_matches_end(m, i);
        while (next_neighbourhood(m, &first, &last, end, &evidence)) most += evidence;
        if (!most) continue;
        uint64_t own = (uint64_t)most << 32 | (UINT32_MAX - i);
        if (count == MOST_SHINGLE_DOCUMENTS) {
            t->capped = 1;
            if (own < best[count - 1]) continue;
        } else {
            count++;
        }
        for (k = count - 1; k > 0 && own > best[k - 1]; k--) best[k] = best[k - 1];
        best[k] = own;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = UINT32_MAX - (uint32_t)best[k], end = shingle_matches_end(m, i), first, last = i,
                 evidence;
        while (next_neighbourhood(m, &first, &last, end, &evidence))
            claim_units(t, m->found[i].document, m->found[first].place,
                        m->found[last - 1].place + t->index->shingle_terms);
    }
}

/* ---- with texts ---- */

/* Which words a window for a unit is looked for by: all of them, the frequent ones of the document
 * aside where there are others. */
static uint32_t words_of(const trace *t, const unit *u, uint32_t *words) {
    const segment *s = t->segment;
    uint32_t count = 0;
    for (uint32_t i = u->first; i < u->last; i++) {
        uint32_t id = s->ids[i], k;
        if (!t->document.times[id]) continue;
        for (k = 0; k < count && words[k] != id; k++) {
        }
        if (k < count) continue;
        if (count == WINDOW_WORDS && s->terms[id].idf <= s->terms[words[count - 1]].idf) continue;
        if (count < WINDOW_WORDS) count++;
        for (k = count - 1; k > 0 && s->terms[words[k - 1]].idf < s->terms[id].idf; k--)
            words[k] = words[k - 1];
        words[k] = id;
    }
    return count;
}

uint32_t align_unit(trace *t, const unit *u, alignment *a) {
    uint32_t words[WINDOW_WORDS];
    if (interrupted(t->steps, (u->last - u->first) * 4)) return POCKET_INTERRUPTED;
    if (!align(&t->document, t->segment, u, words, words_of(t, u, words), a)) return POCKET_NO_MEMORY;
    if (a->same) {
        a->own_start = t->document.starts[a->own_first];
        a->own_end = t->document.ends[a->own_last - 1];
    }
    return POCKET_OK;
}

uint32_t align_claim(trace *t, claim *c) {
    return align_unit(t, &t->segment->units[c->candidate.unit], &c->alignment);
}

uint32_t read_document(trace *t, uint32_t document) {
    const uint8_t *bytes;
    uint32_t length;
    t->document.count = 0;
    uint32_t status = text_reader_get(&t->reader, document, &bytes, &length, t->error);
    if (status == POCKET_NOT_AT_HAND)
        t->missed = 1;
    else if (status)
        return status;
    else if (!document_terms_read(&t->document, bytes, length))
        return t->steps->ended ? POCKET_INTERRUPTED : POCKET_NO_MEMORY;
    else
        document_terms_find(&t->document, t->segment);
    return POCKET_OK;
}

/* Align the claims, document by document. */
static uint32_t align_claims(trace *t) {
    uint32_t n = t->claim_count, status = POCKET_OK;
    for (uint32_t i = 0; i < n; i++)
        t->order[i] = (uint64_t)t->claims[i].candidate.document << 32 | i;
    radix_sort64(t->order, t->order + MOST_CLAIMS, n, 32, 64);
    for (uint32_t i = 0; i < n; i++) {
        claim *c = &t->claims[(uint32_t)t->order[i]];
        if ((i == 0 || t->order[i] >> 32 != t->order[i - 1] >> 32) &&
            (status = read_document(t, c->candidate.document)))
            return status;
        if (t->document.count && (status = align_claim(t, c))) return status;
    }
    return POCKET_OK;
}

static int add_taken(trace *t, const claim *c, uint32_t documents) {
    const alignment *a = &c->alignment;
    found_passage own = passage_of(t, c->candidate.document, a->first, a->last);
    own.own_start = a->own_start;
    own.own_end = a->own_end;
    own.own_first = a->own_first;
    own.own_last = a->own_last;
    own.same = a->same + a->beyond;
    own.documents = documents;
    own.evidence = a->mass >> 8;
    own.verified = 1;
    if (own.same == a->last - a->first) explain(t, a->first, a->last); /* an edited copy may have its
                                                                         original */
    return add_found(t, &own);
}

#ifdef SOURCES_TRACE
#include <stdio.h>
static void tell(const trace *t, const claim *c, uint32_t others, int with_texts) {
    const unit *u = &t->segment->units[c->candidate.unit];
    const alignment *a = &c->alignment;
    fprintf(stderr, "CLAIM %u %u %u %u %u %u %u %u %u %u %u %d\n", u->first, u->last, u->sentence,
            c->candidate.document, c->candidate.share, a->same, a->run, a->share, a->whole, others,
            c->estimate, with_texts);
}
#else
#define tell(t, c, others, with_texts) ((void)0)
#endif

uint32_t judge_claims(trace *t) {
    uint32_t n = t->claim_count;
    for (uint32_t i = 0; i < n; i++) {
        const claim *c = &t->claims[i];
        uint32_t share = t->with_texts ? c->alignment.share : c->estimate;
        t->order[i] = (uint64_t)c->candidate.unit << 48 | (uint64_t)(0xFFFF - share) << 32 | i;
    }
    radix_sort64(t->order, t->order + MOST_CLAIMS, n, 32, 64);
    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t others = 0, whole = 0;
        const unit *u = &t->segment->units[t->order[i] >> 48];
        for (end = i; end < n && t->order[end] >> 48 == t->order[i] >> 48; end++) {
            const claim *c = &t->claims[(uint32_t)t->order[end]];
            whole += c->alignment.whole;
            if (end - i == OTHERS) others = t->with_texts ? c->alignment.share : c->estimate;
        }
        for (uint32_t k = i; k < end; k++) {
            const claim *c = &t->claims[(uint32_t)t->order[k]];
            tell(t, c, others, t->with_texts);
            if (t->with_texts) {
                if (c->alignment.same && is_taken(u, &c->alignment, others) &&
                    !add_taken(t, c, whole))
                    return POCKET_NO_MEMORY;
            } else if (is_estimated(u, c->estimate, others)) {
                found_passage own = passage_of(t, c->candidate.document, u->first, u->last);
                own.same = u->last - u->first;
                if (!add_found(t, &own)) return POCKET_NO_MEMORY;
            }
        }
    }
    t->claim_count = 0;
    return POCKET_OK;
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
        found_passage own =
            passage_of(t, m->found[i].document, from > margin ? from - margin : 0,
                       to < t->segment->count ? to : t->segment->count);
        own.same = own.last - own.first;
        own.evidence = evidence;
        explain(t, from, m->found[i].place + size);
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
    for (uint32_t i = 0; i < t->segment->term_count && !status; i++) status = term_look(&t->words, i);
    return status;
}

static uint32_t find_by_shingles(void *argument) {
    trace *t = argument;
    uint32_t status = shingle_matches_find(&t->shingles, t->segment);
    if (status) return status;
    if (!t->with_texts) return estimate_by_shingles(t) ? POCKET_OK : POCKET_NO_MEMORY;
    claim_by_shingles(t);
    return t->claim_count ? look_all_terms(t) : POCKET_OK;
}

/* Candidates for the units that are not explained. */
static uint32_t find_by_words(void *argument) {
    trace *t = argument;
    for (uint32_t i = 0; i < t->segment->unit_count; i++) {
        candidate found[MOST_COMPLETE];
        uint32_t count;
        if (is_explained(t, &t->segment->units[i])) continue;
        uint32_t status = word_candidates_of(&t->words, i, found, &count);
        if (status) return status;
        for (uint32_t k = 0; k < count; k++) {
            if (t->with_texts && !is_worth_reading(&t->words, &found[k])) continue;
            add_claim(t, &found[k]);
            if (t->with_texts) continue;
            const unit *u = &t->segment->units[i];
            uint32_t evidence = 0;
            if (t->shingles.memory)
                evidence = shingle_evidence_between(&t->shingles, found[k].document, u->first, u->last);
            t->claims[t->claim_count - 1].estimate = estimate_of(&t->words, &found[k], evidence);
        }
    }
    return t->with_texts && t->claim_count ? look_all_terms(t) : POCKET_OK;
}

static uint32_t look_into_texts(trace *t) {
    uint32_t status = t->with_texts ? align_claims(t) : POCKET_OK;
    return status ? status : judge_claims(t);
}

uint32_t trace_segment(trace *t) {
    uint32_t status = POCKET_OK;
    memset(t->explained, 0, t->segment->count);
    word_candidates_begin(&t->words, t->segment);
    t->shingles.count = 0;
    if (t->shingles.memory) status = guarded(t->index, find_by_shingles, t);
    if (!status && t->claim_count) status = look_into_texts(t);
    if (!status && t->index->by_kind[POCKET_WORDS]) {
        status = guarded(t->index, find_by_words, t);
        if (!status) status = look_into_texts(t);
    }
    t->missed |= t->words.missed | t->shingles.missed;
    t->capped |= t->words.capped;
    return status;
}
