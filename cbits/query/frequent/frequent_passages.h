/* Finds passages of the asked text that very many documents have (docs/format.md, section 9). */
#ifndef POCKET_FREQUENT_PASSAGES_H
#define POCKET_FREQUENT_PASSAGES_H

#include "query/trace/trace.h"

/* Add the frequent passages of the segment. What passages from number before on have is left out,
 * unless more than OTHERS documents have them. */
uint32_t find_frequent_passages(trace *t, uint32_t before);

#endif
