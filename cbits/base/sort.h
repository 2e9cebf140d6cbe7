/* Sorting without recursion and bad cases: heapsort needs no memory, radix sort as much again. */
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

/* Make a heap with the largest on top. */
static inline void heap64(uint64_t *a, uint32_t size) {
    for (uint32_t i = size / 2; i-- > 0;) sift64(a, i, size);
}

static inline void sort64(uint64_t *a, uint32_t size) {
    heap64(a, size);
    while (size > 1) {
        uint64_t largest = a[0];
        a[0] = a[--size];
        a[size] = largest;
        sift64(a, 0, size);
    }
}

/* Sort by the bits from .. to - 1 alone, keeping the order of equal ones; scratch has room for
 * size. */
static inline void radix_sort64(uint64_t *a, uint64_t *scratch, uint32_t size, uint32_t from,
                                uint32_t to) {
    uint64_t *source = a, *target = scratch;
    for (uint32_t shift = from; shift < to; shift += 8) {
        uint32_t ends[257] = {0};
        for (uint32_t i = 0; i < size; i++) ends[1 + (source[i] >> shift & 255)]++;
        for (uint32_t i = 0; i < 255; i++) ends[i + 1] += ends[i];
        for (uint32_t i = 0; i < size; i++) target[ends[source[i] >> shift & 255]++] = source[i];
        uint64_t *swap = source;
        source = target;
        target = swap;
    }
    if (source != a)
        for (uint32_t i = 0; i < size; i++) a[i] = source[i];
}

#endif
