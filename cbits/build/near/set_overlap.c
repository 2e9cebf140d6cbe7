/* Which sets may be near to one of some others, told by a table in which the hashes of these are
 * marked. Hashes may share a slot: that lets in a set that is near to none, and leaves out none
 * that is near. */
#include "build/near/sharing.h"

#define AHEAD 16u /* hashes whose slots are on their way from memory */

void pocket_hashes_mark(const uint64_t *hashes, size_t count, uint32_t bits, uint8_t *marked) {
    for (size_t i = 0; i < count; i++) marked[hashes[i] >> (64 - bits)] = 1;
}

/* Hashes that a set of this size shares at least with a near one: by the Jaccard similarity so much
 * of all of its own, by containment so much of as many as the smallest of the others has. */
static uint64_t least_marked(const pocket_sets *sets, uint64_t size, uint64_t smallest) {
    if (sets->measure == POCKET_CONTAINMENT && smallest < size) size = smallest;
    return share_rounded_up(size, sets->least, POCKET_SHARES);
}

/* A set that is near to none is left after about as many hashes as it may have for itself. */
void pocket_sets_overlap(const pocket_sets *sets, const uint8_t *marked, uint32_t bits,
                         uint64_t smallest, uint8_t *may) {
    for (uint32_t text = 0; text < sets->count; text++) {
        const uint64_t *set = sets->hashes + sets->starts[text];
        uint64_t size = set_size(sets, text), others = 0;
        uint64_t most_others = size - least_marked(sets, size, smallest);
        for (uint64_t i = 0; i < size && others <= most_others; i++) {
#ifdef __GNUC__
            if (i + AHEAD < size) __builtin_prefetch(&marked[set[i + AHEAD] >> (64 - bits)], 0);
#endif
            others += !marked[set[i] >> (64 - bits)];
        }
        may[text] = others <= most_others;
    }
}
