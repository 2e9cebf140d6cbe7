#include "base/array.h"

#include "base/memory.h"

void *array_grow(void *memory, uint32_t *room, uint32_t used, uint32_t wanted, size_t size) {
    uint64_t more = *room ? *room : 16;
    if (wanted <= *room) return memory;
    while (more < wanted) more *= 2;
    void *grown =
        more > UINT32_MAX || more > SIZE_MAX / size ? NULL : pocket_malloc((size_t)more * size);
    if (!grown) return NULL;
    if (used) memcpy(grown, memory, used * size);
    pocket_free(memory);
    *room = (uint32_t)more;
    return grown;
}
