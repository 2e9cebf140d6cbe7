/* Chooses the sources from the passages that were found (docs/format.md, section 9). */
#ifndef POCKET_CHOOSE_SOURCES_H
#define POCKET_CHOOSE_SOURCES_H

#include "base/meter.h"
#include "pocket.h"
#include "query/passages_found.h"

#define MOST_SOURCES 1000u
#define DEFAULT_SOURCES 100u /* a long text has many */

/* Join the passages of each document, and choose at most most sources of a text. terms: the length
 * of the text. Returns 0 if there is no memory, or the call was interrupted. */
int choose_sources(passages_found *p, uint32_t terms, uint32_t most, meter *steps,
                   pocket_sources_found **found);

#endif
