/* Eight threads ask one index, under -fsanitize=thread: threads FILE. */
#include <pthread.h>

#include "ask.h"

static void *work(void *argument) {
    const pocket_index *x = argument;
    uint64_t sum = 0;
    for (int round = 0; round < 40; round++)
        for (uint32_t i = 0; i < TEXTS; i++) {
            uint64_t value;
            ask_query(x, texts[i], 0, 40, &value);
            sum = round ? sum : fold(sum, value);
        }
    return (void *)(uintptr_t)sum;
}

int main(int count, char **arguments) {
    uint64_t length;
    pocket_index *x;
    pthread_t threads[8];
    void *results[8];
    if (count < 2) return 2;
    uint8_t *bytes = read_file(arguments[1], &length);
    if (pocket_open(bytes, length, &x, NULL)) return 2;
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, x);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], &results[i]);
    for (int i = 1; i < 8; i++)
        if (results[i] != results[0]) return 1;
    pocket_close(x);
    free(bytes);
    return 0;
}
