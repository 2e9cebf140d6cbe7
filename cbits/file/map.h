/* A file mapped read-only, and work on its bytes that survives when they go away or change. The
 * only I/O of the core, and the only state that is not in a handle: see map.c. */
#ifndef POCKET_MAP_H
#define POCKET_MAP_H

#include "pocket.h"

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

typedef struct mapping {
    const uint8_t *bytes;
    uint64_t length;
#ifdef _WIN32
    void *handle; /* kept so that nobody writes to the file */
#else
    int file;                   /* its descriptor, kept to tell whether the file changes */
    uint64_t modified, changed; /* its times when it was opened, of contents and of status, in
                                   nanoseconds since 1970 */
    uint64_t links;
    int handles; /* is a fault on its bytes turned into a status? */
#endif
} mapping;

/* POCKET_NOT_POCKET for an empty file; POCKET_IO for what cannot be opened, is no regular file or
 * does not fit the address space: then field of the error is what was tried and found the system's
 * error number (errno, GetLastError). A file that was changed just now is waited for, until no
 * later write can leave it the times that it has: a tick of the system's clock, at most some 20
 * milliseconds. handles: not 0 to turn a fault on its bytes into a status, by a handler of SIGBUS,
 * which is installed with the first such mapping. */
uint32_t mapping_open(const char *path, int handles, mapping *m, pocket_error *error);
void mapping_close(mapping *m);
/* Tell the system whether reads of the mapping lie far apart, so that it reads no more than is
 * asked. What it does with this is its own choice. */
void mapping_sparse(const mapping *m, int sparse);
/* Run work(argument) and return its status. When a byte of the mapping cannot be had and the
 * mapping handles faults, work is given up on the spot (memory that it has allocated and only knows
 * itself is lost) and the status is POCKET_IO. Whatever the status would be, it is
 * POCKET_FILE_CHANGED when the file's size, or the time of a change, is another one than when it
 * was opened. Guards may be nested, in any number of threads. On Windows it only runs work: a file
 * cannot be changed there while it is open. */
uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument);

#endif
#endif
