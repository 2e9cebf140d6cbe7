/* Documents that may have units of a segment, kept, and aligned by their texts. */
#ifndef POCKET_CLAIMS_H
#define POCKET_CLAIMS_H

#include "query/trace/trace.h"

/* Keep a claim. Where there is no memory, the trace is exhausted. */
void add_claim(trace *t, const claim *c);
/* Read the text of a document into t->document, and find the segment's terms in it; these are none
 * where it is not at hand. */
uint32_t read_document(trace *t, uint32_t document);
/* Say where an alignment stands in the document that was read, in bytes. */
void place_alignment(const trace *t, alignment *a);
/* Align a unit, or the unit of a claim, with the document that was read. */
uint32_t align_unit(trace *t, const unit *u, alignment *a);
uint32_t align_claim(trace *t, claim *c);
/* Align all claims, document by document. */
uint32_t align_claims(trace *t);

#endif
