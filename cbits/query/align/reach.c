/* An alignment in a narrow band, which ends where too little is the same (docs/format.md, section
 * 9.3). */
#include "query/align/reach.h"

#define BAND ((int)(2 * SLANT + 1))
#define DROP 8 /* how far a score may fall below the best one */

/* A cell is its score in the upper bits, so that it is never negative, and the number of terms that
 * are the same in the lower ones. */
enum { NO_CELL = 0, POINT = 1024, ZERO = 4096 * POINT };

reach reach_over(const uint32_t *asked, uint32_t left, const uint32_t *own, uint32_t own_left,
                 int back) {
    int32_t row[BAND], best = ZERO + POINT - 1, most = best;
    reach found = {0};
    if (left > MOST_REACH) left = MOST_REACH;
    for (int k = 0; k < BAND; k++)
        row[k] = k < (int)SLANT ? NO_CELL : ZERO - POINT * (k - (int)SLANT);
    for (int i = 1; i <= (int)left && most / POINT >= best / POINT - DROP; i++) {
        uint32_t term = asked[back ? -i : i - 1];
        most = NO_CELL;
        for (int k = 0; k < BAND; k++) {
            int j = i + k - (int)SLANT, same = 0;
            if (j < 0 || (uint32_t)j > own_left) {
                row[k] = NO_CELL;
                continue;
            }
            if (j > 0) same = own[back ? -j : j - 1] == term;
            int32_t cell = j > 0 ? row[k] + (same ? POINT + 1 : -POINT) : NO_CELL;
            int32_t above = k + 1 < BAND ? row[k + 1] - POINT : NO_CELL,
                    beside = k > 0 ? row[k - 1] - POINT : NO_CELL;
            if (above > cell || beside > cell) {
                cell = above > beside ? above : beside;
                same = 0;
            }
            row[k] = cell;
            if (cell > most) most = cell;
            if (!same || cell <= best) continue;
            best = cell;
            found = (reach){(uint32_t)i, (uint32_t)j, (uint32_t)(cell % POINT),
                            (uint32_t)((cell - ZERO) / POINT)};
        }
    }
    return found;
}
