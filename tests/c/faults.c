/* Calls of the C library that fail: preloaded, or linked into a harness. faults_arm says which of a
 * kind's calls, counted from now on, is the first to fail, and whether those after it do, too. Of
 * malloc only calls from one library count, where faults_from has named it: an interpreter has its
 * own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

void faults_arm(const char *call, uint64_t number, int lasting);
uint64_t faults_seen(void);
int faults_from(const void *address);
void *__libc_malloc(size_t size);

static char kind[16];
static _Atomic int armed;
static _Atomic uint64_t seen;
static uint64_t first;
static int for_good;
static uintptr_t low, high = UINTPTR_MAX;

/* number 0: none fails, they are counted; an empty name: no more are counted. lasting: 1 for all
 * that follow, too, 2 to kill the process instead. */
void faults_arm(const char *call, uint64_t number, int lasting) {
    armed = 0;
    if (!*call) return;
    seen = 0;
    first = number;
    for_good = lasting;
    strncpy(kind, call, sizeof kind - 1);
    armed = 1;
}

uint64_t faults_seen(void) { return seen; }

static int has_address(struct dl_phdr_info *info, size_t size, void *address) {
    (void)size;
    uintptr_t end = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if ((uintptr_t)address < info->dlpi_addr || (uintptr_t)address >= end) return 0;
    low = info->dlpi_addr;
    high = end;
    return 1;
}

/* Count allocations of the library that has this address alone; 0 where there is none. */
int faults_from(const void *address) {
    return dl_iterate_phdr(has_address, (void *)(uintptr_t)address);
}

static int fails(const char *call, int number) {
    if (!armed || strcmp(kind, call)) return 0;
    uint64_t at = ++seen;
    if (!first || at < first || (at > first && !for_good)) return 0;
    if (for_good == 2) kill(getpid(), SIGKILL);
    errno = number;
    return 1;
}

static int is_regular(int file) {
    int before = errno;
    struct stat status;
    int regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    errno = before;
    return regular;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t size) {
    uintptr_t from = (uintptr_t)__builtin_return_address(0);
    if (armed && from >= low && from < high && fails("malloc", ENOMEM)) return NULL;
    return __libc_malloc(size);
}

void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return file >= 0 && fails("mmap", ENOMEM)
               ? MAP_FAILED
               : NEXT(mmap)(at, length, protection, flags, file, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, off64_t offset) {
    return file >= 0 && fails("mmap", ENOMEM)
               ? MAP_FAILED
               : NEXT(mmap64)(at, length, protection, flags, file, offset);
}

ssize_t read(int file, void *to, size_t length) {
    return armed && is_regular(file) && fails("read", EIO) ? -1 : NEXT(read)(file, to, length);
}

ssize_t write(int file, const void *from, size_t length) {
    return armed && is_regular(file) && fails("write", ENOSPC) ? -1
                                                               : NEXT(write)(file, from, length);
}

ssize_t pwrite64(int file, const void *from, size_t length, off64_t offset) {
    return fails("write", ENOSPC) ? -1 : NEXT(pwrite64)(file, from, length, offset);
}

int ftruncate64(int file, off64_t length) {
    return fails("ftruncate", EIO) ? -1 : NEXT(ftruncate64)(file, length);
}

/* The file is closed whatever is said of it, as Linux does. */
int close(int file) {
    int failed = armed && is_regular(file) && fails("close", EIO);
    int number = errno, closed = NEXT(close)(file);
    if (!failed) return closed;
    errno = number;
    return -1;
}

int fsync(int file) { return fails("fsync", EIO) ? -1 : NEXT(fsync)(file); }

int rename(const char *from, const char *to) {
    return fails("rename", EIO) ? -1 : NEXT(rename)(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return fails("rename", EIO) ? -1 : NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return fails("link", EIO) ? -1 : NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    return fails("mkdir", EIO) ? -1 : NEXT(mkdir)(path, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails("open", EMFILE) ? -1 : NEXT(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails("open", EMFILE) ? -1 : NEXT(open)(path, flags, mode);
}

int fstat64(int file, struct stat64 *status) {
    return fails("fstat", EIO) ? -1 : NEXT(fstat64)(file, status);
}

ssize_t pread64(int file, void *to, size_t length, off64_t offset) {
    return fails("pread", EIO) ? -1 : NEXT(pread64)(file, to, length, offset);
}

ssize_t recv(int socket, void *to, size_t length, int flags) {
    return fails("recv", ECONNRESET) ? -1 : NEXT(recv)(socket, to, length, flags);
}

ssize_t send(int socket, const void *from, size_t length, int flags) {
    return fails("send", ENOBUFS) ? -1 : NEXT(send)(socket, from, length, flags);
}

int accept4(int socket, __SOCKADDR_ARG address, socklen_t *length, int flags) {
    return fails("accept", EMFILE) ? -1 : NEXT(accept4)(socket, address, length, flags);
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    return fails("poll", ENOMEM) ? -1 : NEXT(poll)(files, count, timeout);
}

int setsockopt(int socket, int level, int name, const void *value, socklen_t length) {
    return fails("setsockopt", ENOBUFS) ? -1 : NEXT(setsockopt)(socket, level, name, value, length);
}

int shutdown(int socket, int how) {
    return fails("shutdown", ENOTCONN) ? -1 : NEXT(shutdown)(socket, how);
}

int sigaction(int number, const struct sigaction *to, struct sigaction *before) {
    return fails("sigaction", EINVAL) ? -1 : NEXT(sigaction)(number, to, before);
}
