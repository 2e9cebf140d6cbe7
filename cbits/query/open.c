/* Opening a file: everything outside its blocks is copied and checked. */
#include "query/open.h"

#include "base/bytes.h"
#include "base/hashes/crc32c.h"
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/cells.h"
#include "file/heads.h"
#include "file/keys/copies.h"
#include "file/keys/part.h"
#include "file/keys/passages.h"
#include "file/stored/labels.h"
#include "file/stored/texts.h"
#include "file/stored/titles.h"
#include "file/words.h"
#include "sketch/hamming.h"
#include "sketch/sketch.h"

#define HEADER 32u
#define ENTRY 40u
#define MAX_SECTIONS 64u

static const uint8_t magic[8] = {0x89, 0x50, 0x43, 0x4B, 0x54, 0x0D, 0x0A, 0x1A};

#define FRONT (HEADER + ENTRY * MAX_SECTIONS)

/* b: a copy of the header and the section table, as much of them as is at hand. */
static uint32_t open_header(pocket_index *x, const uint8_t *b, int in_pieces, pocket_error *error) {
    if (x->at_hand < sizeof magic || memcmp(b, magic, sizeof magic))
        return fail(error, POCKET_NOT_POCKET, 0, -1, "magic", 0, 0);
    if (x->at_hand < HEADER)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER, x->at_hand));
    x->major = load16(b + 8);
    x->minor = load16(b + 10);
    /* Before the seal: a newer header may be sealed in another way. */
    if (x->major != 1) return fail(error, POCKET_TOO_NEW, 0, -1, "major version", 1, x->major);
    x->section_count = load32(b + 12);
    if (x->section_count < 1 || x->section_count > MAX_SECTIONS)
        return allowing(error, "1 .. %",
                        fail(error, POCKET_DAMAGED_HEADER, 0, -1, "number of sections",
                             MAX_SECTIONS, x->section_count));
    x->length = load64(b + 16);
    if (x->length != x->at_hand && !in_pieces)
        return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", x->length, x->at_hand);
    uint64_t table = (uint64_t)ENTRY * x->section_count;
    if (x->at_hand - HEADER < table)
        return allowing(
            error, "at least %",
            fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER + table, x->at_hand));
    uint32_t found = crc32c(crc32c(0, b, 28), b + HEADER, (size_t)table);
    if (found != load32(b + 28))
        return fail(error, POCKET_DAMAGED_HEADER, 0, -1, "CRC32C", load32(b + 28), found);
    if (load32(b + 24) != 0) return damaged_head(error, 0, "reserved", 0, load32(b + 24));
    return POCKET_OK;
}

static uint32_t open_directory(const section *s, pocket_error *error) {
    uint64_t room = s->length - s->head, before = 0;
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t end = block_end(s, i);
        /* Ends rise and the last one is room: none lies beyond it. */
        if (end <= before)
            return allowing(
                error, "more than %",
                fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", before, end));
        before = end;
    }
    return before == room ? POCKET_OK
                          : damaged_head(error, s->kind, "end of the last block", room, before);
}

static uint32_t copy_head(section *s, const uint8_t *head, pocket_error *error) {
    uint8_t *copy = pocket_malloc((size_t)s->head);
    s->bytes = copy;
    if (!copy) return fail(error, POCKET_NO_MEMORY, s->kind, -1, NULL, 0, 0);
    memcpy(copy, head, (size_t)s->head);
    s->directory = s->bytes + s->parameters;
    uint32_t found = crc32c(0, s->bytes, (size_t)s->head);
    return found == s->seal
               ? POCKET_OK
               : fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, -1, "CRC32C", s->seal, found);
}

/* heads: NULL, or of a file in pieces where the head of this section lies, then that of the next.
 */
static uint32_t open_section(pocket_index *x, uint32_t i, const uint8_t *entry, uint64_t *end,
                             uint64_t *heads, pocket_error *error) {
    section *s = &x->sections[i];
    s->kind = load32(entry);
    s->flags = load32(entry + 4);
    s->offset = load64(entry + 8);
    s->length = load64(entry + 16);
    s->parameters = load32(entry + 24);
    s->blocks = load32(entry + 28);
    s->seal = load32(entry + 32);
    if (s->offset < *end || s->offset != pad8(*end))
        return damaged_head(error, s->kind, "offset", pad8(*end), s->offset);
    if (s->offset > x->length)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "offset", x->length, s->offset));
    for (uint64_t at = *end; !heads && at < s->offset; at++)
        if (x->bytes[at] != 0) return damaged_head(error, s->kind, "padding", 0, x->bytes[at]);
    if (s->length > x->length - s->offset)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "length", x->length - s->offset, s->length));
    s->head = s->parameters + (uint64_t)POCKET_DIRECTORY_ENTRY * s->blocks;
    if (s->parameters % 8)
        return damaged_head(error, s->kind, "length of the parameters", pad8(s->parameters),
                            s->parameters);
    if (s->head > s->length)
        return allowing(error, "at most %",
                        damaged_head(error, s->kind, "length of the head", s->length, s->head));
    if (load32(entry + 36) != 0)
        return damaged_head(error, s->kind, "reserved", 0, load32(entry + 36));
    if (heads && s->head > x->at_hand - *heads)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_LENGTH, s->kind, -1, "length of the heads",
                             *heads + s->head, x->at_hand));
    const uint8_t *head = x->bytes + (heads ? *heads : s->offset);
    if (heads)
        *heads += s->head;
    else
        s->body = head + s->head;
    s->first_block = x->blocks;
    x->blocks += s->blocks;
    *end = s->offset + s->length;
    uint32_t status = copy_head(s, head, error);
    if (!status) status = open_directory(s, error);
    if (status) return status;
    if (s->flags > 1)
        return allowing(error, "0 or %", damaged_head(error, s->kind, "flags", 1, s->flags));
    for (uint32_t k = 0; k < i; k++)
        if (x->sections[k].kind == s->kind)
            return damaged_head(error, s->kind, "number of sections", 1, 2);
    if (s->kind == 0 || s->kind >= POCKET_SECTION_KINDS) {
        if (s->flags & 1)
            return allowing(error, "1 .. %",
                            fail(error, POCKET_TOO_NEW, s->kind, -1, "required section",
                                 POCKET_SECTION_KINDS - 1, s->kind));
        return POCKET_OK;
    }
    x->by_kind[s->kind] = s;
    return POCKET_OK;
}

static uint32_t open_sections(pocket_index *x, const uint8_t *table, int in_pieces,
                              pocket_error *error) {
    uint64_t end = HEADER + (uint64_t)ENTRY * x->section_count, heads = end;
    for (uint32_t i = 0; i < x->section_count; i++) {
        uint32_t status =
            open_section(x, i, table + ENTRY * i, &end, in_pieces ? &heads : NULL, error);
        if (status) return status;
    }
    if (end != x->length) return damaged_head(error, 0, "end of the last section", x->length, end);
    if (in_pieces && heads != x->at_hand)
        return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "length of the heads", heads, x->at_hand);
    for (uint32_t kind = 1; kind <= POCKET_IDS; kind++)
        if (!x->by_kind[kind]) return damaged_head(error, kind, "number of sections", 1, 0);
    size_t bits = (size_t)(x->blocks / 8 + 1);
    x->checked = pocket_malloc(2 * bits);
    if (in_pieces) x->lent = pocket_malloc((size_t)(x->blocks + 1) * sizeof *x->lent);
    if (!x->checked || (in_pieces && !x->lent))
        return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    x->missed = x->checked + bits;
    for (size_t i = 0; i < 2 * bits; i++) bits_init(&x->checked[i]);
    for (uint64_t i = 0; in_pieces && i < x->blocks; i++) x->lent[i] = NULL;
    return POCKET_OK;
}

/* The sections that a file may do without. verify: NULL where pocket_verify has what it needs: a
 * table's look-ups, or work that guards itself. */
static const struct {
    uint32_t kind;
    uint32_t (*open)(pocket_index *x, const section *s, pocket_error *error);
    uint32_t (*verify)(const pocket_index *x, pocket_error *error);
} optional[] = {
    {POCKET_COPIES, copies_open, copies_verify}, {POCKET_TEXTS, texts_open, NULL},
    {POCKET_CELLS, cells_open, cells_verify},    {POCKET_PASSAGES, passages_open, NULL},
    {POCKET_WORDS, words_open, words_verify},    {POCKET_LABELS, labels_open, NULL},
    {POCKET_TITLES, titles_open, NULL},
};

static uint32_t open_optional(pocket_index *x, pocket_error *error) {
    uint32_t status = POCKET_OK;
    for (size_t i = 0; i < sizeof optional / sizeof *optional && !status; i++) {
        const section *s = x->by_kind[optional[i].kind];
        if (s) status = optional[i].open(x, s, error);
    }
    return status;
}

uint32_t verify_optional(const pocket_index *x, pocket_error *error) {
    uint32_t status = POCKET_OK;
    for (size_t i = 0; i < sizeof optional / sizeof *optional && !status; i++)
        if (optional[i].verify && x->by_kind[optional[i].kind])
            status = optional[i].verify(x, error);
    return status;
}

static uint32_t open_all(pocket_index *x, int in_pieces, pocket_error *error) {
    uint8_t front[FRONT];
    if (x->at_hand) memcpy(front, x->bytes, x->at_hand < FRONT ? (size_t)x->at_hand : FRONT);
    uint32_t status = open_header(x, front, in_pieces, error);
    if (status) return status;
    x->sections = pocket_malloc(x->section_count * sizeof *x->sections);
    if (!x->sections) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(x->sections, 0, x->section_count * sizeof *x->sections);
    if ((status = open_sections(x, front + HEADER, in_pieces, error))) return status;
    const section *p = x->by_kind[POCKET_PROFILE], *ids = x->by_kind[POCKET_IDS];
    const char *field;
    if (p->blocks != 0) return damaged_head(error, p->kind, "number of blocks", 0, p->blocks);
    status = profile_open(&x->profile, p->bytes, p->parameters, &field);
    if (status) return fail(error, status, p->kind, -1, field, 0, 0);
    x->fingerprint = murmur(p->bytes, p->parameters);
    if ((status = tables_open(&x->tables, x->by_kind[POCKET_TABLES], x->profile.tables, 0,
                              &x->most_parts, error)))
        return status;
    if ((status = tables_open(&x->ids, ids, 1, 0, &x->most_parts, error))) return status;
    if (x->ids.mph != POCKET_MPH_PILOT)
        return damaged_head(error, ids->kind, "minimal perfect hash", POCKET_MPH_PILOT, x->ids.mph);
    if (x->ids.default_probes != 1)
        return damaged_head(error, ids->kind, "default probes", 1, x->ids.default_probes);
    if (x->ids.checksum_bits != 8)
        return damaged_head(error, ids->kind, "checksum bits", 8, x->ids.checksum_bits);
    if ((status = sketches_open(x, x->by_kind[POCKET_SKETCHES], error))) return status;
    if ((status = documents_open(x, x->by_kind[POCKET_DOCUMENTS], error))) return status;
    return open_optional(x, error);
}

uint32_t open_bytes(const uint8_t *bytes, uint64_t length, int in_pieces, pocket_index **index,
                    pocket_error *error) {
    *index = NULL;
    clear(error);
    if (!bytes && length) return fail(error, POCKET_BAD_ARGUMENT, 0, -1, "bytes", length, 0);
    if (length > SIZE_MAX)
        return fail(error, POCKET_NO_MEMORY, 0, -1, "file size", SIZE_MAX, length);
    pocket_index *x = pocket_malloc(sizeof *x);
    if (!x) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    memset(x, 0, sizeof *x);
    /* Already here: whoever guards this call closes it when the file is lost half way. */
    *index = x;
    x->bytes = bytes;
    x->counting = hamming_counting();
    x->at_hand = length;
    uint32_t status = open_all(x, in_pieces, error);
    if (status) {
        pocket_close(x);
        *index = NULL;
    }
    return status;
}

pocket_status pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index,
                          pocket_error *error) {
    return open_bytes(bytes, length, 0, index, error);
}

void pocket_close(pocket_index *x) {
    if (!x) return;
    if (x->unmap) x->unmap(x->mapping);
    pocket_free((void *)x->checked);
    pocket_free((void *)x->lent);
    for (uint32_t i = 0; x->sections && i < x->section_count; i++)
        pocket_free((void *)(uintptr_t)x->sections[i].bytes);
    pocket_free(x->sections);
    pocket_free(x);
}

void pocket_attach_mph(pocket_index *index, pocket_slots slots) { index->slots = slots; }

void pocket_on_interrupt(pocket_index *index, pocket_interrupt interrupt, void *argument) {
    index->interrupt = interrupt;
    index->interrupt_argument = argument;
}
