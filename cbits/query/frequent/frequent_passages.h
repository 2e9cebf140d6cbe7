/* Pieces of the asked text that very many documents have (docs/format.md, section 9). */
#ifndef POCKET_FREQUENT_PASSAGES_H
#define POCKET_FREQUENT_PASSAGES_H

#include "query/trace/trace.h"

/* Add those of the segment that none of the passages found from number before on explains, as far
 * as few documents have these. */
uint32_t find_frequent_passages(trace *t, uint32_t before);

#endif
