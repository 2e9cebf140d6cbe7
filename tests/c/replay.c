/* Ask the files of a corpus as the fuzzer asks them: replay FILE ... */
#include "ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **paths) {
    for (int i = 1; i < count; i++) {
        uint64_t length;
        uint8_t *bytes = read_file(paths[i], &length);
        fprintf(stderr, "%s\n", paths[i]);
        LLVMFuzzerTestOneInput(bytes, (size_t)length);
        free(bytes);
    }
    printf("%d\n", count - 1);
    return 0;
}
