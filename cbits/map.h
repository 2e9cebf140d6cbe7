/* A file mapped read-only, and work on its bytes that survives when they go away. The only I/O of the core, and the only state that is not
 * in a handle: see map.c. */
#ifndef POCKET_MAP_H
#define POCKET_MAP_H

#include "pocket.h"

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

typedef struct mapping {
    const uint8_t *bytes;
    uint64_t length;
    int64_t modified; /* POSIX: seconds since 1970, and the descriptor, kept to tell a changed file from an unreadable one */
    int file;
} mapping;

/* POCKET_NOT_POCKET for an empty file; POCKET_IO for what cannot be opened, is no regular file or does not fit the address space: then
 * field of the error is what was tried and found the system's error number (errno, GetLastError). */
uint32_t mapping_open(const char *path, mapping *m, pocket_error *error);
void mapping_close(mapping *m);
/* Run work(argument) and return its status. When a byte of the mapping cannot be had, work is given up on the spot (memory that it has
 * allocated and only knows itself is lost) and the status is POCKET_FILE_CHANGED, or POCKET_IO when the file looks as it did. It is
 * POCKET_FILE_CHANGED, too, when work finds damage (POCKET_DAMAGED_*) in a file that is shorter than it was.
 * Guards may be nested, in any number of threads. On Windows it only runs work: a file cannot be shortened there while it is mapped. */
uint32_t mapping_guard(const mapping *m, uint32_t (*work)(void *), void *argument);

#endif
#endif
