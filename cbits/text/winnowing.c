#include "text/winnowing.h"

void window_begin(window *w, uint32_t size) {
    w->size = size;
    w->first = w->count = 0;
    w->number = w->kept = 0;
}

/* Of equal hashes the later one goes: they are one key. */
static int keep_least(window *w, uint64_t *hash) {
    uint64_t number = w->numbers[w->first];
    if (w->kept == number + 1) return 0;
    w->kept = number + 1;
    *hash = w->hashes[w->first];
    return 1;
}

int window_push(window *w, uint64_t *hash) {
    uint64_t number = w->number++;
    if (w->count && w->numbers[w->first] + w->size <= number) {
        w->first = (w->first + 1) % MOST_WINDOW;
        w->count--;
    }
    while (w->count && w->hashes[(w->first + w->count - 1) % MOST_WINDOW] > *hash) w->count--;
    uint32_t last = (w->first + w->count++) % MOST_WINDOW;
    w->hashes[last] = *hash;
    w->numbers[last] = number;
    return number + 1 >= w->size && keep_least(w, hash);
}

int window_end(window *w, uint64_t *hash) {
    return w->number && w->number < w->size && keep_least(w, hash);
}
