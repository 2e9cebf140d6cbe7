/* Turns claims into passages (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_CLAIMS_H
#define POCKET_JUDGE_CLAIMS_H

#include "query/trace/trace.h"

/* Judge all claims, those of one unit together, by their alignments or estimates; add a passage for
 * each that counts, and forget the claims. */
uint32_t judge_claims(trace *t);
/* Would a claim of the text alone count as a bag if no other document had any of its words? */
int has_bag_alone(const trace *t);

#endif
