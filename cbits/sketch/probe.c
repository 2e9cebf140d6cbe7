/* Sets of moves in order of (level, mask). A set of level s whose highest move is i is a set of
 * level s - q_i of lower moves, with i added: level after level, each set is made from an earlier
 * one by one addition, and none twice. */
#include "sketch/probe.h"

#include "base/hashes/hash.h"
#include "base/memory.h"
#include "sketch/sketch.h"

#define LEVELS 1024u /* 0 .. 1023 */
#define FINENESS 64u

typedef struct move {
    uint64_t delta;                  /* what it adds to a radix key, modulo 2^64 */
    uint32_t cost, component, place; /* place: of the component's digit in the key */
    int step;                        /* -1 or +1 */
    uint32_t level;                  /* its cost in units */
    uint32_t against;                /* the move of the same component the other way, as a bit */
} move;

/* Insert by (cost, component, step); the dearest falls off the end. Moves come in order of
 * component and step, so equal costs stay behind. */
static void insert(move *moves, uint32_t *count, move m) {
    uint32_t i = *count;
    if (i == POCKET_MAX_MOVES && m.cost >= moves[i - 1].cost) return;
    if (i == POCKET_MAX_MOVES)
        i--;
    else
        ++*count;
    for (; i > 0 && m.cost < moves[i - 1].cost; i--) moves[i] = moves[i - 1];
    moves[i] = m;
}

static uint32_t collect(const profile *p, const sub_key *key, const sketch *s, move *moves) {
    uint32_t count = 0;
    uint64_t weight = 1;
    uint32_t place = 0;
    for (const key_row *row = key->rows; row < key->rows + key->row_count; row++)
        for (uint32_t j = row->first; j < row->first + row->count; j++, place++) {
            if (s->down[j] != POCKET_NO_MOVE)
                insert(moves, &count, (move){0 - weight, s->down[j], j, place, -1, 0, 0});
            if (s->up[j] != POCKET_NO_MOVE)
                insert(moves, &count, (move){weight, s->up[j], j, place, 1, 0, 0});
            weight *= component_intervals(p, j);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (k != i && moves[k].component == moves[i].component) moves[i].against = 1u << k;
    return count;
}

/* The unit is such that the sets of the first moves, as many as limit asks for, lie on about
 * FINENESS levels. */
static void set_levels(move *moves, uint32_t count, uint32_t limit) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count && limit >> i != 0; i++) sum += moves[i].cost;
    uint64_t unit = sum / FINENESS + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t level = moves[i].cost / unit;
        moves[i].level = level == 0 ? 1 : level < LEVELS ? (uint32_t)level : LEVELS;
    }
}

static uint64_t hashed_key(const sub_key *key, const sketch *s, const move *moves, uint32_t count,
                           uint32_t mask) {
    uint8_t digits[4096];
    uint32_t copied = 0;
    for (const key_row *row = key->rows; row < key->rows + key->row_count; copied += row++->count)
        memcpy(digits + copied, s->digits + row->first, row->count);
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i & 1)
            digits[moves[i].place] = (uint8_t)(digits[moves[i].place] + moves[i].step);
    return murmur(digits, key->count);
}

/* Add a move to the sets from .. end - 1 that have lower moves alone. */
static uint32_t extend(const move *m, uint32_t bit, uint32_t from, uint32_t end, uint32_t limit,
                       uint32_t found, uint64_t *keys, uint32_t *masks) {
    if (end - from > limit - found && m->against == 0) end = from + (limit - found);
    for (uint32_t e = from; e < end && masks[e] < bit && found < limit; e++) {
        masks[found] = masks[e] | bit;
        keys[found] = keys[e] + m->delta;
        found += (masks[e] & m->against) == 0;
    }
    return found;
}

/* Probes of a sum: one more or less for each of the cheapest moves that way. */
static uint32_t probe_sums(const move *moves, uint32_t count, uint32_t limit, uint64_t *keys) {
    uint32_t found = 1, next[2] = {0, 0};
    uint64_t cost[2] = {0, 0}, way[2] = {0, 0};
    while (found < limit) {
        for (int up = 0; up < 2; up++)
            while (next[up] < count && (moves[next[up]].step > 0) != up) next[up]++;
        if (next[0] == count && next[1] == count) break;
        uint64_t down = next[0] < count ? cost[0] + moves[next[0]].cost : UINT64_MAX,
                 above = next[1] < count ? cost[1] + moves[next[1]].cost : UINT64_MAX;
        int up = above < down;
        cost[up] = up ? above : down;
        way[up]++;
        next[up]++;
        keys[found++] = up ? keys[0] + way[1] : keys[0] - way[0];
    }
    return found;
}

uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys,
                    uint32_t *masks) {
    const sub_key *key = &p->keys[t];
    move moves[POCKET_MAX_MOVES];
    uint32_t starts[LEVELS + 1], found = 1;
    keys[0] = sub_key_of_digits(p, t, s->digits);
    masks[0] = 0;
    if (limit < 2) return 1;
    uint32_t count = collect(p, key, s, moves);
    if (key->summed) return probe_sums(moves, count, limit, keys);
    set_levels(moves, count, limit);
    starts[0] = 0;
    for (uint32_t level = 1; level < LEVELS && found < limit; level++) {
        starts[level] = found;
        for (uint32_t i = 0; i < count && moves[i].level <= level; i++) {
            const move *m = &moves[i];
            uint32_t from = starts[level - m->level], end = starts[level - m->level + 1];
            found = extend(m, 1u << i, from, end, limit, found, keys, masks);
        }
    }
    if (key->hashed)
        for (uint32_t e = 1; e < found; e++) keys[e] = hashed_key(key, s, moves, count, masks[e]);
    return found;
}
