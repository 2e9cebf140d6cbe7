/* How near cells are to a sketch (docs/format.md 4.2): products of its steps with centroids of four
 * bits a component. */
#ifndef POCKET_CELL_SCORES_H
#define POCKET_CELL_SCORES_H

#include "sketch/sketch.h"

#define CELL_MOST_BYTES (COARSE_COMPONENTS / 2) /* of a centroid */

/* A sketch's steps, those of the even components and those of the odd ones apart, as they lie in a
 * centroid's bytes. */
typedef struct cell_steps {
    int8_t even[CELL_MOST_BYTES], odd[CELL_MOST_BYTES];
    uint32_t bytes;
} cell_steps;

/* Bytes of a centroid of so many components. */
static inline uint32_t centroid_bytes(uint32_t components) { return (components + 1) / 2; }
/* Each component's step by its margin, up to 127 for four standard deviations. Where all weights
 * are 0 each counts as one deviation. */
void cell_steps_in_order(const profile *p, const sketch *s, int8_t *in_order);
void cell_steps_of(const profile *p, const sketch *s, cell_steps *steps);
void cell_steps_from(const int8_t *in_order, uint32_t components, cell_steps *steps);
/* The scores of count centroids: the higher, the nearer; in every way the same. */
void cell_scores(const cell_steps *steps, const uint8_t *centroids, uint32_t count, int registers,
                 int32_t *scores);
/* The lowest and the highest score that any centroid can have. */
void cell_bounds(const cell_steps *steps, int32_t *lowest, int32_t *highest);

#endif
