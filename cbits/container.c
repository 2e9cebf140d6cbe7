#include "container.h"

#include "bytes.h"
#include "cells.h"
#include "crc32c.h"
#include "hamming.h"
#include "hash.h"
#include "memory.h"
#include "part.h"
#include "shared.h"
#include "sketch.h"
#include "texts.h"
#include "titles.h"
#include "utf8.h"

#define HEADER 32u
#define ENTRY 40u
#define DIRECTORY 20u
#define MAX_SECTIONS 64u

static const uint8_t magic[8] = {0x89, 0x50, 0x43, 0x4B, 0x54, 0x0D, 0x0A, 0x1A};

#define X(name, number, sentence) case name: return sentence;
const char *pocket_sentence(uint32_t status) {
    switch ((pocket_status)status) { POCKET_STATUSES(X) }
    return "Unknown status.";
}
#undef X

uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block, const char *field, uint64_t expected, uint64_t found) {
    if (error) *error = (pocket_error){status, section, block, expected, found, field, NULL};
    return status;
}

uint32_t guarded(const pocket_index *index, uint32_t (*work)(void *), void *argument) {
    return index->guard ? index->guard(index->mapping, work, argument) : work(argument);
}

uint64_t block_first(const section *s, uint32_t i) { return load64(s->directory + (uint64_t)DIRECTORY * i); }

uint64_t block_end(const section *s, uint32_t i) { return load64(s->directory + (uint64_t)DIRECTORY * i + 8); }

uint64_t block_start(const section *s, uint32_t i) { return i ? block_end(s, i - 1) : 0; }

uint32_t block_get(const pocket_index *index, const section *s, uint32_t i, int no_cache, const uint8_t **bytes, uint64_t *length, pocket_error *error) {
    uint64_t start = block_start(s, i), number = s->first_block + i;
    _Atomic unsigned char *checked = &index->checked[number >> 3];
    unsigned char bit = (unsigned char)(1u << (number & 7));
    *bytes = index->lent ? index->lent[number] : s->body + start;
    *length = block_end(s, i) - start;
    if (!*bytes) {
        atomic_fetch_or_explicit(&index->missed[number >> 3], bit, memory_order_relaxed);
        return fail(error, POCKET_NOT_AT_HAND, s->kind, i, "block", 0, 0);
    }
    if (!no_cache && (atomic_load_explicit(checked, memory_order_relaxed) & bit)) return POCKET_OK;
    uint32_t expected = load32(s->directory + (uint64_t)DIRECTORY * i + 16), found = pocket_crc32c(0, *bytes, (size_t)*length);
    if (expected != found) return fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, i, "CRC32C", expected, found);
    atomic_fetch_or_explicit(checked, bit, memory_order_relaxed);
    return POCKET_OK;
}

uint32_t block_find(const section *s, uint32_t from, uint32_t to, uint64_t key) {
    if (from == to || block_first(s, from) > key) return to;
    uint32_t low = from, high = to;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (block_first(s, middle) <= key) low = middle;
        else high = middle;
    }
    return low;
}

void table_row(const tables *t, uint32_t number, uint32_t *first, uint32_t *parts, uint64_t *keys, uint64_t *postings) {
    const uint8_t *row = t->rows + 24 * number;
    *first = load32(row);
    *parts = load32(row + 4);
    if (keys) *keys = load64(row + 8);
    if (postings) *postings = load64(row + 16);
}

uint32_t record_get(const pocket_index *index, uint32_t document, const uint8_t **record, pocket_error *error) {
    const section *s = index->by_kind[POCKET_SKETCHES];
    uint64_t length;
    uint32_t block = document / index->block_documents;
    uint32_t status = block_get(index, s, block, 0, record, &length, error);
    if (!status) *record += (uint64_t)(document % index->block_documents) * index->stride;
    return status;
}

const uint8_t *record_identity(const pocket_index *index, const uint8_t *record) { return record + sketch_bytes(&index->profile); }

/* ---- opening ---- */

static uint32_t bad(pocket_error *error, uint32_t section, const char *field, uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, section, -1, field, expected, found);
}

#define FRONT (HEADER + ENTRY * MAX_SECTIONS)

/* b: a copy of the header and the section table, as much of them as is at hand. */
static uint32_t open_header(pocket_index *x, const uint8_t *b, int in_pieces, pocket_error *error) {
    if (x->at_hand < sizeof magic || memcmp(b, magic, sizeof magic)) return fail(error, POCKET_NOT_POCKET, 0, -1, "magic", 0, 0);
    if (x->at_hand < HEADER) return allowing(error, "at least %", fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER, x->at_hand));
    x->major = load16(b + 8);
    x->minor = load16(b + 10);
    /* Before the seal: a newer header may be sealed in another way. */
    if (x->major != 1) return fail(error, POCKET_TOO_NEW, 0, -1, "major version", 1, x->major);
    x->section_count = load32(b + 12);
    if (x->section_count < 1 || x->section_count > MAX_SECTIONS) return allowing(error, "1 .. %", fail(error, POCKET_DAMAGED_HEADER, 0, -1, "number of sections", MAX_SECTIONS, x->section_count));
    x->length = load64(b + 16);
    if (x->length != x->at_hand && !in_pieces) return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", x->length, x->at_hand);
    uint64_t table = (uint64_t)ENTRY * x->section_count;
    if (x->at_hand - HEADER < table) return allowing(error, "at least %", fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "file size", HEADER + table, x->at_hand));
    uint32_t found = pocket_crc32c(pocket_crc32c(0, b, 28), b + HEADER, (size_t)table);
    if (found != load32(b + 28)) return fail(error, POCKET_DAMAGED_HEADER, 0, -1, "CRC32C", load32(b + 28), found);
    if (load32(b + 24) != 0) return bad(error, 0, "reserved", 0, load32(b + 24));
    return POCKET_OK;
}

static uint32_t open_directory(const section *s, pocket_error *error) {
    uint64_t room = s->length - s->head, before = 0;
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t end = block_end(s, i);
        /* Ends rise and the last one is room: none lies beyond it. */
        if (end <= before) return allowing(error, "more than %", fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", before, end));
        before = end;
    }
    return before == room ? POCKET_OK : bad(error, s->kind, "end of the last block", room, before);
}

static uint32_t copy_head(section *s, const uint8_t *head, pocket_error *error) {
    uint8_t *copy = pocket_malloc((size_t)s->head);
    s->bytes = copy;
    if (!copy) return fail(error, POCKET_NO_MEMORY, s->kind, -1, NULL, 0, 0);
    memcpy(copy, head, (size_t)s->head);
    s->directory = s->bytes + s->parameters;
    uint32_t found = pocket_crc32c(0, s->bytes, (size_t)s->head);
    return found == s->seal ? POCKET_OK : fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, -1, "CRC32C", s->seal, found);
}

/* heads: NULL, or of a file in pieces where the head of this section lies, then that of the next. */
static uint32_t open_section(pocket_index *x, uint32_t i, const uint8_t *entry, uint64_t *end, uint64_t *heads, pocket_error *error) {
    section *s = &x->sections[i];
    s->kind = load32(entry);
    s->flags = load32(entry + 4);
    s->offset = load64(entry + 8);
    s->length = load64(entry + 16);
    s->parameters = load32(entry + 24);
    s->blocks = load32(entry + 28);
    s->seal = load32(entry + 32);
    if (s->offset < *end || s->offset != pad8(*end)) return bad(error, s->kind, "offset", pad8(*end), s->offset);
    if (s->offset > x->length) return allowing(error, "at most %", bad(error, s->kind, "offset", x->length, s->offset));
    for (uint64_t at = *end; !heads && at < s->offset; at++)
        if (x->bytes[at] != 0) return bad(error, s->kind, "padding", 0, x->bytes[at]);
    if (s->length > x->length - s->offset) return allowing(error, "at most %", bad(error, s->kind, "length", x->length - s->offset, s->length));
    s->head = s->parameters + (uint64_t)DIRECTORY * s->blocks;
    if (s->parameters % 8) return bad(error, s->kind, "length of the parameters", pad8(s->parameters), s->parameters);
    if (s->head > s->length) return allowing(error, "at most %", bad(error, s->kind, "length of the head", s->length, s->head));
    if (load32(entry + 36) != 0) return bad(error, s->kind, "reserved", 0, load32(entry + 36));
    if (heads && s->head > x->at_hand - *heads) return allowing(error, "at least %", fail(error, POCKET_DAMAGED_LENGTH, s->kind, -1, "length of the heads", *heads + s->head, x->at_hand));
    const uint8_t *head = x->bytes + (heads ? *heads : s->offset);
    if (heads) *heads += s->head;
    else s->body = head + s->head;
    s->first_block = x->blocks;
    x->blocks += s->blocks;
    *end = s->offset + s->length;
    uint32_t status = copy_head(s, head, error);
    if (!status) status = open_directory(s, error);
    if (status) return status;
    if (s->flags > 1) return allowing(error, "0 or %", bad(error, s->kind, "flags", 1, s->flags));
    for (uint32_t k = 0; k < i; k++)
        if (x->sections[k].kind == s->kind) return bad(error, s->kind, "number of sections", 1, 2);
    if (s->kind == 0 || s->kind >= POCKET_SECTION_KINDS) {
        if (s->flags & 1) return allowing(error, "1 .. %", fail(error, POCKET_TOO_NEW, s->kind, -1, "required section", POCKET_SECTION_KINDS - 1, s->kind));
        return POCKET_OK;
    }
    x->by_kind[s->kind] = s;
    return POCKET_OK;
}

static uint32_t open_sections(pocket_index *x, const uint8_t *table, int in_pieces, pocket_error *error) {
    uint64_t end = HEADER + (uint64_t)ENTRY * x->section_count, heads = end;
    for (uint32_t i = 0; i < x->section_count; i++) {
        uint32_t status = open_section(x, i, table + ENTRY * i, &end, in_pieces ? &heads : NULL, error);
        if (status) return status;
    }
    if (end != x->length) return bad(error, 0, "end of the last section", x->length, end);
    if (in_pieces && heads != x->at_hand) return fail(error, POCKET_DAMAGED_LENGTH, 0, -1, "length of the heads", heads, x->at_hand);
    for (uint32_t kind = 1; kind <= POCKET_IDS; kind++)
        if (!x->by_kind[kind]) return bad(error, kind, "number of sections", 1, 0);
    size_t bits = (size_t)(x->blocks / 8 + 1);
    x->checked = pocket_malloc(2 * bits);
    if (in_pieces) x->lent = pocket_malloc((size_t)(x->blocks + 1) * sizeof *x->lent);
    if (!x->checked || (in_pieces && !x->lent)) return fail(error, POCKET_NO_MEMORY, 0, -1, NULL, 0, 0);
    x->missed = x->checked + bits;
    for (size_t i = 0; i < 2 * bits; i++) atomic_init(&x->checked[i], 0);
    for (uint64_t i = 0; in_pieces && i < x->blocks; i++) x->lent[i] = NULL;
    return POCKET_OK;
}

static uint32_t open_tables(tables *t, const section *s, uint32_t count, uint32_t *most, pocket_error *error) {
    const uint8_t *b = s->bytes;
    t->section = s;
    if (s->parameters != 24 + 24 * count) return bad(error, s->kind, "length of the parameters", 24 + 24 * count, s->parameters);
    t->count = load32(b);
    t->mph = load32(b + 4);
    t->checksum_bits = load32(b + 8);
    t->posting_bits = load32(b + 12);
    t->default_probes = load32(b + 20);
    t->rows = b + 24;
    if (t->count != count) return bad(error, s->kind, "number of tables", count, t->count);
    if (t->mph < POCKET_MPH_PILOT || t->mph > POCKET_MPH_CHD) return allowing(error, "1 .. %", fail(error, POCKET_TOO_NEW, s->kind, -1, "minimal perfect hash", POCKET_MPH_CHD, t->mph));
    if (t->checksum_bits != 0 && t->checksum_bits != 8 && t->checksum_bits != 16 && t->checksum_bits != 32)
        return allowing(error, "0, 8, 16 or %", bad(error, s->kind, "checksum bits", 32, t->checksum_bits));
    if (t->posting_bits < 1 || t->posting_bits > 32) return allowing(error, "1 .. %", bad(error, s->kind, "posting bits", 32, t->posting_bits));
    if (load32(b + 16) != 0) return fail(error, POCKET_TOO_NEW, s->kind, -1, "unit of a posting", 0, load32(b + 16));
    uint32_t probes = count && POCKET_MAX_KEYS_ASKED / count < 65536 ? POCKET_MAX_KEYS_ASKED / count : 65536;
    if (t->default_probes < 1 || t->default_probes > probes) return allowing(error, "1 .. %", bad(error, s->kind, "default probes", probes, t->default_probes));
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first, parts;
        table_row(t, i, &first, &parts, NULL, NULL);
        if (first != part) return bad(error, s->kind, "first part", part, first);
        if (parts > s->blocks - part) return allowing(error, "0 .. %", bad(error, s->kind, "number of parts", s->blocks - part, parts));
        for (uint32_t j = first + 1; j < first + parts; j++)
            if (block_first(s, j) <= block_first(s, j - 1)) return allowing(error, "more than %", fail(error, POCKET_DAMAGED_FIELD, s->kind, j, "first", block_first(s, j - 1), block_first(s, j)));
        part += parts;
        if (parts > *most) *most = parts;
    }
    return part == s->blocks ? POCKET_OK : bad(error, s->kind, "number of blocks", part, s->blocks);
}

static uint32_t open_sketches(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16 && s->parameters != 24) return allowing(error, "16 or %", bad(error, s->kind, "length of the parameters", 24, s->parameters));
    x->documents = load32(b);
    x->stride = load32(b + 4);
    x->identity_bits = load32(b + 8);
    x->block_documents = load32(b + 12);
    if (x->identity_bits != 0 && x->identity_bits != 8 && x->identity_bits != 16 && x->identity_bits != 32)
        return allowing(error, "0, 8, 16 or %", bad(error, s->kind, "identity bits", 32, x->identity_bits));
    if (s->parameters == 24) {
        x->shared_bits = load32(b + 16);
        if (x->shared_bits == 0 || !shared_bits_allowed(x->shared_bits)) return allowing(error, "64, 128 or %", bad(error, s->kind, "shared bits", SHARED_MOST_BITS, x->shared_bits));
        if (load32(b + 20) != 0) return bad(error, s->kind, "reserved", 0, load32(b + 20));
    }
    uint32_t stride = sketch_bytes(&x->profile) + (x->identity_bits + x->shared_bits) / 8;
    if (x->stride != stride) return bad(error, s->kind, "stride", stride, x->stride);
    if (x->block_documents < 1) return allowing(error, "at least %", bad(error, s->kind, "documents a block", 1, 0));
    uint32_t blocks = x->documents / x->block_documents + (x->documents % x->block_documents != 0);
    if (s->blocks != blocks) return bad(error, s->kind, "number of blocks", blocks, s->blocks);
    uint64_t end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        uint64_t first = (uint64_t)i * x->block_documents, count = x->documents - first;
        if (count > x->block_documents) count = x->block_documents;
        end += count * stride;
        if (block_first(s, i) != first) return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", first, block_first(s, i));
        if (block_end(s, i) != end) return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", end, block_end(s, i));
    }
    return POCKET_OK;
}

/* The symbols behind the url template, at being where their lengths begin. */
static uint32_t open_symbols(pocket_index *x, const section *s, uint64_t at, uint32_t count, pocket_error *error) {
    uint64_t end = at + count;
    if (count > SYMBOLS) return allowing(error, "0 .. %", bad(error, s->kind, "number of symbols", SYMBOLS, count));
    if (end > s->parameters) return allowing(error, "at least %", bad(error, s->kind, "length of the parameters", end, s->parameters));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = s->bytes[at + i];
        if (length < 1 || length > SYMBOL_BYTES) return allowing(error, "1 .. %", bad(error, s->kind, "length of a symbol", SYMBOL_BYTES, length));
        if (length > s->parameters - end) return allowing(error, "at least %", bad(error, s->kind, "length of the parameters", end + length, s->parameters));
        memcpy(x->symbols[i], s->bytes + end, length);
        x->symbol_lengths[i] = (uint8_t)length;
        end += length;
    }
    if (s->parameters != pad8(end)) return bad(error, s->kind, "length of the parameters", pad8(end), s->parameters);
    for (; end < s->parameters; end++)
        if (s->bytes[end] != 0) return bad(error, s->kind, "padding", 0, s->bytes[end]);
    return POCKET_OK;
}

static uint32_t open_documents(pocket_index *x, const section *s, pocket_error *error) {
    if (s->parameters < 16) return allowing(error, "at least %", bad(error, s->kind, "length of the parameters", 16, s->parameters));
    uint32_t documents = load32(s->bytes), status;
    x->template_length = load32(s->bytes + 4);
    const uint8_t *url_template = s->bytes + 16;
    if (documents != x->documents) return bad(error, s->kind, "number of documents", x->documents, documents);
    if (x->template_length > POCKET_MAX_TEMPLATE)
        return allowing(error, "0 .. %", bad(error, s->kind, "length of the template", POCKET_MAX_TEMPLATE, x->template_length));
    if (x->template_length > s->parameters - 16)
        return allowing(error, "at least %", bad(error, s->kind, "length of the parameters", 16 + (uint64_t)x->template_length, s->parameters));
    if (load32(s->bytes + 12) != 0) return bad(error, s->kind, "reserved", 0, load32(s->bytes + 12));
    if (!is_utf8(url_template, x->template_length)) return bad(error, s->kind, "template", 0, 0);
    memcpy(x->url_template, url_template, x->template_length);
    if ((status = open_symbols(x, s, 16 + (uint64_t)x->template_length, load32(s->bytes + 8), error))) return status;
    if ((s->blocks == 0) != (documents == 0)) return allowing(error, documents ? "1 .. %" : NULL, bad(error, s->kind, "number of blocks", documents, s->blocks));
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t least = i ? block_first(s, i - 1) + 1 : 0, size = block_end(s, i) - block_start(s, i);
        if (i == 0 && block_first(s, 0) != 0) return fail(error, POCKET_DAMAGED_FIELD, s->kind, 0, "first", 0, block_first(s, 0));
        if (block_first(s, i) < least) return allowing(error, "at least %", fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", least, block_first(s, i)));
        if (block_first(s, i) >= documents) return allowing(error, "less than %", fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", documents, block_first(s, i)));
        if (size > POCKET_MAX_DOCUMENTS_BLOCK) return allowing(error, "1 .. %", fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "length of the block", POCKET_MAX_DOCUMENTS_BLOCK, size));
    }
    return POCKET_OK;
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
    if (p->blocks != 0) return bad(error, p->kind, "number of blocks", 0, p->blocks);
    status = profile_open(&x->profile, p->bytes, p->parameters, &field);
    if (status) return fail(error, status, p->kind, -1, field, 0, 0);
    x->fingerprint = pocket_murmur(p->bytes, p->parameters);
    if ((status = open_tables(&x->tables, x->by_kind[POCKET_TABLES], x->profile.tables, &x->most_parts, error))) return status;
    if ((status = open_tables(&x->ids, ids, 1, &x->most_parts, error))) return status;
    if (x->ids.mph != POCKET_MPH_PILOT) return bad(error, ids->kind, "minimal perfect hash", POCKET_MPH_PILOT, x->ids.mph);
    if (x->ids.default_probes != 1) return bad(error, ids->kind, "default probes", 1, x->ids.default_probes);
    if (x->ids.checksum_bits != 8) return bad(error, ids->kind, "checksum bits", 8, x->ids.checksum_bits);
    if ((status = open_sketches(x, x->by_kind[POCKET_SKETCHES], error))) return status;
    if ((status = open_documents(x, x->by_kind[POCKET_DOCUMENTS], error))) return status;
    if (x->by_kind[POCKET_TEXTS] && (status = texts_open(x, x->by_kind[POCKET_TEXTS], error))) return status;
    if (x->by_kind[POCKET_CELLS] && (status = cells_open(x, x->by_kind[POCKET_CELLS], error))) return status;
    return x->by_kind[POCKET_TITLES] ? titles_open(x, x->by_kind[POCKET_TITLES], error) : POCKET_OK;
}

uint32_t open_bytes(const uint8_t *bytes, uint64_t length, int in_pieces, pocket_index **index, pocket_error *error) {
    *index = NULL;
    clear(error);
    if (length > SIZE_MAX) return fail(error, POCKET_NO_MEMORY, 0, -1, "file size", SIZE_MAX, length);
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

uint32_t pocket_open(const uint8_t *bytes, uint64_t length, pocket_index **index, pocket_error *error) { return open_bytes(bytes, length, 0, index, error); }

void pocket_close(pocket_index *x) {
    if (!x) return;
    if (x->unmap) x->unmap(x->mapping);
    pocket_free((void *)x->checked);
    pocket_free((void *)x->lent);
    for (uint32_t i = 0; x->sections && i < x->section_count; i++) pocket_free((void *)(uintptr_t)x->sections[i].bytes);
    pocket_free(x->sections);
    pocket_free(x);
}

void pocket_attach_mph(pocket_index *index, pocket_slots slots) { index->slots = slots; }

void pocket_on_interrupt(pocket_index *index, pocket_interrupt interrupt, void *argument) {
    index->interrupt = interrupt;
    index->interrupt_argument = argument;
}
