/* When a unit of the asked text counts as taken from a document (docs/format.md, section 9). */
#ifndef POCKET_JUDGE_H
#define POCKET_JUDGE_H

#include "query/align/alignment.h"
#include "query/trace/word_candidates.h"

#define WHOLE_SHARE 1024u
#define LEAST_BAG 25u /* terms of the shortest unit whose words may be in any order */
#define OTHERS 5u     /* if more documents have a passage, it is no evidence for any of them */

/* Is a claim to be aligned with its text? A doubtful one cannot count, by words that were not asked
 * for, but what it has may count against others. */
enum { UNREAD, DOUBTFUL, ALIGNED };

/* A document that may have a unit: how its text is aligned with the unit or, if no texts are kept,
 * an estimate from its words and shingles, in 1/1024. */
typedef struct claim {
    candidate candidate;
    alignment alignment;
    uint32_t estimate, state;
} claim;

/* The least share of the idf of the asked words of any claim of a unit. */
uint32_t least_share_of(const segment *s, const unit *u);
/* Has a document nearly enough of a unit, in whatever order? */
int is_nearly_bag(const segment *s, const unit *u, uint32_t bag);
/* Is the text of a candidate worth reading? */
int is_worth_reading(const word_candidates *w, const candidate *c);
/* Whether a unit counts as taken from a document: no, by words in the same order, or by words in
 * any order. */
enum { NOT_TAKEN, IN_ORDER, AS_A_BAG };
/* Does a claim that was aligned count? others, others_bag: the share and the bag that more than
 * OTHERS documents reach. */
int is_taken(const segment *s, const unit *u, const claim *c, uint32_t others, uint32_t others_bag);
/* How much more of the idf of a unit's asked words a document has than its length explains, of what
 * it does not explain, in 1/1024. */
uint32_t excess_of(const candidate *c);
/* Estimate how much of a unit a document has by its words and shingles, in 1/1024. evidence: that
 * of its shingles in the unit. */
uint32_t estimate_of(const candidate *c, const unit *u, uint32_t evidence);
/* Does a unit that was not aligned count? */
int is_estimated(const segment *s, const unit *u, uint32_t estimate, uint32_t others);

#endif
