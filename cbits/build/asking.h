/* Calls of the building half that may take long ask now and then whether to go on. They ask seldom:
 * the answer waits until Python lets another thread in. */
#ifndef POCKET_ASKING_H
#define POCKET_ASKING_H

#include "base/meter.h"
#include "build/pocket_build.h"

#define ASKED_OF 8u /* questions of a meter, of which one is asked: about every 20 milliseconds */

typedef struct asking {
    pocket_interrupt ask;
    uint32_t waited;
} asking;

static inline int ask_seldom(void *argument) {
    asking *a = argument;
    return ++a->waited % ASKED_OF == 0 && a->ask(NULL);
}

/* A meter that asks through a, which stays as long; ask: NULL for never. */
static inline meter meter_asking(asking *a, pocket_interrupt ask) {
    *a = (asking){ask, 0};
    return (meter){ask ? ask_seldom : NULL, a, 0, 0};
}

#endif
