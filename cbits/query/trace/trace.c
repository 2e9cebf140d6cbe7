/* The state of the search for a segment, and the passages found. */
#include "query/trace/trace.h"

#include "base/array.h"
#include "base/memory.h"

#define EXPLAINED 80u        /* percent of the terms of a sentence */
#define EXPLAINED_LONGER 50u /* of a window or a stretch */

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

int add_found(trace *t, const found_passage *own) {
    passages_found *f = t->found;
    found_passage *passages =
        array_grow(f->passages, &f->room, f->count, f->count + 1, sizeof *passages);
    if (!passages) return 0;
    f->passages = passages;
    f->passages[f->count++] = *own;
    return 1;
}

void explain(trace *t, uint32_t first, uint32_t last, uint32_t document) {
    for (uint32_t i = first; i < last; i++)
        if (!t->explained[i]) t->explained[i] = document + 1;
}

found_passage passage_of(const trace *t, uint32_t document, uint32_t first, uint32_t last) {
    const segment *s = t->segment;
    return (found_passage){.document = document,
                           .first = (uint32_t)s->base + first,
                           .last = (uint32_t)s->base + last,
                           .start = s->starts[first],
                           .end = s->ends[last - 1]};
}

int is_explained(const trace *t, const unit *u) {
    uint32_t count = 0;
    for (uint32_t i = u->first; i < u->last; i++) count += t->explained[i] > 0;
    return 100 * count >=
           (u->kind == SENTENCE ? EXPLAINED : EXPLAINED_LONGER) * (u->last - u->first);
}
