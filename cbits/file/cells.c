#include "file/cells.h"

#include "base/bytes.h"
#include "base/root.h"
#include "base/sort.h"
#include "sketch/cell_scores.h"

static uint32_t cells_wrong(pocket_error *error, int64_t block, const char *field,
                            uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_CELLS, block, field, expected, found);
}

uint32_t cells_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    const profile *p = &x->profile;
    if (s->parameters != 24)
        return cells_wrong(error, -1, "length of the parameters", 24, s->parameters);
    x->cells = load32(b);
    x->cells_asked = load32(b + 8);
    x->cells_cold = load32(b + 12);
    x->cells_pruning = load32(b + 16);
    if (!p->scheme->cosine || !profile_is_binary(p))
        return cells_wrong(error, -1, "scheme", 2, p->scheme->number);
    if (p->tables >= POCKET_MAX_TABLES)
        return allowing(
            error, "0 .. %",
            cells_wrong(error, -1, "number of tables", POCKET_MAX_TABLES - 1, p->tables));
    if (x->cells < 1 || x->cells > POCKET_MAX_CELLS)
        return allowing(error, "1 .. %",
                        cells_wrong(error, -1, "number of cells", POCKET_MAX_CELLS, x->cells));
    if (load32(b + 4) != x->sketched)
        return cells_wrong(error, -1, "number of documents", x->sketched, load32(b + 4));
    if (x->cells_asked < 1 || x->cells_asked > x->cells)
        return allowing(error, "1 .. %",
                        cells_wrong(error, -1, "cells asked", x->cells, x->cells_asked));
    if (x->cells_cold < 1 || x->cells_cold > x->cells)
        return allowing(
            error, "1 .. %",
            cells_wrong(error, -1, "cells asked by a first answer", x->cells, x->cells_cold));
    if (x->cells_pruning > 65535)
        return allowing(
            error, "0 .. %",
            cells_wrong(error, -1, "pruning threshold of a first answer", 65535, x->cells_pruning));
    if (load32(b + 20)) return cells_wrong(error, -1, "reserved", 0, load32(b + 20));
    uint64_t length = (uint64_t)x->cells * (centroid_bytes(coarse_components(p)) + 4);
    if (s->blocks != 1) return cells_wrong(error, -1, "number of blocks", 1, s->blocks);
    if (block_first(s, 0) != 0) return cells_wrong(error, 0, "first", 0, block_first(s, 0));
    return block_end(s, 0) == length
               ? POCKET_OK
               : cells_wrong(error, 0, "length of the block", length, block_end(s, 0));
}

/* The documents of a cell: up to where the next one begins. */
static uint32_t stretch_of(const pocket_index *x, const uint8_t *firsts, uint32_t cell,
                           stretch *documents, pocket_error *error) {
    uint32_t first = once(load32(firsts + 4 * (size_t)cell)),
             end =
                 cell + 1 < x->cells ? once(load32(firsts + 4 * (size_t)(cell + 1))) : x->sketched;
    if (cell == 0 && first != 0) return cells_wrong(error, 0, "first document of cell 0", 0, first);
    if (end > x->sketched)
        return allowing(error, "at most %",
                        cells_wrong(error, 0, "end of a cell", x->sketched, end));
    if (first > end)
        return allowing(error, "at least %", cells_wrong(error, 0, "end of a cell", first, end));
    *documents = (stretch){first, end};
    return POCKET_OK;
}

/* Scores fall into so many steps between the highest and the lowest that there can be. */
#define STEPS 1024u

uint32_t cells_room(const pocket_index *x) { return 2 * x->cells; }

/* Lower for a higher score, of equal ones for the lower number. */
static uint64_t rank_of(int32_t score, uint32_t cell) {
    return (uint64_t)(INT32_MAX - (uint32_t)score) << 32 | cell;
}

/* The rank of the worst that is taken. In numbers are the cells that are taken, in order, and with
 * them others of the worst one's step. Only that step is sorted, and no score decides a branch:
 * nobody can foretell which are near. */
static uint64_t worst_taken(const cell_steps *steps, const int32_t *scores, uint32_t count,
                            uint32_t wanted, uint64_t *ranks, uint32_t *numbers, uint32_t *found) {
    uint32_t in_step[STEPS] = {0}, shift = 0, step = 0, same = 0, kept = 0;
    int32_t highest, lowest;
    cell_bounds(steps, &lowest, &highest);
    while ((uint32_t)(highest - lowest) >> shift >= STEPS) shift++;
    for (uint32_t k = 0; k < count; k++) in_step[(uint32_t)(highest - scores[k]) >> shift]++;
    while (in_step[step] < wanted) wanted -= in_step[step++];
    highest -= (int32_t)(step << shift); /* of this step */
    lowest = highest - (int32_t)((1u << shift) - 1);
    for (uint32_t k = 0; k < count; k++) {
        numbers[kept] = k;
        kept += scores[k] >= lowest;
    }
    for (uint32_t i = 0; i < kept; i++) {
        ranks[same] = rank_of(scores[numbers[i]], numbers[i]);
        same += scores[numbers[i]] <= highest;
    }
    sort64(ranks, same);
    *found = kept;
    return ranks[wanted - 1];
}

/* The rank that no cell within the pruning threshold of the best one exceeds. A score here is of q
 * in place of 2 q - 15: two scores are half as far apart as those of docs/format.md. */
static uint64_t pruning_rank(const cell_steps *steps, const int32_t *scores, uint32_t count,
                             uint32_t pruning) {
    uint32_t squares = 0;
    int32_t best = scores[0];
    for (uint32_t i = 0; i < steps->bytes; i++)
        squares += (uint32_t)(steps->even[i] * steps->even[i] + steps->odd[i] * steps->odd[i]);
    for (uint32_t k = 1; k < count; k++) best = scores[k] > best ? scores[k] : best;
    return rank_of(best - (int32_t)(pruning * square_root(squares) / 2), UINT32_MAX);
}

uint32_t cells_near(const pocket_index *x, const sketch *s, uint32_t pruning, uint32_t *count,
                    uint64_t *scratch, stretch *stretches, pocket_error *error) {
    const uint8_t *centroids;
    uint64_t length;
    uint32_t status = block_get(x, x->by_kind[POCKET_CELLS], 0, 0, &centroids, &length, error),
             taken = 0, found;
    if (status) return status;
    cell_steps steps;
    cell_steps_of(&x->profile, s, &steps);
    int32_t *scores = (int32_t *)(scratch + x->cells);
    uint32_t *numbers = (uint32_t *)(scores + x->cells), end = 0;
    cell_scores(&steps, centroids, x->cells, x->profile.registers, scores);
    uint64_t worst = worst_taken(&steps, scores, x->cells, *count, scratch, numbers, &found),
             farthest = pruning ? pruning_rank(&steps, scores, x->cells, pruning) : worst;
    if (farthest < worst) worst = farthest;
    for (uint32_t i = 0; i < found; i++) {
        uint32_t k = numbers[i];
        if (rank_of(scores[k], k) > worst) continue;
        stretch *cell = &stretches[taken++];
        if ((status = stretch_of(x, centroids + (size_t)x->cells * steps.bytes, k, cell, error)))
            return status;
        /* Else a document would be compared as often as there are cells. */
        if (cell->first < end)
            return allowing(error, "at least %",
                            cells_wrong(error, 0, "first document of a cell", end, cell->first));
        end = cell->end;
    }
    *count = taken;
    return POCKET_OK;
}

uint32_t cells_verify(const pocket_index *x, pocket_error *error) {
    const uint8_t *bytes;
    uint64_t length;
    uint32_t status = block_get(x, x->by_kind[POCKET_CELLS], 0, 1, &bytes, &length, error),
             components = coarse_components(&x->profile), half = components / 2;
    size_t centroid = centroid_bytes(components);
    for (uint32_t k = 0; k < x->cells && !status; k++) {
        stretch unused;
        if (components % 2 && bytes[k * centroid + half] > 15)
            return cells_wrong(error, 0, "padding", 0, bytes[k * centroid + half]);
        status = stretch_of(x, bytes + x->cells * centroid, k, &unused, error);
    }
    return status;
}
