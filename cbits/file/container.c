#include "file/container.h"

#include "base/bytes.h"
#include "base/hashes/crc32c.h"
#include "base/limits.h"
#include "sketch/sketch.h"

#define X(name, number, sentence) \
    case name: return sentence;
const char *pocket_sentence(uint32_t status) {
    switch ((pocket_status)status) { POCKET_STATUSES(X) }
    return "Unknown status.";
}
#undef X

uint32_t fail(pocket_error *error, uint32_t status, uint32_t section, int64_t block,
              const char *field, uint64_t expected, uint64_t found) {
    if (error) *error = (pocket_error){status, section, block, expected, found, field, NULL};
    return status;
}

uint32_t no_document(pocket_error *error, uint32_t section, uint64_t documents, uint64_t number) {
    return allowing(error, "less than %",
                    fail(error, POCKET_NOT_FOUND, section, -1, "document", documents, number));
}

uint32_t text_too_long(pocket_error *error, uint64_t length) {
    return allowing(error, "at most %",
                    fail(error, POCKET_TEXT_TOO_LONG, 0, -1, "text", MOST_TEXT, length));
}

uint32_t guarded(const pocket_index *index, uint32_t (*work)(void *), void *argument) {
    return index->guard ? index->guard(index->mapping, work, argument) : work(argument);
}

uint64_t block_first(const section *s, uint32_t i) {
    return load64(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i);
}

uint64_t block_end(const section *s, uint32_t i) {
    return load64(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i + 8);
}

uint64_t block_start(const section *s, uint32_t i) { return i ? block_end(s, i - 1) : 0; }

uint32_t block_get(const pocket_index *index, const section *s, uint32_t i, int no_cache,
                   const uint8_t **bytes, uint64_t *length, pocket_error *error) {
    uint64_t start = block_start(s, i), number = s->first_block + i;
    atomic_bits *checked = &index->checked[number >> 3];
    unsigned char bit = (unsigned char)(1u << (number & 7));
    *bytes = index->lent ? index->lent[number] : s->body + start;
    *length = block_end(s, i) - start;
    if (!*bytes) {
        bits_set(&index->missed[number >> 3], bit);
        return fail(error, POCKET_NOT_AT_HAND, s->kind, i, "block", 0, 0);
    }
    if (!no_cache && (bits_load(checked) & bit)) return POCKET_OK;
    uint32_t expected = load32(s->directory + (uint64_t)POCKET_DIRECTORY_ENTRY * i + 16),
             found = crc32c(0, *bytes, (size_t)*length);
    if (expected != found)
        return fail(error, POCKET_DAMAGED_CHECKSUM, s->kind, i, "CRC32C", expected, found);
    bits_set(checked, bit);
    return POCKET_OK;
}

uint32_t block_find(const section *s, uint32_t from, uint32_t to, uint64_t key) {
    if (from == to || block_first(s, from) > key) return to;
    uint32_t low = from, high = to;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (block_first(s, middle) <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void table_row(const tables *t, uint32_t number, uint32_t *first, uint32_t *parts, uint64_t *keys,
               uint64_t *postings) {
    const uint8_t *row = t->rows + 24 * number;
    *first = load32(row);
    *parts = load32(row + 4);
    if (keys) *keys = load64(row + 8);
    if (postings) *postings = load64(row + 16);
}

uint32_t sketch_get(const pocket_index *index, uint32_t document, packed_sketch *sketch,
                    pocket_error *error) {
    const uint8_t *block;
    uint64_t length;
    uint32_t coarse = coarse_bytes(&index->profile), place = document % index->block_documents,
             left = index->sketched - (document - place),
             count = left < index->block_documents ? left : index->block_documents,
             status = block_get(index, index->by_kind[POCKET_SKETCHES],
                                document / index->block_documents, 0, &block, &length, error);
    if (status) return status;
    sketch->coarse = block + (uint64_t)place * coarse;
    sketch->rest = block + (uint64_t)count * coarse + (uint64_t)place * (index->stride - coarse);
    return POCKET_OK;
}

uint32_t identity_get(const pocket_index *index, uint32_t document, uint32_t *identity,
                      pocket_error *error) {
    const profile *p = &index->profile;
    packed_sketch sketch;
    uint32_t status = sketch_get(index, document, &sketch, error);
    *identity = 0;
    for (uint32_t i = 0; i < index->identity_bits / 8 && !status; i++)
        *identity |= (uint32_t)sketch.rest[sketch_bytes(p) - coarse_bytes(p) + i] << (8 * i);
    return status;
}
