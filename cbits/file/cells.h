/* The cells section (docs/format.md 4.2): documents lie in the order of their cells, and a query
 * has those of the nearest cells compared. */
#ifndef POCKET_CELLS_H
#define POCKET_CELLS_H

#include "file/container.h"

/* Check the section's head and keep its parameters. */
uint32_t cells_open(pocket_index *x, const section *s, pocket_error *error);
/* The documents of the *count cells (at most all) nearest to a sketch, which has weights, in the
 * order of the file. pruning: where it is not 0, cells whose score is so far below the highest one
 * are left out, and *count becomes how many there are. scratch has room for cells_room(index)
 * numbers, stretches for *count. */
uint32_t cells_near(const pocket_index *x, const sketch *s, uint32_t pruning, uint32_t *count,
                    uint64_t *scratch, stretch *stretches, pocket_error *error);
uint32_t cells_room(const pocket_index *x);
/* Read and check every cell. */
uint32_t cells_verify(const pocket_index *x, pocket_error *error);

#endif
