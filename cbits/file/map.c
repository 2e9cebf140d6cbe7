/* Map a file; turn a fault on its bytes, and any change of the file, into a status.
 *
 * A file that is written to in place changes under its readers. The rules of container.h keep them
 * from harm, and after each piece of work a look at the file's size and times tells whether its
 * answer is that of the file that was opened. A file that was changed just now is read once the
 * clock that stamps files has gone on, so that a later write does not leave it the same times.
 * Whoever renames a new file over the old one changes nothing of the old one but the number of its
 * links, and with that the time of its last change of status.
 *
 * The one exception to "no globals": a signal's handler belongs to the process, and it finds the
 * work that it interrupted through a variable of the thread. The handler is installed with the
 * first mapping that asks for it and stays; a SIGBUS that is not ours it hands to the handler that
 * was there before. */
#ifndef _WIN32
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE /* nanoseconds of struct stat */
#define _FILE_OFFSET_BITS 64
#endif

#include "file/map.h"

#include "base/memory.h"
#include "file/container.h"

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

static uint32_t fail_io(pocket_error *error, const char *what, uint64_t number) {
    return fail(error, POCKET_IO, 0, -1, what, 0, number);
}

static uint32_t check_size(pocket_error *error, uint64_t size, uint64_t too_large) {
    if (size == 0) return fail(error, POCKET_NOT_POCKET, 0, -1, "file size", 1, 0);
    return size > SIZE_MAX ? fail_io(error, "map the whole file", too_large) : POCKET_OK;
}

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static wchar_t *widen(const char *path) {
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = size > 0 ? pocket_malloc((size_t)size * sizeof *wide) : NULL;
    if (wide) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, size);
    return wide;
}

static uint32_t map_handle(HANDLE file, mapping *m, pocket_error *error) {
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file, &size)) return fail_io(error, "get the file's size", GetLastError());
    uint32_t status = check_size(error, (uint64_t)size.QuadPart, ERROR_NOT_ENOUGH_MEMORY);
    if (status) return status;
    HANDLE section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section) return fail_io(error, "map the file", GetLastError());
    m->bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    if (!m->bytes) status = fail_io(error, "map the file", GetLastError());
    m->length = (uint64_t)size.QuadPart;
    CloseHandle(section);
    return status;
}

/* The handle stays open, and nobody can open the file for writing as long. */
uint32_t mapping_open(const char *path, int handles, mapping *m, pocket_error *error) {
    *m = (mapping){0};
    (void)
        handles; /* a fault is an exception of its own kind there, and a file cannot be shortened */
    wchar_t *wide = widen(path);
    if (!wide) return fail_io(error, "read the path as UTF-8", GetLastError());
    HANDLE file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_RANDOM_ACCESS, NULL);
    DWORD number = GetLastError();
    pocket_free(wide);
    if (file == INVALID_HANDLE_VALUE) return fail_io(error, "open the file", number);
    m->handle = file;
    uint32_t status = map_handle(file, m, error);
    if (status) mapping_close(m);
    return status;
}

void mapping_close(mapping *m) {
    if (m->bytes) UnmapViewOfFile(m->bytes);
    if (m->handle) CloseHandle(m->handle);
    *m = (mapping){0};
}

void mapping_sparse(const mapping *m, int sparse) {
    (void)m; /* the file is opened for random access */
    (void)sparse;
}

uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument) {
    (void)m;
    return work(argument);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Saving the signal mask is a system call, and the handler has the mask to restore at hand. Apple's
 * siglongjmp leaves the alternate stack only in the form that saves it. */
#ifdef __APPLE__
#define SAVE_MASK 1
#else
#define SAVE_MASK 0
#endif

/* glibc would allocate the variable on a thread's first touch, which may be in the handler. */
#ifdef __GLIBC__
#define FIXED_PLACE __attribute__((tls_model("initial-exec")))
#else
#define FIXED_PLACE
#endif

typedef struct guard {
    sigjmp_buf jump;
    const uint8_t *low, *high;
    struct guard *outer;
} guard;

static _Thread_local guard *innermost FIXED_PLACE;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int installed; /* under lock */
static struct sigaction former;

/* What the system would do if this handler were not there. */
static void pass_on(int number, siginfo_t *info, void *context) {
    int sent = info->si_code <= 0 ||
               info->si_code ==
                   SI_USER; /* by a process; a fault recurs by itself, once its handler returns */
    if (former.sa_flags & (int)SA_RESETHAND) signal(number, SIG_DFL);
    if (former.sa_flags & SA_SIGINFO) {
        former.sa_sigaction(number, info, context);
    } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
        former.sa_handler(number);
    } else if (former.sa_handler == SIG_DFL || !sent) {
        signal(number, SIG_DFL); /* a fault cannot be ignored */
        if (sent) raise(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const uint8_t *at = info->si_addr;
    for (guard *g = innermost; g; g = g->outer) {
        if (at < g->low || at >= g->high) continue;
        pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
        siglongjmp(g->jump, 1);
    }
    pass_on(number, info, context);
}

static int install(void) {
    pthread_mutex_lock(&lock);
    if (!installed && sigaction(SIGBUS, NULL, &former) == 0) {
        struct sigaction action = {.sa_mask = former.sa_mask};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (former.sa_flags & (SA_NODEFER | SA_RESTART));
        installed = sigaction(SIGBUS, &action, NULL) == 0;
    }
    int done = installed;
    pthread_mutex_unlock(&lock);
    return done;
}

#ifdef __APPLE__
#define TIME(status, which) (status)->st_##which##timespec
#else
#define TIME(status, which) (status)->st_##which##tim
#endif

/* Modulo 2^64: a file may bear any time. */
static uint64_t nanoseconds(struct timespec t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The clock that stamps files, and to how many nanoseconds a file system may round it. Linux stamps
 * by a clock that stands still between two ticks of 1 to 10 milliseconds. */
#ifdef CLOCK_REALTIME_COARSE
#define STAMPS CLOCK_REALTIME_COARSE
#define ROUNDED 1000u
#else
#define STAMPS CLOCK_REALTIME
#define ROUNDED 10000000u
#endif

enum { LOOKS = 20, BETWEEN = 1000000 /* nanoseconds */ }; /* while a file settles */

/* Whether a write from now on may give the file a time that it has already. A time that lies
 * further ahead is that of another clock: waiting for it is in vain. */
static int may_recur(struct timespec time, struct timespec now) {
    return nanoseconds(time) + ROUNDED - nanoseconds(now) < ROUNDED + (uint64_t)LOOKS * BETWEEN;
}

/* The file's status, looked at when its times were over: a write after the look gives it other
 * ones. That takes a tick where the file was changed just now. A file that is changed all the time
 * is taken as it is in the end. */
static int settled_status(int file, struct stat *status) {
    for (int look = 0;; look++) {
        struct timespec now = {0}, rest = {.tv_nsec = BETWEEN};
        clock_gettime(STAMPS, &now); /* before the look, or a write between the two has its time */
        if (fstat(file, status)) return -1;
        if (look == LOOKS || !(may_recur(TIME(status, c), now) || may_recur(TIME(status, m), now)))
            return 0;
        while (nanosleep(&rest, &rest) && errno == EINTR) continue;
    }
}

static uint32_t map_descriptor(mapping *m, pocket_error *error) {
    struct stat status;
    if (settled_status(m->file, &status))
        return fail_io(error, "get the file's size", (uint64_t)errno);
    if (S_ISDIR(status.st_mode)) return fail_io(error, "open the file", EISDIR);
    if (!S_ISREG(status.st_mode)) return fail_io(error, "map the file", ENODEV);
    uint32_t failure = check_size(error, (uint64_t)status.st_size, EFBIG);
    if (failure) return failure;
    if (m->handles && !install())
        return fail_io(error, "install a handler of SIGBUS", (uint64_t)errno);
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, m->file, 0);
    if (bytes == MAP_FAILED) return fail_io(error, "map the file", (uint64_t)errno);
    m->bytes = bytes;
    m->length = (uint64_t)status.st_size;
    m->modified = nanoseconds(TIME(&status, m));
    m->changed = nanoseconds(TIME(&status, c));
    m->links = (uint64_t)status.st_nlink;
    return POCKET_OK;
}

uint32_t mapping_open(const char *path, int handles, mapping *m, pocket_error *error) {
    *m = (mapping){.file = -1, .handles = handles};
    do
        m->file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY |
                                 O_NONBLOCK); /* O_NONBLOCK: or a pipe would wait for its writer */
    while (m->file < 0 && errno == EINTR);
    if (m->file < 0) return fail_io(error, "open the file", (uint64_t)errno);
    uint32_t status = map_descriptor(m, error);
    if (status) mapping_close(m);
    return status;
}

void mapping_close(mapping *m) {
    if (m->bytes) munmap((void *)(uintptr_t)m->bytes, (size_t)m->length);
    if (m->file >= 0) close(m->file);
    *m = (mapping){.file = -1};
}

void mapping_sparse(const mapping *m, int sparse) {
    posix_madvise((void *)(uintptr_t)m->bytes, (size_t)m->length,
                  sparse ? POSIX_MADV_RANDOM : POSIX_MADV_NORMAL);
}

/* The time of the last change of status tells a writer that puts the other one back; with another
 * number of links it tells nothing. */
static uint32_t unless_changed(const mapping *m, uint32_t outcome) {
    struct stat status;
    if (fstat(m->file, &status)) return POCKET_IO;
    int same =
        (uint64_t)status.st_size == m->length && nanoseconds(TIME(&status, m)) == m->modified &&
        (nanoseconds(TIME(&status, c)) == m->changed || (uint64_t)status.st_nlink != m->links);
    return same ? outcome : POCKET_FILE_CHANGED;
}

uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument) {
    if (!m->handles) return unless_changed(m, work(argument));
    guard g; /* no initialiser: it would clear the jump buffer, which takes longer than all the rest
              */
    g.low = m->bytes;
    g.high = m->bytes + m->length;
    g.outer = innermost;
    if (sigsetjmp(g.jump, SAVE_MASK)) {
        innermost = g.outer;
        return unless_changed(m, POCKET_IO);
    }
    innermost = &g;
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t status = work(argument);
    atomic_signal_fence(memory_order_seq_cst);
    innermost = g.outer;
    int within = g.outer && g.outer->low == m->bytes; /* of a call that looks at the file itself */
    return within ? status : unless_changed(m, status);
}

#endif

#endif
