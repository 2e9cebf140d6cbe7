/* Memory for a free-standing wasm32 module: a first-fit list of free blocks over what lies behind
 * the module's own data. */
#ifdef POCKET_FREESTANDING

#include "base/memory.h"

#include <stdint.h>

#define PAGE 65536u
#define UNIT 16u

extern unsigned char __heap_base;

/* A block's head, UNIT bytes before what the caller gets. next is used in free blocks only, which
 * are kept in order of address. */
typedef struct block {
    size_t size; /* without the head */
    struct block *next;
} block;

/* The module is an instance of its own with one thread: its heap is its memory, and the one piece
 * of state the core has anywhere. */
static block *freed;
static uintptr_t top;

static block *grow_heap(size_t size) {
    if (top == 0) top = ((uintptr_t)&__heap_base + UNIT - 1) / UNIT * UNIT;
    uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    if (size + UNIT > end - top) {
        size_t pages = (size + UNIT - (end - top) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    }
    block *b = (block *)top;
    b->size = size;
    top += UNIT + size;
    return b;
}

void *pocket_malloc(size_t size) {
    if (size > (size_t)1 << 30) return NULL;
    size = (size + UNIT - 1) / UNIT * UNIT;
    for (block **link = &freed; *link; link = &(*link)->next) {
        block *b = *link;
        if (b->size < size) continue;
        if (b->size >= size + 2 * UNIT) {
            block *rest = (block *)((uintptr_t)b + UNIT + size);
            rest->size = b->size - size - UNIT;
            rest->next = b->next;
            *link = rest;
            b->size = size;
        } else {
            *link = b->next;
        }
        return (unsigned char *)b + UNIT;
    }
    block *b = grow_heap(size);
    return b ? (unsigned char *)b + UNIT : NULL;
}

static void join(block *b) {
    while (b->next && (uintptr_t)b + UNIT + b->size == (uintptr_t)b->next) {
        b->size += UNIT + b->next->size;
        b->next = b->next->next;
    }
}

void pocket_free(void *memory) {
    if (!memory) return;
    block *b = (block *)((unsigned char *)memory - UNIT), *before = NULL;
    for (block *f = freed; f && f < b; f = f->next) before = f;
    b->next = before ? before->next : freed;
    if (before)
        before->next = b;
    else
        freed = b;
    join(b);
    if (before) join(before);
}

void *memcpy(void *to, const void *from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (size--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) return memcpy(to, from, size);
    while (size--) t[size] = f[size];
    return to;
}

void *memset(void *to, int value, size_t size) {
    unsigned char *t = to;
    while (size--) *t++ = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = a, *y = b;
    for (; size; size--, x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

#else
typedef int memory_wasm_is_empty; /* a translation unit may not be */
#endif
