/* Shingles (docs/format.md 6.3): every few consecutive terms of a text as a hash, with the
 * place where they stand. Winnowing keeps few of them, and of a copied passage the same ones in
 * both texts (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003). */
#ifndef POCKET_WINNOWING_H
#define POCKET_WINNOWING_H

#include "text/shingles.h"

#define MOST_WINDOW 256u

/* The least hash of the last shingles, as many as a window has. */
typedef struct window {
    uint64_t hashes[MOST_WINDOW], numbers[MOST_WINDOW]; /* a ring: hashes rise from first on */
    uint32_t size, first, count;
    uint64_t number, kept; /* kept: 1 + number of the shingle that was kept last */
} window;

void window_begin(window *w, uint32_t size);
/* Put a shingle's hash behind the others. Is there a shingle to keep that was not kept before?
 * *hash becomes its hash. */
int window_push(window *w, uint64_t *hash);
/* At the end of a text that has fewer shingles than a window. */
int window_end(window *w, uint64_t *hash);

#endif
