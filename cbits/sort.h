/* Heapsort: no recursion, no memory, no bad case. */
#ifndef POCKET_SORT_H
#define POCKET_SORT_H

#include <stdint.h>

static inline void sift64(uint64_t *a, uint32_t i, uint32_t size) {
    uint64_t value = a[i];
    for (uint32_t child; (child = 2 * i + 1) < size; i = child) {
        if (child + 1 < size && a[child + 1] > a[child]) child++;
        if (a[child] <= value) break;
        a[i] = a[child];
    }
    a[i] = value;
}

static inline void sort64(uint64_t *a, uint32_t size) {
    for (uint32_t i = size / 2; i-- > 0;) sift64(a, i, size);
    while (size > 1) {
        uint64_t largest = a[0];
        a[0] = a[--size];
        a[size] = largest;
        sift64(a, 0, size);
    }
}

#endif
