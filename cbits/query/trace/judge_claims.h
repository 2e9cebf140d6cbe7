/* Turns claims into passages (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_CLAIMS_H
#define POCKET_JUDGE_CLAIMS_H

#include "query/trace/trace.h"

/* Judge all claims, those of one unit together, by their alignments or estimates; add a passage for
 * each that counts, and forget the claims. */
uint32_t judge_claims(trace *t);

#endif
