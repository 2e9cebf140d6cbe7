/* Integer square root. */
#ifndef POCKET_ROOT_H
#define POCKET_ROOT_H

#include <stdint.h>

static inline uint32_t square_root(uint64_t x) {
    uint64_t root = 0, bit = 1ull << 62;
    while (bit > x) bit >>= 2;
    for (; bit != 0; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint32_t)root;
}

#endif
