/* A file opened by its path: mapped, and every call that reads it guarded. */
#include "base/memory.h"
#include "file/container.h"
#include "file/map.h"
#include "query/query.h"

#if !defined(POCKET_FREESTANDING) && !defined(POCKET_NO_FILES)

struct opening {
    const mapping *mapping;
    pocket_index **index;
    pocket_error *error;
};

static uint32_t open_mapped(void *argument) {
    struct opening *o = argument;
    return pocket_open(o->mapping->bytes, o->mapping->length, o->index, o->error);
}

static uint32_t guard_index(const void *mapped, uint32_t (*work)(void *), void *argument) {
    return mapping_guard(mapped, work, argument);
}

void pocket_expect_cold(const pocket_index *index) {
    if (index->mapping) mapping_sparse(index->mapping, 1);
}

static void unmap_index(void *mapped) {
    mapping_close(mapped);
    pocket_free(mapped);
}

pocket_status pocket_open_path(const char *path, pocket_index **index, pocket_error *error) {
    return pocket_open_path_with(path, NULL, index, error);
}

pocket_status pocket_open_path_with(const char *path, const pocket_open_options *options,
                                    pocket_index **index, pocket_error *error) {
    *index = NULL;
    clear(error);
    if (options && !options_fit(options, sizeof *options))
        return fail_options(error, options, sizeof *options);
    mapping *m = pocket_malloc(sizeof *m);
    if (!m) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    uint32_t status = mapping_open(path, !(options && options->no_signal_handler), m, error);
    if (status) {
        pocket_free(m);
        return status;
    }
    /* Heads lie far apart: what is read ahead of them would be most of what opening reads. */
    mapping_sparse(m, 1);
    status = mapping_guard(m, open_mapped, &(struct opening){m, index, error});
    if (status) {
        if (*index) pocket_close(*index);
        *index = NULL;
        unmap_index(m);
        return fail_as(error, status);
    }
    mapping_sparse(m, 0);
    (*index)->mapping = m;
    (*index)->guard = guard_index;
    (*index)->unmap = unmap_index;
    return POCKET_OK;
}

#endif
