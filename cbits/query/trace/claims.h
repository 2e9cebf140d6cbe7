/* Keeps the documents that may have units of a segment, and aligns these with their texts. */
#ifndef POCKET_CLAIMS_H
#define POCKET_CLAIMS_H

#include "query/trace/trace.h"

/* Keep a claim. If there is no memory, exhausted of the trace is set. */
void add_claim(trace *t, const claim *c);
/* Read the beginning of a document's text into t->document, and find the terms of the segment in
 * it; read on, as long as t->reader has any left; or read all. If the text is not at hand, the
 * document has no terms, and t->missed is set. */
uint32_t begin_document(trace *t, uint32_t document);
uint32_t read_on(trace *t);
uint32_t read_document(trace *t, uint32_t document);
/* Set the bytes of an alignment in the document that was read. */
void place_alignment(trace *t, alignment *a);
/* Align a unit, or the unit of a claim, with the document that was read. */
uint32_t align_unit(trace *t, const unit *u, alignment *a);
uint32_t align_claim(trace *t, claim *c);
/* Align the claims that are not read, document by document. */
uint32_t align_claims(trace *t);

#endif
