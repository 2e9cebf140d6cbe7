/* The choice among what the search for sources has found (docs/format.md, section 9). */
#ifndef POCKET_CHOOSE_SOURCES_H
#define POCKET_CHOOSE_SOURCES_H

#include "base/meter.h"
#include "file/container.h"
#include "query/sources/matches.h"

#define MOST_SOURCES 1000u
/* Shingles of one document in a neighbourhood are evidence together. In a passage whose words were
 * changed they are far apart. */
#define NEIGHBOURHOOD 80u /* terms */

/* Make the passages of each document and choose most sources. Returns 0 where there is no memory,
 * or the call was interrupted. */
int choose_sources(const pocket_index *x, const term_places *places, matches *matches,
                   uint32_t most, meter *steps, pocket_sources_found **found);

#endif
