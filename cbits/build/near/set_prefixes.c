/* Which hashes of a set its near ones are looked for by (prefix filtering: Chaudhuri, Ganti,
 * Kaushik, 2006): two sets that share most of their hashes share one of the rarest of each. What is
 * rare is told by a table of counts, in which several hashes may share a slot: a wrong count makes
 * the order a worse one, and never loses a pair, as the order is the same for every set. */
#include "base/memory.h"
#include "build/near/sharing.h"

#define AHEAD 16u /* hashes whose slots are on their way from memory */
#define COUNTS 256u

static uint64_t slot(uint64_t hash, uint32_t bits) { return hash >> (64 - bits); }

void pocket_sets_count(const pocket_sets *sets, uint32_t from, uint32_t to, uint32_t bits,
                       uint8_t *counts) {
    for (uint32_t text = from; text < to; text++) {
        const uint64_t *set = sets->hashes + sets->starts[text];
        uint64_t size = set_size(sets, text);
        for (uint64_t i = 0; i < size; i++) {
#ifdef __GNUC__
            if (i + AHEAD < size) __builtin_prefetch(&counts[slot(set[i + AHEAD], bits)], 1);
#endif
            uint8_t *own = &counts[slot(set[i], bits)];
            *own = (uint8_t)(*own + (*own < COUNTS - 1));
        }
    }
}

/* The first hashes of a set are those with a count below `below`, and the least `more` of those
 * that have that count. */
typedef struct first_hashes {
    uint32_t below;
    uint64_t more;
} first_hashes;

static first_hashes first_of(const uint64_t *having, uint64_t size) {
    first_hashes found = {0, size};
    while (found.more > having[found.below]) found.more -= having[found.below++];
    return found;
}

static int is_among(first_hashes *first, uint32_t count) {
    if (count != first->below) return count < first->below;
    if (!first->more) return 0;
    first->more--;
    return 1;
}

size_t pocket_sets_prefixes(const pocket_sets *sets, uint32_t from, uint32_t to,
                            const uint8_t *counts, uint32_t bits, uint64_t *keys, uint32_t *texts) {
    size_t used = 0;
    for (uint32_t text = from; text < to; text++) {
        const uint64_t *set = sets->hashes + sets->starts[text];
        uint64_t size = set_size(sets, text), having[COUNTS] = {0};
        for (uint64_t i = 0; i < size; i++) having[counts[slot(set[i], bits)]]++;
        first_hashes any = first_of(having, prefix_for_any(sets, size));
        first_hashes larger = first_of(having, prefix_for_larger(sets, size));
        for (uint64_t i = 0; i < size; i++) {
            uint32_t count = counts[slot(set[i], bits)];
            uint32_t for_larger = (uint32_t)is_among(&larger, count);
            if (!is_among(&any, count) || count < 2) continue; /* no other set has it */
            keys[used] = set[i];
            texts[used++] = text << 1 | for_larger;
        }
    }
    return used;
}
