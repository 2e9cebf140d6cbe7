/* Matches to passages, and passages to sources. */
#include "query/sources/choose_sources.h"

#include "base/memory.h"
#include "base/sort.h"
#include "query/sources/cover.h"

/* A document that explains fewer terms than this beside the sources before it is none: any two
 * texts of a language have a few words in common. */
#ifndef LEAST_TERMS /* experiments */
#define LEAST_TERMS 10u
#endif

/* A passage needs so much evidence. A shingle that one document has says MOST_WEIGHT. */
#ifndef LEAST_EVIDENCE
#define LEAST_EVIDENCE 12u
#endif
#define MOST_WEIGHT 7u

typedef struct candidate {
    uint32_t document, evidence;
} candidate;

typedef struct choice {
    const pocket_index *index;
    uint32_t terms;
    pocket_span *spans; /* of terms */
    uint32_t *ends;     /* where the spans of each candidate end */
    candidate *candidates;
    uint32_t span_count, candidate_count;
} choice;

/* Of a passage that was copied word by word every window has a shingle: what lies between shingles
 * that are no further apart is of the passage. */
static uint32_t most_gap(const pocket_index *x) { return x->shingle_window + x->shingle_terms; }

/* How much a shingle says that so many documents (127 at most) have: the fewer, the more. */
static uint32_t weight_of_shingle(uint32_t documents) {
    uint32_t weight = MOST_WEIGHT;
    for (; documents > 1; documents >>= 1) weight--;
    return weight;
}

/* What shingles from number first up to last say together: those that overlap say it once, and so
 * does one that the text repeats. */
static uint32_t evidence(const pocket_index *x, const uint64_t *entries, uint32_t count) {
    uint32_t sum = 0, free = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = entry_number(entries[i]);
        if (number < free || entry_again(entries[i])) continue;
        sum += weight_of_shingle(entry_documents(entries[i]));
        free = number + x->shingle_terms;
    }
    return sum;
}

/* The passages that count entries in one neighbourhood make. Winnowing kept none of the shingles at
 * a passage's ends, half a window on average. */
static void add_spans(choice *c, const uint64_t *entries, uint32_t count, uint32_t before) {
    const pocket_index *x = c->index;
    uint32_t margin = x->shingle_window / 2;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = entry_number(entries[i]), last = number + x->shingle_terms + margin;
        uint32_t first = number > margin ? number - margin : 0;
        pocket_span *end = c->span_count > before ? &c->spans[c->span_count - 1] : NULL;
        if (last > c->terms) last = c->terms;
        if (i > 0 && number - entry_number(entries[i - 1]) <= most_gap(x)) first = end->last;
        if (end && end->last >= first)
            end->last = last > end->last ? last : end->last;
        else
            c->spans[c->span_count++] = (pocket_span){first, last};
    }
}

/* A document, if its matches, which rise, are enough somewhere. */
static void add_found(choice *c, const uint64_t *entries, uint32_t count) {
    uint32_t end = 0, before = c->span_count, most = 0;
    for (uint32_t i = 0; i < count; i = end) {
        uint32_t number = entry_number(entries[i]);
        for (end = i + 1; end < count && entry_number(entries[end]) - number <= NEIGHBOURHOOD;
             end++)
            number = entry_number(entries[end]);
        uint32_t own = evidence(c->index, entries + i, end - i);
        if (own < LEAST_EVIDENCE) continue;
        add_spans(c, entries + i, end - i, before);
        if (own > most) most = own;
    }
    if (c->span_count == before) return;
    c->ends[c->candidate_count] = c->span_count;
    c->candidates[c->candidate_count++] = (candidate){(uint32_t)(entries[0] >> 32), most};
}

static uint32_t share(uint32_t part, uint32_t all) {
    return all ? (uint32_t)((uint64_t)part * 10000 / all) : 0;
}

#define FOUND ((sizeof(pocket_sources_found) + 7) / 8 * 8)

/* One piece of memory: the head, the passages, the sources. */
static pocket_sources_found *write_found(const choice *c, const cover *own,
                                         const term_places *places, const uint32_t *chosen,
                                         const uint32_t *added, uint32_t count) {
    uint32_t spans = 0, at = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) spans += c->ends[chosen[i]] - spans_before(own, chosen[i]);
    pocket_sources_found *found =
        pocket_malloc(FOUND + spans * sizeof(pocket_passage) + count * sizeof(pocket_source));
    if (!found) return NULL;
    pocket_passage *passages = (pocket_passage *)((uint8_t *)found + FOUND);
    pocket_source *sources = (pocket_source *)(passages + spans);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t which = chosen[i], first = spans_before(own, which);
        sources[i] = (pocket_source){c->candidates[which].document,
                                     share(spans_size(own, which, 1), c->terms),
                                     share(added[i], c->terms),
                                     c->candidates[which].evidence,
                                     at,
                                     c->ends[which] - first};
        all += added[i];
        for (uint32_t k = first; k < c->ends[which]; k++) {
            pocket_span s = c->spans[k];
            passages[at++] = (pocket_passage){places->terms[s.first].start,
                                              places->terms[s.last - 1].end, s.first, s.last};
        }
    }
    *found =
        (pocket_sources_found){sources, passages, count, spans, c->terms, share(all, c->terms), 0};
    return found;
}

/* The matches by document and place, each once. */
static void sort_matches(const pocket_index *x, matches *m, uint64_t *scratch) {
    radix_sort64(m->entries, scratch, (uint32_t)m->count, 8, 32);
    radix_sort64(m->entries, scratch, (uint32_t)m->count, 32, 32 + x->passages.posting_bits);
}

int choose_sources(const pocket_index *x, const term_places *places, matches *m, uint32_t most,
                   meter *steps, pocket_sources_found **found) {
    size_t n = (size_t)m->count;
    choice c = {.index = x, .terms = (uint32_t)places->count};
    cover own = {0};
    uint64_t *memory = pocket_malloc(
        n * (sizeof *own.heap + sizeof *c.spans + sizeof *c.candidates + 2 * sizeof(uint32_t)) +
        2 * (size_t)most * sizeof(uint32_t) + c.terms);
    if (!memory) return 0;
    own.heap = memory;
    c.spans = (pocket_span *)(own.heap + n);
    c.candidates = (candidate *)(c.spans + n);
    c.ends = (uint32_t *)(c.candidates + n);
    own.others = c.ends + n;
    uint32_t *chosen = own.others + n, *added = chosen + most;
    own.covered = (uint8_t *)(added + most);
    memset(own.covered, 0, c.terms);
    sort_matches(x, m, own.heap);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && m->entries[end] >> 32 == m->entries[i] >> 32; end++) {
        }
        add_found(&c, m->entries + i, (uint32_t)(end - i));
    }
    own.spans = c.spans;
    own.ends = c.ends;
    own.count = c.candidate_count;
    uint32_t count = cover_best(&own, LEAST_TERMS, most, steps, chosen, added);
    if (!steps->ended) *found = write_found(&c, &own, places, chosen, added, count);
    pocket_free(memory);
    if (!*found) return 0;
    (*found)->capped = (uint32_t)m->capped;
    return 1;
}
