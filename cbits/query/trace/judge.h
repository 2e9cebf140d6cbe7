/* When a unit of the asked text counts as taken from a document (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_H
#define POCKET_JUDGE_H

#include "query/trace/alignment.h"
#include "query/trace/word_candidates.h"

#define WHOLE_SHARE 1024u
#define OTHERS 5u /* what the document behind so many has as well is no evidence */

/* A document that may have a unit, and what its text says of that, or its words and shingles do
 * where no texts are kept: estimate, in 1/1024. */
typedef struct claim {
    candidate candidate;
    alignment alignment;
    uint32_t estimate;
} claim;

/* Is the share of the asked words' idf enough for a candidate of a unit of this kind? */
int has_enough(uint32_t kind, uint32_t share);
/* Is it worth to read the text of a candidate? */
int is_worth_reading(const word_candidates *w, const candidate *c);
/* How a unit counts: not, by words in the same order, by words in whatever order. */
enum { NOT_TAKEN, IN_ORDER, AS_A_BAG };
/* Does a unit that was aligned count? others, others_bag: the shares of the document behind OTHERS.
 */
int is_taken(const segment *s, const unit *u, const alignment *a, uint32_t others,
             uint32_t others_bag);
/* What a document's words and shingles say of a unit. evidence: of its shingles in the unit. */
uint32_t estimate_of(const word_candidates *w, const candidate *c, uint32_t evidence);
/* Does a unit that was not aligned count? */
int is_estimated(const segment *s, const unit *u, uint32_t estimate, uint32_t others);

#endif
