/* Finds the documents that have shingles of a segment (docs/format.md, section 9). */
#ifndef POCKET_SHINGLE_MATCHES_H
#define POCKET_SHINGLE_MATCHES_H

#include "base/meter.h"
#include "file/keys/passages.h"
#include "query/align/segment.h"

#define SHINGLES_AT_ONCE 1024u /* looked up together */
/* The evidence of shingles that one document has in a neighbourhood is added up. In an edited
 * passage they are far apart. */
#define NEIGHBOURHOOD 80u /* terms */
#define LEAST_EVIDENCE 12u
#define SURE_EVIDENCE \
    14u                /* counts without texts, where there are words that could tell otherwise */
#define MOST_WEIGHT 7u /* the evidence of a shingle that only one document has */

/* A document and the place of a shingle of the segment that it has. */
typedef struct shingle_match {
    uint32_t document;
    uint16_t place;
    uint8_t again;     /* the text has the same shingle shortly before */
    uint8_t documents; /* how many have it, at most 127 */
} shingle_match;

/* A frequent shingle at a place of the segment: how many documents have it, and examples of these.
 * documents is 0 if the shingle there is not frequent. */
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
/* Look up the shingles of a segment. */
uint32_t shingle_matches_find(shingle_matches *m, const segment *s);
/* Returns where the matches end of the document that match i is of. */
uint32_t shingle_matches_end(const shingle_matches *m, uint32_t i);
/* Returns the evidence of the matches first .. last - 1, all of one document. Shingles that overlap
 * count once, and so does one that the text repeats. */
uint32_t shingle_evidence(const shingle_matches *m, uint32_t first, uint32_t last);
/* Returns the evidence of a document's matches at places from .. to - 1. */
uint32_t shingle_evidence_between(const shingle_matches *m, uint32_t document, uint32_t from,
                                  uint32_t to);

#endif
