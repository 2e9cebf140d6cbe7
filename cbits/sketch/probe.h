/* Probes of a sub-key, cheapest first (docs/format.md 2.2; multi-probe LSH, Lv et al. 2007). */
#ifndef POCKET_PROBE_H
#define POCKET_PROBE_H

#include "sketch/profile.h"

#define POCKET_MAX_PROBES 65536u
#define POCKET_MAX_MOVES 32u

/* The first keys of table t's probes, at most limit; masks is scratch of limit elements. Returns
 * how many there are. */
uint32_t probe_keys(const profile *p, uint32_t t, const sketch *s, uint32_t limit, uint64_t *keys,
                    uint32_t *masks);

#endif
