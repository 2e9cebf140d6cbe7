/* The cosine of two texts by the words of both (docs/format.md, section 8). */
#ifndef POCKET_TEXT_COSINE_H
#define POCKET_TEXT_COSINE_H

#include "base/meter.h"
#include "sketch/bag.h"
#include "sketch/profile.h"

/* Read a text, in the place of the one before. 0 where memory ran out or the call was interrupted.
 */
int bag_read(bag *b, const profile *p, const uint8_t *text, uint64_t length, meter *steps);
/* The cosine of an asked text and a document's, in ten-thousandths, at most 9999; *shared becomes
 * how many distinct terms both have. */
uint32_t bag_cosine(const bag *asked, const bag *document, uint32_t *shared);

#endif
