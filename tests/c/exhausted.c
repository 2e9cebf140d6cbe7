/* Fail the Nth allocation, N = 1, 2, ... until all succeed: each time a status, never a crash or a leak. exhausted FILE
 * Compiled with -Dmalloc=failing_malloc, which this file defines. */
#undef malloc
#include "ask.h"

static uint64_t allowed = UINT64_MAX;

void *failing_malloc(size_t size);

void *failing_malloc(size_t size) {
    if (allowed == 0) return NULL;
    allowed--;
    return malloc(size);
}

int main(int count, char **arguments) {
    uint64_t length, failures = 0;
    if (count < 2) return 2;
    uint8_t *bytes = read_file(arguments[1], &length);
    answers good, got;
    ask(bytes, length, &good);
    for (uint64_t n = 0;; n++) {
        allowed = n;
        ask(bytes, length, &got);
        int exhausted = allowed == 0;
        if (!same_or_refused(&good, &got)) return printf("after %llu allocations: another answer\n", (unsigned long long)n), 1;
        for (uint32_t i = 0; i < OPS && !got.opened; i++) failures += got.status[i] == POCKET_NO_MEMORY;
        failures += got.opened == POCKET_NO_MEMORY;
        if (!exhausted) break;
    }
    printf("%llu refusals for want of memory\n", (unsigned long long)failures);
    free(bytes);
    return failures < 10;
}
