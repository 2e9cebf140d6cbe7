/* The trace of a segment of the asked text: the state of its search, and the passages found. */
#ifndef POCKET_TRACE_H
#define POCKET_TRACE_H

#include "file/stored/texts.h"
#include "query/passages_found.h"
#include "query/trace/judge.h"
#include "query/trace/shingle_matches.h"

#define MOST_CLAIMS 65536u
#define MOST_SHINGLE_DOCUMENTS 256u /* documents that are read, those with the most evidence */

typedef struct trace {
    const pocket_index *index;
    meter *steps;
    pocket_error *error;
    int with_texts, missed, capped;
    segment *segment;
    word_candidates words;
    shingle_matches shingles;
    document_terms document;
    text_reader reader;
    claim *claims;
    uint64_t *order; /* of the claims, and as much again */
    uint32_t claim_count, claim_room;
    int exhausted;       /* there was no memory for a claim */
    uint32_t *explained; /* for each term of the segment, 1 + a document that explains it, or 0 */
    uint64_t best[MOST_SHINGLE_DOCUMENTS]; /* the evidence of a document, and the complement of the
                                              number of its first match */
    uint32_t best_count;
    passages_found *found;
    pocket_words_only words_only; /* the longest sentence so far, and its number of terms */
    uint32_t words_only_terms;
    uint32_t found_before;   /* passages of the segments before */
    uint32_t found_in_order; /* passages before any bag of the segment is judged */
} trace;

int trace_alloc(trace *t);
void trace_free(trace *t);
/* Keep a passage. Returns 0 if there is no memory. */
int add_found(trace *t, const found_passage *own);
/* Returns a passage of the segment, with no place in the document yet. */
found_passage passage_of(const trace *t, uint32_t document, uint32_t first, uint32_t last);
/* Note that a document explains terms of the segment, which it has word for word. */
void explain(trace *t, uint32_t first, uint32_t last, uint32_t document);
/* Are enough terms of a unit explained? */
int is_explained(const trace *t, const unit *u);

#endif
