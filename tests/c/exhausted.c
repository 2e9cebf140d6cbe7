/* Fail the Nth allocation, N = 1, 2, ... until all succeed: each time a status, never a crash or a
 * leak. The same for the Nth time that a call asks whether to end. exhausted FILE Compiled with
 * -Dmalloc=failing_malloc, which this file defines. */
#undef malloc
#include "ask.h"

static uint64_t allowed = UINT64_MAX;

void *failing_malloc(size_t size);

void *failing_malloc(size_t size) {
    if (allowed == 0) return NULL;
    allowed--;
    return malloc(size);
}

static uint64_t asked, patience;

static int ends(void *unused) {
    (void)unused;
    return ++asked > patience;
}

/* How many calls were ended; fewer and fewer of the many moments are tried. */
static uint64_t end_calls(const uint8_t *bytes, uint64_t length, const answers *good) {
    answers got;
    uint64_t ended = 0;
    ask_whether = ends;
    for (patience = 0, asked = 1; asked > patience; patience += 1 + patience / 3) {
        asked = 0;
        ask(bytes, length, &got);
        if (!same_or_refused(good, &got)) return 0;
        for (uint32_t i = 0; i < OPS; i++) ended += got.status[i] == POCKET_INTERRUPTED;
    }
    return ended;
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
        if (!same_or_refused(&good, &got))
            return printf("after %llu allocations: another answer\n", (unsigned long long)n), 1;
        for (uint32_t i = 0; i < OPS && !got.opened; i++)
            failures += got.status[i] == POCKET_NO_MEMORY;
        failures += got.opened == POCKET_NO_MEMORY;
        if (!exhausted) break;
    }
    allowed = UINT64_MAX;
    uint64_t ended = end_calls(bytes, length, &good);
    printf("%llu refusals for want of memory, %llu calls ended\n", (unsigned long long)failures,
           (unsigned long long)ended);
    free(bytes);
    return failures < 10 || ended < 10;
}
