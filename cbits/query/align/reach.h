/* Follows a passage beyond an alignment, over terms in which the two texts differ. */
#ifndef POCKET_REACH_H
#define POCKET_REACH_H

#include <stdint.h>

#define MOST_REACH 64u /* terms of the segment */
#define SLANT 3u       /* by how many terms the two sides may differ in length */

/* How far a passage goes on: terms of the segment and of the document, how many of them are the
 * same, and by how much these outnumber what differs. */
typedef struct reach {
    uint32_t terms, own, same, value;
} reach;

/* Follow a passage that ends before asked[0] and own[0], or begins with them if back is set; left,
 * own_left: the terms that there are on that side. */
reach reach_over(const uint32_t *asked, uint32_t left, const uint32_t *own, uint32_t own_left,
                 int back);

#endif
