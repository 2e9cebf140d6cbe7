/* The parameters of the sections that every file has (docs/format.md, sections 3 to 6). The
 * optional ones check their own. */
#ifndef POCKET_HEADS_H
#define POCKET_HEADS_H

#include "file/container.h"

/* A field of a section's head that the format does not allow. */
static inline uint32_t damaged_head(pocket_error *error, uint32_t section, const char *field,
                                    uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, section, -1, field, expected, found);
}

/* The parameters that the passages section has behind those of its table. */
#define PASSAGES_MORE 16u

/* Tables, ids or passages, which have count rows and as many more bytes of parameters. *most
 * becomes the parts of a table, where they are more. */
uint32_t tables_open(tables *t, const section *s, uint32_t count, uint32_t more, uint32_t *most,
                     pocket_error *error);
uint32_t sketches_open(pocket_index *x, const section *s, pocket_error *error);
uint32_t documents_open(pocket_index *x, const section *s, pocket_error *error);

#endif
