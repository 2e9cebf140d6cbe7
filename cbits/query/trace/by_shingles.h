/* What shingles say of a segment. */
#ifndef POCKET_BY_SHINGLES_H
#define POCKET_BY_SHINGLES_H

#include "query/trace/trace.h"

/* Look the segment's shingles up, and choose the documents whose shingles say most; without texts,
 * add their passages. argument is the trace. */
uint32_t find_by_shingles(void *argument);
/* Look into the texts of the chosen documents, and claim the units that they touch. */
uint32_t look_into_best(trace *t);
/* Take the claims that are whole. Of the others those stay whose units are not explained. */
uint32_t take_wholes(trace *t);

#endif
