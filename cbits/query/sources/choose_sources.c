/* Joins the passages of documents, and chooses the sources. */
#include "query/sources/choose_sources.h"

#include "base/memory.h"
#include "base/sort.h"
#include "query/sources/cover.h"

/* A document that adds fewer terms than this comes after all documents that add more. */
#define LEAST_TERMS 5u
#define MOST_GAP 3u      /* the most terms of the text between parts of one passage */
#define MOST_OWN_GAP 24u /* the most terms of the document between them */

typedef struct choice {
    found_passage *passages; /* those of each document, by place; they do not overlap */
    uint32_t count;
    pocket_span *spans;
    uint32_t *ends; /* where the passages of each document end */
    uint32_t documents;
} choice;

/* ---- passages ---- */

static uint32_t passage_terms(const found_passage *p) { return p->last - p->first; }

/* Does next continue passage p, in the text and in the document? */
static int goes_on(const found_passage *p, const found_passage *next) {
    if (next->first > p->last + MOST_GAP) return 0;
    if (!p->verified || !next->verified) return p->verified == next->verified;
    return next->own_first >= p->own_first && next->own_first <= p->own_last + MOST_OWN_GAP;
}

static void join_passages(found_passage *p, const found_passage *next) {
    if (next->evidence > p->evidence) p->evidence = next->evidence;
    if (next->last <= p->last) {
        if (next->same > p->same) p->same = next->same;
        return;
    }
    uint32_t overlap = p->last > next->first ? p->last - next->first : 0,
             size = passage_terms(next);
    p->same += (uint32_t)((uint64_t)next->same * (size - overlap) / size);
    p->last = next->last;
    p->end = next->end;
    if (next->own_last > p->own_last) {
        p->own_last = next->own_last;
        p->own_end = next->own_end;
    }
    if (next->documents > p->documents) p->documents = next->documents;
}

/* Add a passage after those of its document, which begin at number before: join it to the last one
 * if it continues that; if they overlap, keep the one that has more terms in common with the
 * document. */
static void add_passage(choice *c, uint32_t before, const found_passage *next) {
    found_passage *last = c->count > before ? &c->passages[c->count - 1] : NULL;
    if (last && goes_on(last, next))
        join_passages(last, next);
    else if (!last || next->first >= last->last)
        c->passages[c->count++] = *next;
    else if (next->same > last->same)
        *last = *next;
}

static int sort_passages(passages_found *p, found_passage *sorted) {
    uint64_t *keys = pocket_malloc(2 * (size_t)p->count * sizeof *keys);
    if (!keys) return 0;
    for (uint32_t i = 0; i < p->count; i++) keys[i] = (uint64_t)p->passages[i].first << 32 | i;
    radix_sort64(keys, keys + p->count, p->count, 32, 64);
    for (uint32_t i = 0; i < p->count; i++)
        keys[i] = (uint64_t)p->passages[(uint32_t)keys[i]].document << 32 | (uint32_t)keys[i];
    radix_sort64(keys, keys + p->count, p->count, 32, 64);
    for (uint32_t i = 0; i < p->count; i++) sorted[i] = p->passages[(uint32_t)keys[i]];
    pocket_free(keys);
    return 1;
}

/* Order the documents by the evidence of all their passages, so that the document with the most
 * comes first among those that explain as much. order: where the passages of each document begin in
 * sorted. Returns the number of documents. */
static uint32_t order_documents(const found_passage *sorted, uint32_t count, uint64_t *order) {
    uint32_t documents = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        uint64_t evidence = 0;
        for (end = i; end < count && sorted[end].document == sorted[i].document; end++)
            evidence += sorted[end].evidence;
        if (evidence > UINT32_MAX) evidence = UINT32_MAX;
        order[documents++] = (UINT32_MAX - evidence) << 32 | i;
    }
    sort64(order, documents);
    return documents;
}

/* Does a document have terms of a bag in order, too? Then the bag adds nothing to these. The
 * passages of the document are first .. first + count - 1 in sorted. */
static int is_told_in_order(const found_passage *sorted, uint32_t first, uint32_t count,
                            const found_passage *bag) {
    for (uint32_t i = first; i < first + count && sorted[i].first < bag->last; i++)
        if (!sorted[i].bag && sorted[i].last > bag->first) return 1;
    return 0;
}

static void join_all(choice *c, const found_passage *sorted, uint32_t count, uint64_t *order) {
    uint32_t documents = order_documents(sorted, count, order);
    for (uint32_t k = 0; k < documents; k++) {
        uint32_t before = c->count, first = (uint32_t)order[k];
        uint32_t end = first;
        while (end < count && sorted[end].document == sorted[first].document) end++;
        for (uint32_t i = first; i < end; i++)
            if (!sorted[i].bag || !is_told_in_order(sorted, first, end - first, &sorted[i]))
                add_passage(c, before, &sorted[i]);
        for (uint32_t i = before; i < c->count; i++)
            c->spans[i] = (pocket_span){c->passages[i].first, c->passages[i].last};
        c->ends[c->documents++] = c->count;
    }
}

/* ---- sources ---- */

static uint32_t share(uint32_t part, uint32_t all) {
    return all ? (uint32_t)((uint64_t)part * 10000 / all) : 0;
}

#define FOUND ((sizeof(pocket_sources_found) + 7) / 8 * 8)

/* The edited share of a passage is what the two texts do not have in common, as a share of the
 * longer one. */
static pocket_passage written(const found_passage *p) {
    uint32_t terms = passage_terms(p), own = p->own_last - p->own_first;
    if (p->verified && own > terms) terms = own;
    uint32_t same = p->same < terms ? p->same : terms;
    return (pocket_passage){p->start,   p->end,  p->own_start.bytes,         p->own_end.bytes,
                            p->first,   p->last, share(terms - same, terms), p->documents,
                            p->verified};
}

static pocket_source source_of(const choice *c, const cover *own, uint32_t which, uint32_t added,
                               uint32_t terms, uint32_t at) {
    uint32_t first = spans_before(own, which), most = 0;
    for (uint32_t k = first; k < c->ends[which]; k++)
        if (c->passages[k].evidence > most) most = c->passages[k].evidence;
    return (pocket_source){c->passages[first].document,
                           share(spans_size(own, which, 1), terms),
                           share(added, terms),
                           most,
                           at,
                           c->ends[which] - first};
}

static void write_frequent(const passages_found *p, pocket_frequent_passage *frequent,
                           uint32_t *examples) {
    for (uint32_t i = 0; i < p->frequent_count; i++) {
        frequent[i] = p->frequent[i].passage;
        frequent[i].first_example = SHINGLE_EXAMPLES * i;
        memcpy(examples + SHINGLE_EXAMPLES * i, p->frequent[i].examples,
               sizeof p->frequent[i].examples);
    }
}

/* All of the answer lies in one allocation: the head, the passages, the frequent ones, the sources,
 * the places of the passages and the examples. */
static pocket_sources_found *write_found(const choice *c, const cover *own, const passages_found *p,
                                         uint32_t terms, const uint32_t *chosen,
                                         const uint32_t *added, uint32_t count) {
    uint32_t spans = 0, at = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) spans += c->ends[chosen[i]] - spans_before(own, chosen[i]);
    pocket_sources_found *found = pocket_malloc(
        FOUND + spans * sizeof(pocket_passage) +
        p->frequent_count * sizeof(pocket_frequent_passage) + count * sizeof(pocket_source) +
        spans * sizeof(pocket_span) + p->frequent_count * sizeof p->frequent->examples);
    if (!found) return NULL;
    pocket_passage *passages = (pocket_passage *)((uint8_t *)found + FOUND);
    pocket_frequent_passage *frequent = (pocket_frequent_passage *)(passages + spans);
    pocket_source *sources = (pocket_source *)(frequent + p->frequent_count);
    pocket_span *places = (pocket_span *)(sources + count);
    uint32_t *examples = (uint32_t *)(places + spans);
    write_frequent(p, frequent, examples);
    for (uint32_t i = 0; i < count; i++) {
        sources[i] = source_of(c, own, chosen[i], added[i], terms, at);
        for (uint32_t k = spans_before(own, chosen[i]); k < c->ends[chosen[i]]; k++) {
            const found_passage *one = &c->passages[k];
#ifndef POCKET_FREESTANDING
            places[at] = (pocket_span){one->own_start.points, one->own_end.points};
#endif
            passages[at++] = written(one);
        }
    }
    /* The coverage counts documents that add too little, too. */
    for (uint32_t i = 0; i < c->count; i++)
        memset(own->covered + c->spans[i].first, 1, c->spans[i].last - c->spans[i].first);
    for (uint32_t i = 0; i < terms; i++) all += own->covered[i];
    *found = (pocket_sources_found){sources,  passages,          count, spans,        c->documents,
                                    terms,    share(all, terms), 0,     {0, 0, 0, 0}, frequent,
                                    examples, p->frequent_count};
    return found;
}

int choose_sources(passages_found *p, uint32_t terms, uint32_t most, meter *steps,
                   pocket_sources_found **found) {
    size_t n = p->count;
    choice c = {.count = 0};
    cover own = {0};
    uint8_t *memory = pocket_malloc(
        n * (2 * sizeof *p->passages + sizeof *own.heap + sizeof *c.spans + 4 * sizeof(uint32_t)) +
        terms);
    if (!memory) return 0;
    own.heap = (uint64_t *)memory;
    c.spans = (pocket_span *)(own.heap + n);
    c.passages = (found_passage *)(c.spans + n);
    found_passage *sorted = c.passages + n;
    c.ends = (uint32_t *)(sorted + n);
    own.others = c.ends + n;
    uint32_t *chosen = own.others + n, *added = chosen + n;
    own.covered = (uint8_t *)(added + n);
    memset(own.covered, 0, terms);
    if (sort_passages(p, sorted)) {
        join_all(&c, sorted, p->count, own.heap);
        own.spans = c.spans;
        own.ends = c.ends;
        own.count = c.documents;
        uint32_t least = terms < LEAST_TERMS ? terms : LEAST_TERMS;
        /* The coverage is that of all documents, including those that are not listed. */
        uint32_t count = cover_best(&own, least, own.count, steps, chosen, added);
        if (!steps->ended)
            *found = write_found(&c, &own, p, terms, chosen, added, count < most ? count : most);
    }
    pocket_free(memory);
    return *found != NULL;
}

#ifndef POCKET_FREESTANDING
const pocket_span *pocket_sources_places(const pocket_sources_found *found) {
    return (const pocket_span *)(found->sources + found->count);
}
#endif
