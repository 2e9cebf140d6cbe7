/* A table of the names of HTML, by which the files beside it are told what elements mean. */
#ifndef POCKET_HTML_NAMES_H
#define POCKET_HTML_NAMES_H

#include "base/memory.h"
#include "ingest/pocket_ingest.h"

#define HTML_SLOTS 512u
_Static_assert(HTML_SLOTS > POCKET_HTML_NAMES, "each name has a slot, and one stays empty");

typedef struct html_names {
    const pocket_html_name *names;
    uint16_t slots[HTML_SLOTS]; /* the number of a name, from 1 on; 0 is none */
} html_names;

/* The slot of a name in small letters, or the empty one where it belongs. */
static inline size_t pocket_html_slot(const html_names *t, const char *name, size_t length) {
    size_t slot = 0;
    for (size_t i = 0; i < length; i++) slot = slot * 31 + (uint8_t)name[i];
    for (slot %= HTML_SLOTS; t->slots[slot]; slot = (slot + 1) % HTML_SLOTS) {
        const char *known = t->names[t->slots[slot] - 1].name;
        if (memcmp(known, name, length) == 0 && known[length] == 0) break;
    }
    return slot;
}

static inline void pocket_html_fill(html_names *t, const pocket_html_name *names, size_t count) {
    memset(t->slots, 0, sizeof t->slots);
    t->names = names;
    for (size_t i = 0; i < count && i < POCKET_HTML_NAMES; i++)
        t->slots[pocket_html_slot(t, names[i].name, strlen(names[i].name))] = (uint16_t)(i + 1);
}

/* What the table says of a name in any case. */
static inline uint32_t pocket_html_kinds(const html_names *t, const uint8_t *name, size_t length) {
    char small[POCKET_HTML_NAME];
    if (length >= sizeof small) return 0;
    for (size_t i = 0; i < length; i++)
        small[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
    size_t number = t->slots[pocket_html_slot(t, small, length)];
    return number ? t->names[number - 1].kinds : 0;
}

#endif
