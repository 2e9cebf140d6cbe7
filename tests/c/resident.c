/* Heap that opening a file and asking for sources take at most, in bytes. */
#include "pocket.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static size_t held, most;

void *__real_malloc(size_t size);
void __real_free(void *memory);

void *__wrap_malloc(size_t size) {
    void *memory = __real_malloc(size);
    held += memory ? malloc_usable_size(memory) : 0;
    if (held > most) most = held;
    return memory;
}

void __wrap_free(void *memory) {
    held -= memory ? malloc_usable_size(memory) : 0;
    __real_free(memory);
}

int main(int count, char **arguments) {
    static uint8_t text[1 << 20];
    pocket_index *index;
    pocket_error error;
    pocket_sources_found *found;
    if (count != 3 || pocket_open_path(arguments[1], &index, &error)) return 1;
    printf("%zu", held);
    FILE *file = fopen(arguments[2], "rb");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    most = held;
    if (pocket_sources(index, text, length, NULL, &found, &error)) return 1;
    printf(" %zu %u\n", most, found->count);
    pocket_sources_free(found);
    pocket_close(index);
    return held != 0;
}
