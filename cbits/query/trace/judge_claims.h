/* Claims to passages (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_CLAIMS_H
#define POCKET_JUDGE_CLAIMS_H

#include "query/trace/trace.h"

/* Judge the claims of each unit beside each other, by what was found in texts or is estimated, and
 * forget them. */
uint32_t judge_claims(trace *t);

#endif
