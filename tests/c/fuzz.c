/* libFuzzer: any bytes, as they are and sealed anew. clang -fsanitize=fuzzer,address,undefined tests/c/fuzz.c cbits/... */
#include "ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    answers a;
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    ask(copy, size, &a);
    seal(copy, size);
    ask(copy, size, &a);
    free(copy);
    return 0;
}
