/* The stored sketches nearest to a text's by Hamming distance, out of some runs of them or all, in
 * one pass (docs/format.md, section 8). Only where all intervals are two. */
#ifndef POCKET_SCAN_H
#define POCKET_SCAN_H

#include "file/container.h"

/* Sketches that a scan looks at closely: at least so many, and so many times the hits asked for;
 * both for each whole coarse code that a sketch has, because a wider one is to rank finer. */
#ifndef SCAN_LEAST /* tests with few documents look at fewer */
#define SCAN_LEAST 512u
#endif
#define SCAN_TIMES 4u

/* A file is scanned by default up to so many bits of sketches, where they are in memory: from there
 * on cells, or tables where there are none, find nearly as much in less time (docs/decisions.md,
 * 14). */
#define SCANNED_BITS (1ull << 27)
#define SCANNED_BITS_WITH_CELLS (1ull << 25)
/* From far away a first answer of a file without cells: 2 MB of sketches and a read or two. */
#define SCANNED_BITS_FIRST (1ull << 24)

/* How deep a scan for so many hits goes: all documents at most. */
uint32_t scan_depth(const pocket_index *index, uint32_t hits);
/* Entries that nearest needs room for. */
uint32_t scan_room(uint32_t depth);
/* Of the documents in count stretches, which rise, put the depth nearest to the packed sketch own
 * (of equal ones those with lower numbers), or all there are, into nearest as distance << 32 |
 * document, rising by document; *found becomes their number. A block that is not at hand is passed
 * over, and POCKET_NOT_AT_HAND returned in the end. */
uint32_t scan_run(const pocket_index *index, const uint8_t *own, uint32_t depth,
                  const stretch *stretches, uint32_t count, uint64_t *nearest, uint32_t *found,
                  meter *steps, pocket_error *error);

#endif
