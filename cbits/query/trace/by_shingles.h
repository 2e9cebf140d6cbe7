/* Finds documents by the shingles of a segment. */
#ifndef POCKET_BY_SHINGLES_H
#define POCKET_BY_SHINGLES_H

#include "query/trace/trace.h"

/* Look up the shingles of the segment. In a file that keeps texts, choose the documents with the
 * most evidence; otherwise add their passages. argument: the trace. */
uint32_t find_by_shingles(void *argument);
/* Read the texts of the chosen documents, and claim the units that their shingles touch. */
uint32_t look_into_best(trace *t);
/* Judge the claims of units that stand in their documents word for word. Of the other claims, only
 * those are kept whose units are not explained. */
uint32_t take_wholes(trace *t);

#endif
