/* Under -fsanitize=thread: threads FILE ROUNDS [OTHER]. Four threads ask one index; four more open
 * FILE, ask and close it again and again. Where OTHER is given, a process writes its bytes and
 * those of FILE over each other in FILE meanwhile: an answer, or a refusal. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"

enum { TOGETHER = 4, ALONE = 4 };

static const char *path;
static uint64_t rounds;
static int overwritten;
static pocket_index *shared;

static uint64_t ask_all(const pocket_index *x) {
    uint64_t sum = 0, value = 0;
    for (uint32_t i = 0; i < TEXTS; i++) {
        ask_query(x, texts[i], 0, 40, &value, NULL);
        sum = fold(sum, value);
    }
    ask_find(x, "id 7", &value);
    sum = fold(sum, value);
    if (!ask_text(x, 3, &value)) sum = fold(sum, value);
    if (!ask_titles(x, "t", &value)) sum = fold(sum, value);
    return fold(sum, pocket_verify(x, NULL));
}

static void *together(void *unused) {
    uint64_t sum = ask_all(shared);
    (void)unused;
    for (uint64_t i = 1; i < rounds; i++)
        if (ask_all(shared) != sum && !overwritten) exit(1);
    return (void *)(uintptr_t)sum;
}

static void *alone(void *unused) {
    uint64_t sum = 0;
    (void)unused;
    for (uint64_t i = 0; i < rounds; i++) {
        pocket_index *x;
        uint32_t status = pocket_open_path(path, &x, NULL);
        if (status && !overwritten) exit(3);
        if (status) continue;
        sum = ask_all(x);
        pocket_close(x);
    }
    return (void *)(uintptr_t)sum;
}

/* In place, as `cp` does it, until it is ended. */
static void overwrite(const uint8_t *bytes, uint64_t length, const char *other) {
    uint64_t size;
    const uint8_t *instead = read_file(other, &size);
    for (int turn = 0;; turn = !turn) {
        int file = open(path, O_WRONLY | O_TRUNC);
        if (file < 0 || write(file, turn ? bytes : instead, turn ? length : size) < 0 ||
            close(file))
            _exit(1);
        usleep(300);
    }
}

int main(int count, char **arguments) {
    pthread_t threads[TOGETHER + ALONE];
    void *results[TOGETHER + ALONE];
    pid_t writer = 0;
    uint64_t length;
    if (count < 3) return 2;
    path = arguments[1];
    rounds = strtoull(arguments[2], NULL, 10);
    overwritten = count > 3;
    uint8_t *bytes = read_file(path, &length);
    if (pocket_open_path(path, &shared, NULL)) return 2;
    if (overwritten && (writer = fork()) == 0) overwrite(bytes, length, arguments[3]);
    for (int i = 0; i < TOGETHER + ALONE; i++)
        pthread_create(&threads[i], NULL, i < TOGETHER ? together : alone, NULL);
    for (int i = 0; i < TOGETHER + ALONE; i++) pthread_join(threads[i], &results[i]);
    if (writer) {
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
    }
    for (int i = 1; i < TOGETHER + ALONE && !overwritten; i++)
        if (results[i] != results[0]) return 4;
    pocket_close(shared);
    free(bytes);
    return 0;
}
