/* Documents that have shingles of a segment (docs/format.md, section 9). */
#ifndef POCKET_SHINGLE_MATCHES_H
#define POCKET_SHINGLE_MATCHES_H

#include "base/meter.h"
#include "file/keys/passages.h"
#include "query/trace/segment.h"

#define SHINGLES_AT_ONCE 1024u /* looked up together */
/* Shingles of one document in a neighbourhood are evidence together. In a passage whose words were
 * changed they are far apart. */
#define NEIGHBOURHOOD 80u /* terms */
#define LEAST_EVIDENCE 12u
#define MOST_WEIGHT 7u /* what a shingle says that one document has */

/* A document and the place of a shingle of the segment that it has. */
typedef struct shingle_match {
    uint32_t document;
    uint16_t place;
    uint8_t again;     /* the text had the shingle shortly before */
    uint8_t documents; /* that have it, 127 at most */
} shingle_match;

/* A frequent shingle at a place of the segment: how many documents have it, 0 where the shingle
 * there is not frequent, and examples. */
typedef struct frequent_shingle {
    uint32_t documents, example_count, examples[SHINGLE_EXAMPLES];
} frequent_shingle;

typedef struct shingle_matches {
    const pocket_index *index;
    meter *steps;
    pocket_error *error;
    int cold, missed;
    look_up look_up;
    uint64_t *memory, *hashes, *order, *keys; /* hashes: of the shingle at each place; order: the
                                                 upper bits of one, and its place */
    uint32_t *first;
    frequent_shingle *frequent; /* of each place */
    shingle_match *found;       /* by document and place */
    uint64_t *scratch;
    uint32_t count, room, asked;
} shingle_matches;

int shingle_matches_alloc(shingle_matches *m, const pocket_index *x);
void shingle_matches_free(shingle_matches *m);
/* Look the shingles of a segment up. */
uint32_t shingle_matches_find(shingle_matches *m, const segment *s);
/* The end of the matches of the document at i. */
uint32_t shingle_matches_end(const shingle_matches *m, uint32_t i);
/* What the matches from first up to last of one document say together: those that overlap say it
 * once, and so does one that the text repeats. */
uint32_t shingle_evidence(const shingle_matches *m, uint32_t first, uint32_t last);
/* What a document's matches between two places say. */
uint32_t shingle_evidence_between(const shingle_matches *m, uint32_t document, uint32_t from,
                                  uint32_t to);

#endif
