/* A query on its way through the stages (docs/format.md, section 8). */
#ifndef POCKET_STAGES_H
#define POCKET_STAGES_H

#include "file/container.h"
#include "file/keys/look_up.h"
#include "sketch/score.h"
#include "sketch/sketch.h"

#ifndef MAX_CANDIDATES /* the harnesses that ask millions of times take less memory a query */
#define MAX_CANDIDATES 65536u
#endif

#define LEAST_FOUND 32u        /* hits of the sketches that others are weighed beside, at least */
#define LEAST_WORDS 2u         /* that a document has of a text, to be found by them */
#define MOST_LOOKED_AT 262144u /* postlists of which the first document's sketch is looked at */

struct evidence;

typedef struct query {
    const pocket_index *index;
    const uint8_t *text; /* NULL: the query is a stored document */
    uint64_t length;
    uint32_t document, probes, identity;
    sketch sketch;
    uint64_t *keys;
    uint32_t *masks;
    look_up look_up;
    ranking ranking;
    meter steps;
    uint64_t *candidates; /* document << 32 | agreement << 8 | table */
    uint64_t *nearest;    /* room for a scan, and for what sorts */
    uint64_t *best;       /* the heap of hits */
    stretch *stretches;
    pocket_hit *found; /* best first, with room for what words find as well */
    uint64_t *order;   /* of what was found: its places in the low 32 bits */
    struct evidence *evidence;
    uint32_t candidate_count, looked_at, best_count, found_count, room, depth;
    uint32_t most, least; /* hits that are wanted; the noise floor */
    uint32_t cells,
        pruning; /* so many of the nearest are compared, of those within the pruning threshold */
    int scans;
    int ranked;         /* has the text a sketch to rank by? */
    int sketches_alone; /* nothing else is asked */
    int cold;           /* is a first answer wanted? */
    int incomplete; /* a block was not at hand; the stage goes on, so that all its blocks are missed
                       at once */
    uint32_t *count;
    pocket_hit *hits;
    pocket_report *report;
    pocket_error *error;
} query;

static inline uint32_t damaged(const query *q, uint32_t section, uint32_t block, const char *field,
                               uint64_t expected, uint64_t found) {
    return fail(q->error, POCKET_DAMAGED_FIELD, section, block, field, expected, found);
}

/* A block that is not at hand ends the query after the stage, any other failure at once. */
static inline uint32_t unless_missed(query *q, uint32_t status) {
    if (status != POCKET_NOT_AT_HAND) return status;
    q->incomplete = 1;
    return POCKET_OK;
}

/* The documents whose keys match: each probe of each table looked up. */
uint32_t find_by_keys(query *q);
/* The nearest documents of the nearest cells. */
uint32_t find_by_cells(query *q);
/* The nearest of all documents, by a scan. */
uint32_t find_by_scan(query *q);

/* Rank the candidates, or every document where digits are no bits. */
uint32_t rank_candidates(query *q);
uint32_t rank_all(query *q);
/* Is a document among the candidates of the sketches, once these are ranked? */
int is_candidate(const query *q, uint32_t document);
/* The best as what was found, best first. */
uint32_t take_best(query *q);
/* What was found beside the evidence of words and texts, in its order. */
uint32_t weigh_hits(query *q);
/* The similarity of a document by its sketch and the one that is asked, without luck. */
uint32_t look_at_sketch(query *q, uint32_t document, uint32_t *similarity);
/* Judge the hits in doubt before the first one that is shown (docs/format.md, section 8). */
uint32_t judge_in_doubt(query *q);
/* What was found as hits, with the tables that each was found in. */
void take_hits(query *q);

#endif
