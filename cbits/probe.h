/* Probes of a sub-key, best first (docs/format.md 2.2; multi-probe LSH, Lv et al. 2007). */
#ifndef POCKET_PROBE_H
#define POCKET_PROBE_H

#include "profile.h"

#define POCKET_MAX_PROBES 65536u
#define POCKET_MAX_MOVES 32u

/* A node of the search; scratch for probe_keys. */
typedef struct probe_node {
    uint64_t cost, key;
    uint32_t mask, top;
} probe_node;

/* The first keys of table t's probes, at most limit; heap has room for limit + 1 nodes. Returns how many there are. */
uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys, probe_node *heap);

#endif
