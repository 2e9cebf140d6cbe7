/* Options of the caller: what a later version adds to them is zero for who does not know it. */
#include "base/memory.h"
#include "query/query.h"

#define MOST_OPTIONS 1024u /* bytes: a size that nobody set is mostly more */

static uint32_t size_of_options(const void *given) {
    uint32_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

int options_fit(const void *given, uint32_t own) {
    uint32_t size = size_of_options(given);
    if (size < own || size > MOST_OPTIONS) return 0;
    for (uint32_t i = own; i < size; i++)
        if (((const uint8_t *)given)[i] != 0) return 0;
    return 1;
}

uint32_t fail_options(pocket_error *error, const void *given, uint32_t own) {
    return allowing(error, "%, or up to 1024 with zeros behind",
                    fail(error, POCKET_BAD_ARGUMENT, 0, -1, "size of the options", own,
                         size_of_options(given)));
}
