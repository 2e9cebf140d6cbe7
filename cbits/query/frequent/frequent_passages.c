/* Finds frequent passages: frequent shingles that stand close together make a stretch of the text;
 * its examples are documents that have several of these shingles and, in a file that keeps texts,
 * the whole stretch. */
#include "query/frequent/frequent_passages.h"

#include "base/array.h"
#include "base/memory.h"
#include "query/trace/claims.h"

#define LEAST_FREQUENT 9u /* terms of a passage, at least */
#define MOST_VOTED 16u    /* examples of a stretch that are counted */
#define MOST_READ 64u     /* stretches of a segment whose examples are read */

/* An example, and how many shingles of the stretch have it that do not overlap. first: the hash of
 * the first of these, which counts once if the text repeats it. free: the least place of
 * the next one. */
typedef struct vote {
    uint64_t first;
    uint32_t document, count, free;
} vote;

/* Terms first .. last - 1 of the segment. documents: those of its rarest shingle. */
typedef struct frequent_stretch {
    uint32_t first, last, documents, vote_count;
    vote votes[MOST_VOTED];
} frequent_stretch;

/* ---- stretches ---- */

/* Mark the terms of passages that at most OTHERS documents have. */
static void mark_explained(trace *t, uint32_t before) {
    const segment *s = t->segment;
    memset(t->explained, 0, s->count * sizeof *t->explained);
    for (uint32_t i = before; i < t->found->count; i++) {
        const found_passage *p = &t->found->passages[i];
        if (p->documents > OTHERS) continue;
        for (uint32_t k = p->first; k < p->last; k++) t->explained[k - s->base] = p->document + 1;
    }
}

static int is_at(const trace *t, uint32_t place) {
    uint32_t end = place + t->index->shingle_terms;
    if (!t->shingles.frequent[place].documents) return 0;
    return !t->explained[place] || !t->explained[end - 1];
}

static void add_vote(frequent_stretch *s, uint32_t document, uint64_t hash, uint32_t place,
                     uint32_t size) {
    uint32_t k = 0;
    while (k < s->vote_count && s->votes[k].document != document) k++;
    if (k == MOST_VOTED) return;
    if (k == s->vote_count) s->votes[s->vote_count++] = (vote){hash, document, 0, 0};
    if (place < s->votes[k].free || (s->votes[k].count && hash == s->votes[k].first)) return;
    s->votes[k].count++;
    s->votes[k].free = place + size;
}

/* Does a shingle have an example in common with the stretch? */
static int is_shared(const frequent_stretch *s, const frequent_shingle *own) {
    for (uint32_t i = 0; i < own->example_count; i++)
        for (uint32_t k = 0; k < s->vote_count; k++)
            if (s->votes[k].document == own->examples[i]) return 1;
    return 0;
}

/* Find the next stretch from place on. Winnowing keeps at least one shingle of each window, so the
 * shingles of one passage are at most a window apart; two passages that follow each other by chance
 * have different examples. Returns 0 if there is none. */
static int next_stretch(const trace *t, uint32_t place, frequent_stretch *s) {
    uint32_t size = t->index->shingle_terms, end = t->segment->count + 1;
    if (end <= size) return 0;
    end -= size;
    while (place < end && !is_at(t, place)) place++;
    if (place >= end) return 0;
    *s = (frequent_stretch){.first = place, .last = place, .documents = UINT32_MAX};
    for (; place < end && place <= s->last + t->index->shingle_window; place++) {
        const frequent_shingle *own = &t->shingles.frequent[place];
        if (!is_at(t, place)) continue;
        if (place >= s->last + size && !is_shared(s, own)) break;
        s->last = place;
        if (own->documents < s->documents) s->documents = own->documents;
        for (uint32_t k = 0; k < own->example_count; k++)
            add_vote(s, own->examples[k], t->shingles.hashes[place], place, size);
    }
    s->last += size;
    return 1;
}

/* ---- examples ---- */

/* Sort examples by the number of their shingles, the most first, then by number. */
static void sort_votes(frequent_stretch *s) {
    for (uint32_t i = 1; i < s->vote_count; i++) {
        vote own = s->votes[i];
        uint32_t k = i;
        for (; k > 0 &&
               (own.count > s->votes[k - 1].count ||
                (own.count == s->votes[k - 1].count && own.document < s->votes[k - 1].document));
             k--)
            s->votes[k] = s->votes[k - 1];
        s->votes[k] = own;
    }
}

/* Does the document that was read have a stretch? Its parts are aligned as units are. */
static uint32_t has_stretch(trace *t, const frequent_stretch *s, int *has) {
    *has = t->document.count > 0;
    for (uint32_t first = s->first, last; first < s->last && *has; first = last) {
        claim found = {.estimate = 0};
        last = s->last - first < 2 * WINDOW_TERMS ? s->last : first + WINDOW_TERMS;
        if (s->last - first > WINDOW_TERMS && last == s->last) last = first + (s->last - first) / 2;
        unit own = {first, last, WINDOW, 0};
        uint32_t status = align_unit(t, &own, &found.alignment);
        if (status) return status;
        *has = is_taken(t->segment, &own, &found, 0, 0) == IN_ORDER;
    }
    return POCKET_OK;
}

/* Keep those of the first examples that have two shingles of the stretch and, if texts are kept,
 * have all of it in their texts. */
static uint32_t choose_examples(trace *t, const frequent_stretch *s, frequent_found *f) {
    pocket_frequent_passage *p = &f->passage;
    for (uint32_t i = 0; i < s->vote_count && i < SHINGLE_EXAMPLES; i++) {
        int has = s->votes[i].count > 1;
        if (p->verified && has) {
            uint32_t status = read_document(t, s->votes[i].document);
            if (!status) status = has_stretch(t, s, &has);
            if (status) return status;
        }
        if (has) f->examples[p->example_count++] = s->votes[i].document;
    }
    return POCKET_OK;
}

static int add_frequent_passage(passages_found *f, const frequent_found *own) {
    frequent_found *frequent = array_grow(f->frequent, &f->frequent_room, f->frequent_count,
                                          f->frequent_count + 1, sizeof *frequent);
    if (!frequent) return 0;
    f->frequent = frequent;
    f->frequent[f->frequent_count++] = *own;
    return 1;
}

static uint32_t look_all_terms(void *argument) {
    trace *t = argument;
    uint32_t status = POCKET_OK;
    for (uint32_t i = 0; i < t->segment->term_count && !status; i++)
        status = term_look(&t->words, i);
    return status;
}

uint32_t find_frequent_passages(trace *t, uint32_t before) {
    const segment *s = t->segment;
    frequent_stretch own = {.last = 0};
    uint32_t read = 0;
    if (!t->shingles.memory) return POCKET_OK;
    mark_explained(t, before);
    while (next_stretch(t, own.last, &own)) {
        uint32_t status;
        if (interrupted(t->steps, own.last - own.first)) return POCKET_INTERRUPTED;
        if (own.last - own.first < LEAST_FREQUENT) continue;
        if (t->with_texts && read == 0 && (status = guarded(t->index, look_all_terms, t)))
            return status;
        sort_votes(&own);
        frequent_found found = {.passage = {.start = s->starts[own.first],
                                            .end = s->ends[own.last - 1],
                                            .first = (uint32_t)s->base + own.first,
                                            .last = (uint32_t)s->base + own.last,
                                            .documents = own.documents,
                                            .verified = t->with_texts && read < MOST_READ}};
        read++;
        if ((status = choose_examples(t, &own, &found))) return status;
        if (found.passage.example_count && !add_frequent_passage(t->found, &found))
            return POCKET_NO_MEMORY;
    }
    return POCKET_OK;
}
