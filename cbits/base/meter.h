/* Work counted while it is done, so that a call that takes long asks its caller now and then
 * whether to go on (pocket_on_interrupt). */
#ifndef POCKET_METER_H
#define POCKET_METER_H

#include <stdint.h>

#include "base/status.h"

#ifndef STEPS_BETWEEN /* harnesses ask more often */
#define STEPS_BETWEEN \
    65536u /* two questions; a step takes about 50 nanoseconds, so that they are some milliseconds \
              apart */
#endif

/* Of one call, begun by meter_of (file/container.h). */
typedef struct meter {
    int (*ask)(void *argument); /* other than 0: the call is to end */
    void *argument;
    uint64_t steps;
    int ended;
} meter;

#ifdef POCKET_FREESTANDING /* a page ends its worker */

static inline uint32_t interrupted(meter *m, uint64_t steps) {
    return (void)m, (void)steps, (uint32_t)POCKET_OK;
}

#else

static inline uint32_t meter_ask(meter *m) {
    if (!m->ended) {
        m->steps = 0;
        m->ended = m->ask && m->ask(m->argument);
    }
    if (!m->ended) return POCKET_OK;
    m->steps = STEPS_BETWEEN;
    return POCKET_INTERRUPTED;
}

/* Count so many steps more: POCKET_INTERRUPTED where the call is to end, from then on whatever is
 * counted. */
static inline uint32_t interrupted(meter *m, uint64_t steps) {
    return (m->steps += steps) < STEPS_BETWEEN ? (uint32_t)POCKET_OK : meter_ask(m);
}

#endif

/* The steps of bytes that are looked at one after the other. */
static inline uint64_t steps_of(uint64_t bytes) { return bytes / 128 + 1; }

#endif
