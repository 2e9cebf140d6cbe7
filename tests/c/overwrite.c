/* A file that is overwritten in place while it is asked: overwrite COUNT SEED LIVE FILE FILE ... In
 * each of COUNT rounds LIVE is a copy of one of the files, chosen at random, and a thread writes
 * another one over it at a random moment, as cp does or without truncating it first, while it is
 * opened and asked. Exit 0 when every answer was that of one of the two files, of the same one
 * through a round, or an error. To be run under sanitizers. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"

enum {
    CHUNK = 4096,
    TICK = 12000000,
    OPENING = 200000
}; /* nanoseconds: longer than a tick of the clock that stamps files; in which a file is opened */

typedef struct content {
    uint8_t *bytes;
    uint64_t length, time; /* nanoseconds that asking takes */
    answers answers;
} content;

typedef struct writing {
    const char *path;
    const content *content;
    uint64_t wait;
    int truncates;
    atomic_int done;
} writing;

static uint64_t next(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15ull;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static void wait_for(uint64_t nanoseconds) {
    nanosleep(
        &(struct timespec){(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)},
        NULL);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void write_over(const char *path, const content *c, int truncates) {
    int file = open(path, O_WRONLY | O_CREAT | (truncates ? O_TRUNC : 0), 0600);
    if (file < 0) exit(2);
    for (uint64_t at = 0; at < c->length; at += CHUNK) {
        size_t size = c->length - at < CHUNK ? (size_t)(c->length - at) : CHUNK;
        if (write(file, c->bytes + at, size) != (ssize_t)size) exit(2);
    }
    if (ftruncate(file, (off_t)c->length) || close(file)) exit(2);
}

static void *overwrite(void *argument) {
    writing *w = argument;
    wait_for(w->wait);
    write_over(w->path, w->content, w->truncates);
    atomic_store(&w->done, 1);
    return NULL;
}

static uint32_t ask_path(const char *path, answers *a) {
    pocket_index *x;
    memset(a, 0, sizeof *a);
    a->opened = pocket_open_path(path, &x, NULL);
    if (a->opened) return a->opened;
    ask_index(x, a);
    pocket_close(x);
    return 0;
}

/* How many answers of one open file, asked until it was overwritten and once more, are not those of
 * a; errors: how many were refused. */
static int not_of(const content *c, const answers *got, uint64_t *errors) {
    int wrong = 0;
    for (uint32_t i = 0; i < OPS; i++) {
        if (got->status[i] >= POCKET_NO_MEMORY)
            ++*errors;
        else
            wrong += got->status[i] != c->answers.status[i] || got->value[i] != c->answers.value[i];
    }
    return wrong;
}

int main(int count, char **arguments) {
    if (count < 6) return 2;
    uint64_t rounds = strtoull(arguments[1], NULL, 10), state = strtoull(arguments[2], NULL, 10),
             errors = 0, asked = 0, refused = 0;
    const char *live = arguments[3];
    uint32_t files = (uint32_t)count - 4;
    content *contents = calloc(files, sizeof *contents);
    if (!contents) return 2;
    for (uint32_t i = 0; i < files; i++) {
        contents[i].bytes = read_file(arguments[4 + i], &contents[i].length);
        uint64_t start = now();
        if (ask_path(arguments[4 + i], &contents[i].answers) || contents[i].answers.status[OPS - 1])
            return printf("%s is refused\n", arguments[4 + i]), 2;
        contents[i].time = now() - start;
    }
    for (uint64_t round = 0; round < rounds; round++) {
        const content *before = &contents[next(&state) % files],
                      *after = &contents[next(&state) % files];
        writing w = {.path = live, .content = after, .truncates = (int)(next(&state) & 1)};
        int early = (int)(next(&state) & 1); /* while the file is opened */
        pthread_t thread;
        pocket_index *x;
        w.wait = next(&state) % (early ? OPENING : 2 * before->time);
        unlink(live);
        write_over(live, before, 1);
        if (next(&state) & 1) wait_for(TICK);
        if (pthread_create(&thread, NULL, overwrite, &w)) return 2;
        if (early) wait_for(next(&state) % (2 * OPENING));
        if (pocket_open_path(live, &x, NULL)) {
            refused++;
        } else {
            int of_before = 1, of_after = 1, done;
            do {
                answers got = {0};
                done = atomic_load(&w.done);
                ask_index(x, &got);
                asked++;
                of_before &= !not_of(before, &got, &errors);
                of_after &= !not_of(after, &got, &errors);
            } while (!done);
            pocket_close(x);
            if (!of_before && !of_after)
                return printf("round %llu: answers of neither file\n", (unsigned long long)round),
                       1;
        }
        pthread_join(thread, NULL);
    }
    for (uint32_t i = 0; i < files; i++) free(contents[i].bytes);
    free(contents);
    printf("%llu rounds, %llu times asked, %llu errors, %llu times not opened\n",
           (unsigned long long)rounds, (unsigned long long)asked, (unsigned long long)errors,
           (unsigned long long)refused);
    return errors == 0;
}
