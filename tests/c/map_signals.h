/* Scenarios of test_map.c: signals that are not ours. */
#ifndef MAP_SIGNALS_H
#define MAP_SIGNALS_H

#include "map_tools.h"

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

#endif
