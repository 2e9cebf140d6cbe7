/* How far a stored sketch agrees with a text's (docs/format.md, section 8): asymmetric, the text's
 * margins weigh. */
#ifndef POCKET_SCORE_H
#define POCKET_SCORE_H

#include "sketch/sketch.h"

/* What a byte of a packed sketch contributes, for each of its values, where all intervals are two;
 * otherwise digits are unpacked. */
typedef struct ranking {
    const profile *profile;
    const sketch *sketch;
    uint64_t total;   /* of all weights, or the number of components, of which each counts 1 then */
    uint64_t inverse; /* 2^63 / total: a multiplication takes less than a division */
    int weighted;
    uint32_t *shares; /* bytes x 256, or NULL */
    void *memory;
    uint8_t *own, *other, *whole; /* the text's packed sketch; room for digits, and a sketch */
} ranking;

/* Room for rankings under a profile; 0 when there is no memory. */
int ranking_alloc(ranking *r, const profile *p);
void ranking_free(ranking *r);
/* Rank by this sketch, which has weights. */
void ranking_begin(ranking *r, const sketch *s);
/* Agreement in 0 .. 65536 of a stored sketch; 0 when a digit is out of range. */
int ranking_agreement(const ranking *r, packed_sketch stored, uint32_t *agreement);
/* Similarity in ten-thousandths, at most 9999, of an agreement that is weighted by margins or,
 * where a stored document asks, is not. */
uint32_t similarity_of(const profile *p, uint32_t agreement, int weighted);
/* A similarity less what the best of so many documents owe to luck, both in ten-thousandths: it
 * keeps their order. */
uint32_t without_luck(const profile *p, uint32_t similarity, uint32_t documents);
/* The standard deviation of a similarity, both in ten-thousandths. */
uint32_t similarity_error(const profile *p, uint32_t similarity);
/* The noise floor: the similarity, as it is shown, from which on hardly any unrelated text finds a
 * document. weighted: as for similarity_of. */
uint32_t min_similarity(const profile *p, uint32_t documents, int weighted);
/* What of it does not depend on the sketch: the similarity of texts that have little to do with
 * each other, which more bits do not tell apart. */
uint32_t min_related(uint32_t documents);
/* Is a stored sketch the text's own? */
int ranking_is_same(const ranking *r, packed_sketch stored);

#endif
