/* Scenarios of test_map.c: the file changes while it is mapped, and threads read it. */
#ifndef MAP_CHANGES_H
#define MAP_CHANGES_H

#include "map_tools.h"

/* ---- scenarios: the file changes ---- */

static void a_shortened_file_is_a_status(void) {
    mapping m;
    open_file(0, &m);
    require(guarded_read(&m, FAR) == 77);
    shorten(0);
    for (int i = 0; i < 1000; i++) {
        require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
        require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
    }
    mapping_close(&m);
    open_file(0, &m);
    require(guarded_read(&m, FAR) == 77);
    shorten(0);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
}

static void a_file_that_was_short_for_a_moment_has_changed(void) {
    mapping m;
    open_file(0, &m);
    shorten(0);
    require(truncate(names[0], SIZE) == 0);
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    require(utimensat(AT_FDCWD, names[0], times, 0) == 0);
    void *there = mmap((void *)(uintptr_t)m.bytes, SIZE, PROT_READ, MAP_SHARED | MAP_FIXED,
                       open(names[0], O_RDONLY), SIZE);
    require(there == m.bytes);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
}

/* As on a scratched disc: the pages fault, but the file is as it was. The pages are those behind
 * the end of another file. */
static void unreadable_bytes_of_an_unchanged_file_are_an_io_error(void) {
    mapping m;
    open_file(0, &m);
    write_file(names[1], KEPT);
    void *there = mmap((void *)(uintptr_t)m.bytes, SIZE, PROT_READ, MAP_SHARED | MAP_FIXED,
                       open(names[1], O_RDONLY), 0);
    require(there == m.bytes);
    require(guarded_read(&m, FAR) == POCKET_IO);
}

static uint32_t give(void *status) { return *(uint32_t *)status; }

static uint32_t guarded_status(const mapping *m, uint32_t status) {
    return mapping_guard(m, give, &status);
}

static void whatever_work_finds_in_a_changed_file_is_its_change(void) {
    mapping m;
    open_file(0, &m);
    require(guarded_status(&m, POCKET_DAMAGED_CHECKSUM) == POCKET_DAMAGED_CHECKSUM &&
            guarded_status(&m, POCKET_OK) == POCKET_OK);
    require(truncate(names[0], SIZE - 1) == 0);
    for (uint32_t status = POCKET_OK; status < 50; status++)
        require(guarded_status(&m, status) == POCKET_FILE_CHANGED);
}

static void write_byte(int number, off_t at) {
    int file = open(names[number], O_WRONLY);
    require(file >= 0 && pwrite(file, "x", 1, at) == 1 && close(file) == 0);
}

static void a_byte_written_in_place_is_a_change(void) {
    mapping m;
    open_file(0, &m);
    require(guarded_read(&m, 0) == 77);
    write_byte(0, FAR);
    require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
    mapping_close(&m);
    open_file(0, &m);
    write_byte(0, SIZE);
    require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
}

/* A file system's clock stands still for some milliseconds: whoever looks at a file that was made
 * just now has to wait for the next tick. */
static void a_byte_written_in_the_tick_of_opening_is_a_change(void) {
    for (int i = 0; i < 100; i++) {
        mapping m;
        open_file(0, &m);
        write_byte(0, FAR);
        require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
        mapping_close(&m);
    }
}

static atomic_int enough;

static void *write_until_enough(void *argument) {
    (void)argument;
    while (!atomic_load(&enough)) write_byte(0, 0);
    return NULL;
}

/* It is waited for some milliseconds only. Its change is noticed as soon as the clock goes on. */
static void a_file_that_is_written_all_the_time_is_opened(void) {
    pthread_t thread;
    mapping m;
    write_file(names[0], SIZE);
    require(pthread_create(&thread, NULL, write_until_enough, NULL) == 0);
    require(mapping_open(names[0], 1, &m, NULL) == POCKET_OK);
    while (mapping_guard(&m, give, &(uint32_t){POCKET_OK}) != POCKET_FILE_CHANGED) continue;
    atomic_store(&enough, 1);
    require(pthread_join(thread, NULL) == 0);
    mapping_close(&m);
}

/* A time that no clock will reach soon is not waited for, nor one that does not fit 64 bits of
 * nanoseconds. */
static void times_of_another_clock_are_taken_as_they_are(void) {
    static const int64_t seconds[] = {-1000000000, 0, 4000000000, 15000000000};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        mapping m;
        time_t own = (time_t)seconds[i];
        struct timespec times[2] = {{.tv_sec = own}, {.tv_sec = own}};
        if (own != seconds[i]) continue; /* 32 bits */
        write_file(names[0], SIZE);
        require(utimensat(AT_FDCWD, names[0], times, 0) == 0);
        require(mapping_open(names[0], 1, &m, NULL) == POCKET_OK && guarded_read(&m, 0) == 77);
        write_byte(0, FAR);
        require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
        mapping_close(&m);
    }
}

/* As cp -p and rsync --inplace do. */
static void a_change_whose_time_was_put_back_is_one(void) {
    mapping m;
    struct stat before, after;
    open_file(0, &m);
    require(stat(names[0], &before) == 0);
    write_byte(0, FAR);
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    require(utimensat(AT_FDCWD, names[0], times, 0) == 0 && stat(names[0], &after) == 0);
    require(after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
            after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
    require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
}

static void a_file_that_is_linked_or_removed_is_the_same(void) {
    mapping m;
    open_file(0, &m);
    unlink(names[1]);
    require(link(names[0], names[1]) == 0);
    require(guarded_read(&m, FAR) == 77);
    require(unlink(names[1]) == 0 && unlink(names[0]) == 0);
    require(guarded_read(&m, FAR) == 77);
}

static void a_replaced_file_is_still_the_old_one(void) {
    mapping m;
    open_file(0, &m);
    write_file(names[1], 5);
    require(rename(names[1], names[0]) == 0);
    require(guarded_read(&m, FAR) == 77);
}

static void the_signal_mask_survives(void) {
    mapping m;
    sigset_t mask, after;
    open_file(0, &m);
    shorten(0);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    require(pthread_sigmask(SIG_SETMASK, &mask, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
        require(pthread_sigmask(SIG_SETMASK, NULL, &after) == 0);
        for (int number = 1; number < 32; number++)
            require(sigismember(&after, number) == (number == SIGUSR1));
    }
}

static void work_on_an_alternate_stack_of_signals(void) {
    mapping m;
    static uint8_t space[1 << 16];
    stack_t alternate = {.ss_sp = space, .ss_size = sizeof space}, after;
    require(sigaltstack(&alternate, NULL) == 0);
    open_file(0, &m);
    shorten(0);
    for (int i = 0; i < 3; i++) {
        require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
        require(sigaltstack(NULL, &after) == 0 && after.ss_flags == 0);
    }
}

/* ---- scenarios: nesting and threads ---- */

struct nest {
    const mapping *outer, *inner;
    const mapping *faulty;
    uint32_t inner_status;
    int went_on;
};

static uint32_t read_faulty(void *argument) {
    struct nest *n = argument;
    guarded_read(n->inner, 0);
    return read_unguarded(n->faulty);
}

static uint32_t guard_inner(void *argument) {
    struct nest *n = argument;
    n->inner_status = mapping_guard(n->inner, read_faulty, n);
    n->went_on = 1;
    return 55;
}

static void guards_nest(void) {
    mapping a, b;
    open_file(0, &a);
    open_file(1, &b);
    struct nest n = {&a, &b, &b, 0, 0};
    require(mapping_guard(&a, guard_inner, &n) == 55 && n.inner_status == 77);
    shorten(1);
    n = (struct nest){&a, &b, &b, 0, 0};
    require(mapping_guard(&a, guard_inner, &n) == 55 && n.inner_status == POCKET_FILE_CHANGED &&
            n.went_on);
    shorten(0);
    n = (struct nest){&a, &b, &a, 0, 0};
    require(mapping_guard(&a, guard_inner, &n) == POCKET_FILE_CHANGED && n.inner_status == 0 &&
            !n.went_on);
    n = (struct nest){&b, &b, &b, 0, 0}; /* the same one twice: the inner guard has it */
    require(mapping_guard(&b, guard_inner, &n) == POCKET_FILE_CHANGED &&
            n.inner_status == POCKET_FILE_CHANGED && n.went_on);
    require(guarded_read(&a, FAR) == POCKET_FILE_CHANGED &&
            guarded_read(&b, FAR) == POCKET_FILE_CHANGED);
}

enum { THREADS = 8, AFTER = 2000 };
static atomic_int reading;

static uint32_t read_all(void *argument) {
    struct reading *r = argument;
    for (r->at = 0; r->at < SIZE; r->at += 4096)
        require(*(const volatile uint8_t *)&r->m->bytes[r->at] == byte_at(r->at));
    return POCKET_OK;
}

static void *read_until_changed(void *argument) {
    struct reading r = {argument, 0, 0};
    int good = 0, changed = 0;
    while (changed < AFTER) {
        uint32_t status = mapping_guard(r.m, read_all, &r);
        require(status == POCKET_OK || status == POCKET_FILE_CHANGED);
        require(status == POCKET_OK ? changed == 0 : r.at >= KEPT);
        if (status)
            changed++;
        else if (good++ == 0)
            atomic_fetch_add(&reading, 1);
    }
    return NULL;
}

static void threads_lose_the_file_while_they_read(void) {
    pthread_t threads[THREADS];
    mapping m;
    open_file(0, &m);
    for (int i = 0; i < THREADS; i++)
        require(pthread_create(&threads[i], NULL, read_until_changed, &m) == 0);
    while (atomic_load(&reading) < THREADS) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    shorten(0);
    for (int i = 0; i < THREADS; i++) require(pthread_join(threads[i], NULL) == 0);
}

static void *open_and_lose(void *argument) {
    char name[5000];
    mapping m;
    snprintf(name, sizeof name, "%s-%d", names[0], *(int *)argument);
    for (int i = 0; i < 50; i++) {
        write_file(name, 3 * KEPT);
        require(mapping_open(name, 1, &m, NULL) == POCKET_OK);
        require(truncate(name, 1) == 0);
        require(guarded_read(&m, 2 * KEPT) == POCKET_FILE_CHANGED);
        mapping_close(&m);
    }
    return NULL;
}

static void threads_open_at_once(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        require(pthread_create(&threads[i], NULL, open_and_lose, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) require(pthread_join(threads[i], NULL) == 0);
}

#endif
