/* Scenarios for cbits/file/map.c, one a run: test_map SCENARIO FOLDER. Ends with 0, with 1 and the
 * line that failed, or by the signal that the scenario is about. The three functions that map.c
 * asks of the rest of the core are here, so that opening can go wrong on purpose. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64

#include "file/map.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/container.h"

#define require(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { SIZE = 1 << 20, KEPT = 4096, FAR = SIZE - 10 };

static char names[2][4096];

/* ---- what map.c asks of the core ---- */

static pocket_index an_index;
static int truncate_on_open, opened, closed;

uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block,
              const char *field, uint64_t expected, uint64_t found) {
    if (error) *error = (pocket_error){status, section, block, expected, found, field, NULL};
    return status;
}

uint32_t pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index,
                     pocket_error *error) {
    an_index = (pocket_index){.bytes = bytes, .length = length};
    *index = &an_index;
    opened++;
    if (truncate_on_open) require(truncate(names[0], KEPT) == 0);
    if (*(const volatile uint8_t *)&bytes[length - 1] == 1) {
        *index = NULL;
        return fail(error, POCKET_DAMAGED_FIELD, 3, 4, "field", 5, 6);
    }
    return POCKET_OK;
}

void pocket_close(pocket_index *index) {
    closed++;
    if (index->unmap) index->unmap(index->mapping);
}

/* ---- tools ---- */

static uint8_t byte_at(uint64_t i) { return (uint8_t)(i * 7 % 251); }

static void write_file(const char *name, size_t size) {
    uint8_t *bytes = malloc(size + 1);
    require(bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = byte_at(i);
    FILE *file = fopen(name, "wb");
    require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    free(bytes);
}

static void open_file(int number, mapping *m) {
    pocket_error e;
    write_file(names[number], SIZE);
    require(mapping_open(names[number], m, &e) == POCKET_OK);
}

static void shorten(int number) { require(truncate(names[number], KEPT) == 0); }

struct reading {
    const mapping *m;
    uint64_t at;
    uint8_t value;
};

/* Returns a status of its own, to see that it arrives. */
static uint32_t read_byte(void *argument) {
    struct reading *r = argument;
    r->value = *(const volatile uint8_t *)&r->m->bytes[r->at];
    return 77;
}

static uint32_t guarded_read(const mapping *m, uint64_t at) {
    struct reading r = {m, at, 0};
    uint32_t status = mapping_guard(m, read_byte, &r);
    if (status == 77) require(r.value == byte_at(at));
    return status;
}

static uint32_t read_unguarded(const mapping *m) {
    struct reading r = {m, FAR, 0};
    return read_byte(&r);
}

/* ---- scenarios: opening ---- */

static void a_file_is_its_bytes(void) {
    mapping m;
    open_file(0, &m);
    require(m.length == SIZE);
    for (uint64_t i = 0; i < SIZE; i++) require(m.bytes[i] == byte_at(i));
    mapping_close(&m);
    require(m.bytes == NULL && m.length == 0);
    mapping_close(&m);
}

static int lowest_free_descriptor(void) {
    int file = open("/dev/null", O_RDONLY);
    require(file >= 0 && close(file) == 0);
    return file;
}

static void refuse(const char *name, uint32_t status, const char *field, uint64_t found) {
    mapping m;
    pocket_error e = {0};
    int before = lowest_free_descriptor();
    require(mapping_open(name, &m, &e) == status && mapping_open(name, &m, NULL) == status);
    require(e.status == status && e.section == 0 && e.block == -1 && e.found == found &&
            strcmp(e.field, field) == 0);
    require(m.bytes == NULL && m.length == 0);
    require(lowest_free_descriptor() == before);
}

static void what_cannot_be_mapped_is_refused(void) {
    refuse(names[0], POCKET_IO, "open the file", ENOENT);
    refuse("", POCKET_IO, "open the file", ENOENT);
    require(mkdir(names[0], 0700) == 0);
    refuse(names[0], POCKET_IO, "open the file", EISDIR);
    require(rmdir(names[0]) == 0 && mkfifo(names[0], 0600) == 0);
    refuse(names[0], POCKET_IO, "map the file", ENODEV);
    refuse("/dev/null", POCKET_IO, "map the file", ENODEV);
    require(unlink(names[0]) == 0);
    write_file(names[0], 0);
    refuse(names[0], POCKET_NOT_POCKET, "file size", 0);
    if (geteuid() == 0) return;
    write_file(names[0], 9);
    require(chmod(names[0], 0) == 0);
    refuse(names[0], POCKET_IO, "open the file", EACCES);
}

/* A sparse file of 5 GiB: an index on 64 bits, a refusal on 32. */
static void a_file_that_no_address_space_of_32_bits_holds(void) {
    mapping m;
    write_file(names[0], 9);
    require(truncate(names[0], (off_t)5 << 30) == 0);
    if (sizeof(size_t) == 4) {
        refuse(names[0], POCKET_IO, "map the whole file", EFBIG);
        return;
    }
    require(mapping_open(names[0], &m, NULL) == POCKET_OK && m.length == (uint64_t)5 << 30);
    require(m.bytes[m.length - 1] == 0 && m.bytes[8] == byte_at(8));
    mapping_close(&m);
}

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

/* A file system's clock ticks every few milliseconds: a file that is changed in the tick in which
 * it was made keeps its times. */
static void open_earlier_file(int number, mapping *m) {
    open_file(number, m);
    mapping_close(m);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    require(mapping_open(names[number], m, NULL) == POCKET_OK);
}

static void write_byte(int number, off_t at) {
    int file = open(names[number], O_WRONLY);
    require(file >= 0 && pwrite(file, "x", 1, at) == 1 && close(file) == 0);
}

static void a_byte_written_in_place_is_a_change(void) {
    mapping m;
    open_earlier_file(0, &m);
    require(guarded_read(&m, 0) == 77);
    write_byte(0, FAR);
    require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
    mapping_close(&m);
    open_earlier_file(0, &m);
    write_byte(0, SIZE);
    require(guarded_read(&m, 0) == POCKET_FILE_CHANGED);
}

/* As cp -p and rsync --inplace do. */
static void a_change_whose_time_was_put_back_is_one(void) {
    mapping m;
    struct stat before, after;
    open_earlier_file(0, &m);
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
    open_earlier_file(0, &m);
    unlink(names[1]);
    require(link(names[0], names[1]) == 0);
    require(guarded_read(&m, FAR) == 77);
    require(unlink(names[1]) == 0 && unlink(names[0]) == 0);
    require(guarded_read(&m, FAR) == 77);
}

static void a_replaced_file_is_still_the_old_one(void) {
    mapping m;
    open_earlier_file(0, &m);
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
        require(mapping_open(name, &m, NULL) == POCKET_OK);
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

/* ---- scenarios: signals that are not ours ---- */

static volatile sig_atomic_t calls, calls_of_another_kind;
static const uint8_t *volatile fault_at, *volatile stack_at;
static volatile sig_atomic_t blocked;
static void *volatile page;

/* Repairs the fault that it is called for, so that the read goes on. */
static void repair(int number, siginfo_t *info, void *context) {
    (void)number;
    calls++;
    fault_at = info->si_addr;
    uint8_t here;
    sigset_t mask;
    stack_at = &here;
    blocked = pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGUSR2) &&
              sigismember(&mask, SIGBUS);
    if (context && page)
        mmap(page, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void count(int number) {
    if (number == SIGBUS) calls_of_another_kind++;
}

static void handle(void (*plain)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = flags;
    if (flags & SA_SIGINFO)
        action.sa_sigaction = repair;
    else
        action.sa_handler = plain;
    sigaddset(&action.sa_mask, SIGUSR2);
    require(sigaction(SIGBUS, &action, NULL) == 0);
}

static uint8_t *foreign_pages(void) {
    write_file(names[1], SIZE);
    page = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, open(names[1], O_RDONLY), 0);
    require(page != MAP_FAILED);
    shorten(1);
    return page;
}

static uint32_t touch(void *argument) { return *(const volatile uint8_t *)argument; }

static void a_fault_of_others_goes_to_the_handler_before(void) {
    mapping m;
    handle(NULL, SA_SIGINFO);
    open_file(0, &m);
    open_file(0, &m); /* the handler is installed once */
    uint8_t *foreign = foreign_pages();
    require(touch(foreign + FAR) == 0 && calls == 1 && fault_at >= foreign &&
            fault_at <= foreign + FAR);
    foreign = foreign_pages();
    require(mapping_guard(&m, touch, foreign + FAR) == 0 && calls == 2);
    page = NULL;
    require(raise(SIGBUS) == 0 && calls == 3);
    shorten(0);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED && calls == 3);
}

static void a_handler_before_runs_on_its_stack_and_with_its_mask(void) {
    static uint8_t space[1 << 16];
    stack_t alternate = {.ss_sp = space, .ss_size = sizeof space};
    mapping m;
    require(sigaltstack(&alternate, NULL) == 0);
    handle(NULL, SA_SIGINFO | SA_ONSTACK);
    open_file(0, &m);
    require(touch(foreign_pages() + FAR) == 0 && calls == 1 && blocked);
    require((uintptr_t)stack_at - (uintptr_t)space < sizeof space);
}

static void a_handler_before_may_be_of_the_plain_kind(void) {
    mapping m;
    handle(count, SA_RESTART);
    open_file(0, &m);
    require(raise(SIGBUS) == 0 && raise(SIGBUS) == 0 && calls_of_another_kind == 2);
    shorten(0);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED && calls_of_another_kind == 2);
}

/* The second one ends the process: the handler was for one signal. */
static void a_handler_before_may_be_for_one_signal(void) {
    mapping m;
    handle(count, (int)SA_RESETHAND);
    open_file(0, &m);
    raise(SIGBUS);
    require(calls_of_another_kind == 1);
    raise(SIGBUS);
}

static void a_fault_of_others_ends_the_process(void) {
    mapping m;
    open_file(0, &m);
    mapping_guard(&m, touch, foreign_pages() + FAR);
}

static void a_signal_sent_ends_the_process(void) {
    mapping m;
    open_file(0, &m);
    raise(SIGBUS);
}

static void our_bytes_without_a_guard_end_the_process(void) {
    mapping m;
    open_file(0, &m);
    shorten(0);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
    read_unguarded(&m);
}

static void a_signal_ignored_before_is_ignored_when_sent(void) {
    mapping m;
    handle(SIG_IGN, 0);
    open_file(0, &m);
    require(raise(SIGBUS) == 0 && raise(SIGBUS) == 0);
    shorten(0);
    require(guarded_read(&m, FAR) == POCKET_FILE_CHANGED);
}

static void a_fault_of_others_cannot_be_ignored(void) {
    handle(SIG_IGN, 0);
    a_fault_of_others_ends_the_process();
}

/* ---- scenarios: pocket_open_path ---- */

static void an_index_is_guarded_and_unmapped(void) {
    pocket_index *index;
    pocket_error e;
    int before = lowest_free_descriptor();
    write_file(names[0], SIZE);
    require(pocket_open_path(names[0], &index, &e) == POCKET_OK && index == &an_index &&
            opened == 1);
    mapping copy = *(mapping *)index->mapping;
    struct reading r = {&copy, FAR, 0};
    require(index->bytes == r.m->bytes && index->length == SIZE);
    require(index->guard(index->mapping, read_byte, &r) == 77);
    shorten(0);
    require(index->guard(index->mapping, read_byte, &r) == POCKET_FILE_CHANGED);
    pocket_close(index);
    require(lowest_free_descriptor() == before &&
            msync((void *)(uintptr_t)copy.bytes, SIZE, MS_ASYNC) == -1 && errno == ENOMEM);
}

static void a_file_lost_while_it_is_opened(void) {
    pocket_index *index = &an_index;
    pocket_error e = {0};
    write_file(names[0], SIZE);
    int before = lowest_free_descriptor();
    truncate_on_open = 1;
    require(pocket_open_path(names[0], &index, &e) == POCKET_FILE_CHANGED && index == NULL);
    require(lowest_free_descriptor() == before && opened == 1 &&
            closed == 1); /* what opening had got so far is given back */
    require(e.status == POCKET_FILE_CHANGED && e.section == 0 && e.block == -1 && e.field == NULL);
}

static void the_error_of_opening_arrives(void) {
    pocket_index *index = &an_index;
    pocket_error e = {0};
    uint64_t size = 0;
    while (byte_at(size) != 1) size++;
    write_file(names[0], (size_t)size + 1);
    require(pocket_open_path(names[0], &index, &e) == POCKET_DAMAGED_FIELD && index == NULL &&
            closed == 0);
    require(e.status == POCKET_DAMAGED_FIELD && e.section == 3 && e.block == 4 && e.expected == 5 &&
            e.found == 6);
    require(pocket_open_path("", &index, &e) == POCKET_IO && index == NULL && e.found == ENOENT &&
            opened == 1);
    require(pocket_open_path("", &index, NULL) == POCKET_IO);
}

/* ---- what a guard costs; no test ---- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void cost(void) {
    enum { TIMES = 5000000 };
    uint32_t (*volatile work)(void *) = give;
    mapping m;
    uint32_t zero = 0, sum = 0;
    open_file(0, &m);
    double start = seconds();
    for (int i = 0; i < TIMES; i++) sum += work(&zero);
    double bare = seconds();
    for (int i = 0; i < TIMES; i++) sum += mapping_guard(&m, work, &zero);
    double end = seconds();
    require(sum == 0);
    printf("a call %.1f ns, guarded %.1f ns\n", 1e9 / TIMES * (bare - start),
           1e9 / TIMES * (end - bare));
}

#define SCENARIO(name) \
    { #name, name }
static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    SCENARIO(a_file_is_its_bytes),
    SCENARIO(what_cannot_be_mapped_is_refused),
    SCENARIO(a_file_that_no_address_space_of_32_bits_holds),
    SCENARIO(a_shortened_file_is_a_status),
    SCENARIO(a_file_that_was_short_for_a_moment_has_changed),
    SCENARIO(unreadable_bytes_of_an_unchanged_file_are_an_io_error),
    SCENARIO(whatever_work_finds_in_a_changed_file_is_its_change),
    SCENARIO(a_byte_written_in_place_is_a_change),
    SCENARIO(a_change_whose_time_was_put_back_is_one),
    SCENARIO(a_file_that_is_linked_or_removed_is_the_same),
    SCENARIO(a_replaced_file_is_still_the_old_one),
    SCENARIO(the_signal_mask_survives),
    SCENARIO(work_on_an_alternate_stack_of_signals),
    SCENARIO(guards_nest),
    SCENARIO(threads_lose_the_file_while_they_read),
    SCENARIO(threads_open_at_once),
    SCENARIO(a_fault_of_others_goes_to_the_handler_before),
    SCENARIO(a_handler_before_runs_on_its_stack_and_with_its_mask),
    SCENARIO(a_handler_before_may_be_of_the_plain_kind),
    SCENARIO(a_handler_before_may_be_for_one_signal),
    SCENARIO(a_fault_of_others_ends_the_process),
    SCENARIO(a_signal_sent_ends_the_process),
    SCENARIO(our_bytes_without_a_guard_end_the_process),
    SCENARIO(a_signal_ignored_before_is_ignored_when_sent),
    SCENARIO(a_fault_of_others_cannot_be_ignored),
    SCENARIO(an_index_is_guarded_and_unmapped),
    SCENARIO(a_file_lost_while_it_is_opened),
    SCENARIO(the_error_of_opening_arrives),
    SCENARIO(cost),
};

int main(int count_of_arguments, char **arguments) {
    require(count_of_arguments == 3);
    for (int i = 0; i < 2; i++) snprintf(names[i], sizeof names[i], "%s/%d", arguments[2], i);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        if (strcmp(arguments[1], scenarios[i].name)) continue;
        scenarios[i].run();
        return 0;
    }
    return 2;
}
