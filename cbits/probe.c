/* Sets of moves in order of (cost, mask). From a set whose highest move is i come two: i replaced by i + 1, and i + 1 added. Both cost
 * no less and have the larger mask, so a heap yields every set once, in order. */
#include "probe.h"

#include "hash.h"
#include "memory.h"
#include "sketch.h"

typedef struct move {
    uint64_t delta; /* what it adds to a radix key, modulo 2^64 */
    uint32_t cost, component;
    int step;         /* -1 or +1 */
    uint32_t against; /* the move of the same component the other way, or itself */
} move;

static int before(const probe_node *a, const probe_node *b) {
    return a->cost < b->cost || (a->cost == b->cost && a->mask < b->mask);
}

static void push(probe_node *heap, uint32_t *size, probe_node node) {
    uint32_t i = (*size)++;
    for (; i > 0 && before(&node, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = node;
}

static probe_node pop(probe_node *heap, uint32_t *size) {
    probe_node least = heap[0], last = heap[--*size];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= *size) break;
        if (child + 1 < *size && before(&heap[child + 1], &heap[child])) child++;
        if (!before(&heap[child], &last)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return least;
}

/* Insert by (cost, component, step); the dearest falls off the end. Moves come in order of component and step, so equal costs stay behind. */
static void insert(move *moves, uint32_t *count, move m) {
    uint32_t i = *count;
    if (i == POCKET_MAX_MOVES && m.cost >= moves[i - 1].cost) return;
    if (i == POCKET_MAX_MOVES) i--;
    else ++*count;
    for (; i > 0 && m.cost < moves[i - 1].cost; i--) moves[i] = moves[i - 1];
    moves[i] = m;
}

static uint32_t collect(const profile *p, const sub_key *key, const sketch *s, move *moves) {
    uint32_t count = 0;
    uint64_t weight = 1;
    for (uint32_t j = key->first; j < key->first + key->count; j++) {
        if (s->down[j] != POCKET_NO_MOVE) insert(moves, &count, (move){0 - weight, s->down[j], j, -1, 0});
        if (s->up[j] != POCKET_NO_MOVE) insert(moves, &count, (move){weight, s->up[j], j, 1, 0});
        weight *= component_intervals(p, j);
    }
    for (uint32_t i = 0; i < count; i++) {
        moves[i].against = i;
        for (uint32_t k = 0; k < count; k++)
            if (k != i && moves[k].component == moves[i].component) moves[i].against = k;
    }
    return count;
}

static uint64_t hashed_key(const sub_key *key, const sketch *s, const move *moves, uint32_t count, uint32_t mask) {
    uint8_t digits[4096];
    memcpy(digits, s->digits + key->first, key->count);
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i & 1) digits[moves[i].component - key->first] = (uint8_t)(digits[moves[i].component - key->first] + moves[i].step);
    return pocket_murmur(digits, key->count);
}

uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys, probe_node *heap) {
    const sub_key *key = &p->keys[t];
    move moves[POCKET_MAX_MOVES];
    uint32_t found = 1, size = 0;
    keys[0] = sub_key_of_digits(p, t, s->digits + key->first);
    if (limit < 2) return 1;
    uint32_t count = collect(p, key, s, moves);
    if (count > 0) push(heap, &size, (probe_node){moves[0].cost, keys[0] + moves[0].delta, 1, 0});
    while (size > 0 && found < limit) {
        probe_node n = pop(heap, &size);
        uint32_t i = n.top, clash = moves[i].against != i && (n.mask >> moves[i].against & 1);
        if (!clash) keys[found++] = key->hashed ? hashed_key(key, s, moves, count, n.mask) : n.key;
        if (i + 1 == count) continue;
        const move *next = &moves[i + 1];
        uint32_t without = n.mask & ~(1u << i);
        push(heap, &size, (probe_node){n.cost - moves[i].cost + next->cost, n.key - moves[i].delta + next->delta, without | 1u << (i + 1), i + 1});
        /* A set with a clash stays one when moves are added. */
        if (!clash) push(heap, &size, (probe_node){n.cost + next->cost, n.key + next->delta, n.mask | 1u << (i + 1), i + 1});
    }
    return found;
}
