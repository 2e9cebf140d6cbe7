/* A segment of the asked text to the passages of it that documents have. */
#ifndef POCKET_TRACE_H
#define POCKET_TRACE_H

#include "file/stored/texts.h"
#include "query/sources/judge.h"
#include "query/sources/passages_found.h"
#include "query/sources/shingle_matches.h"

#define MOST_CLAIMS 65536u
#define MOST_SHINGLE_DOCUMENTS \
    256u /* that are looked into for a segment, those of most evidence \
          */

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
    int exhausted; /* there was no memory for a claim */
    uint32_t
        *explained; /* of each term of the segment, 1 + a document that has it, 0 where none has */
    uint64_t best[MOST_SHINGLE_DOCUMENTS]; /* what a document's shingles say, and the complement of
                                              its first match */
    uint32_t best_count;
    passages_found *found;
    pocket_words_only words_only; /* of the longest sentence so far, of so many terms */
    uint32_t words_only_terms;
    uint32_t found_before;   /* of the segments before */
    uint32_t found_in_order; /* when bags are judged, all but bags */
} trace;

int trace_alloc(trace *t);
void trace_free(trace *t);
/* Add what documents have of the segment. */
uint32_t trace_segment(trace *t);
/* Read the text of a document into t->document, and find the segment's terms in it; these are none
 * where it is not at hand. */
uint32_t read_document(trace *t, uint32_t document);
/* Align a unit with the document that was read. */
uint32_t align_unit(trace *t, const unit *u, alignment *a);
/* Keep a claim. Where there is no memory, the trace is exhausted. */
void add_claim(trace *t, const claim *c);
/* Align a claim with the document that was read. */
uint32_t align_claim(trace *t, claim *c);
/* Judge the claims of each unit beside each other, by what was found in texts or is estimated, and
 * forget them. */
uint32_t judge_claims(trace *t);

/* Look up what the file says of all terms of the segment; argument is the trace. */
uint32_t look_all_terms(void *argument);

#endif
