/* For the scenarios of test_map.c: files that can be lost, guarded reads of them, and the three
 * functions that map.c asks of the rest of the core, so that opening can go wrong on purpose. */
#ifndef MAP_TOOLS_H
#define MAP_TOOLS_H

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
    require(mapping_open(names[number], 1, m, &e) == POCKET_OK);
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

static int lowest_free_descriptor(void) {
    int file = open("/dev/null", O_RDONLY);
    require(file >= 0 && close(file) == 0);
    return file;
}

#endif
