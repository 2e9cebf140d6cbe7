/* Opening a profile: bounds first, then pointers into its bytes. */
#include "sketch/profile.h"
#include "sketch/registers.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "text/terms.h"

#define PROFILE_HEAD 32u
#define MAX_PROFILE 524288u

static const scheme *const schemes[] = {&scheme_ff,      &scheme_rff,      &scheme_plsh,
                                        &scheme_minhash, &scheme_wminhash, &scheme_simhash};

uint32_t component_source(const profile *p, uint32_t component) {
    return load16(p->components + 4 * component);
}
uint32_t component_intervals(const profile *p, uint32_t component) {
    return load16(p->components + 4 * component + 2);
}

uint32_t digit_bits(uint32_t intervals) {
    uint32_t bits = 0;
    while ((1u << bits) < intervals) bits++;
    return bits;
}

/* The next array of the profile, padded to 8 bytes; NULL when it does not fit. */
static const uint8_t *take(const profile *p, uint64_t *at, uint64_t size) {
    const uint8_t *array = p->bytes + *at;
    if (size > p->length - *at || pad8(size) > p->length - *at) return NULL;
    for (uint64_t i = size; i < pad8(size); i++)
        if (array[i] != 0) return NULL;
    *at += pad8(size);
    return array;
}

static const char *open_components(profile *p) {
    uint32_t borders = 0;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t r = component_intervals(p, j);
        if (r < 2 || r > 16) return "intervals";
        if (r - 1 > p->border_count - borders) return "borders";
        for (uint32_t i = 1; i < r - 1; i++)
            if ((int32_t)load32(p->borders + 4 * (borders + i)) <=
                (int32_t)load32(p->borders + 4 * (borders + i - 1)))
                return "borders";
        borders += r - 1;
        p->sketch_bits += digit_bits(r);
    }
    return borders == p->border_count ? NULL : "borders";
}

/* A row of the tables array, and what it adds to its sub-key. */
static const char *add_key_row(profile *p, sub_key *key, const uint8_t *bytes, key_row *row,
                               uint64_t *radix) {
    *row = (key_row){load16(bytes), load16(bytes + 2) & 0x3FFFu, 0, 0};
    if (row->count == 0 || row->first >= p->component_count ||
        row->count > p->component_count - row->first)
        return "tables";
    if (key->row_count > 0 && row->first < row[-1].first + row[-1].count) return "tables";
    for (uint32_t j = 0; j < row->first; j++) row->bit += digit_bits(component_intervals(p, j));
    for (uint32_t j = row->first; j < row->first + row->count; j++) {
        uint32_t r = component_intervals(p, j);
        /* A product of 2^64 itself still fits: the largest key is one less. */
        if (*radix == 0 || *radix - 1 > (UINT64_MAX - (r - 1)) / r) key->hashed = 1;
        *radix *= r;
        if (r & (r - 1)) key->packed = 0;
        row->bits += digit_bits(r);
    }
    key->row_count++;
    key->count += row->count;
    return key->count > POCKET_MAX_KEY_COMPONENTS ? "components of a sub-key" : NULL;
}

static const char *open_sub_keys(profile *p, const uint8_t *bytes) {
    uint32_t opened = 0;
    uint64_t radix = 1;
    sub_key *key = NULL;
    for (uint32_t i = 0; i < p->row_count; i++) {
        uint32_t marks = load16(bytes + 4 * i + 2) >> 14; /* 1: goes on, 2: sum */
        if (marks == 3 || (marks == 1 && !key)) return "tables";
        if (marks != 1) {
            if (opened == p->tables) return "tables";
            key = &p->keys[opened++];
            *key = (sub_key){p->rows + i, 0, 0, 1, 0, marks == 2};
            radix = 1;
        }
        const char *field = add_key_row(p, key, bytes + 4 * i, &p->rows[i], &radix);
        if (field) return field;
    }
    for (uint32_t t = 0; t < opened; t++) {
        key = &p->keys[t];
        if (key->summed) key->hashed = 0;
        if (key->hashed || key->summed) key->packed = 0;
    }
    return opened == p->tables ? NULL : "tables";
}

/* Is a slot free, and no run of taken ones, cyclically, too long? */
static int are_sparse(const uint8_t *stops, uint32_t slots) {
    uint32_t run = 0, longest = 0;
    for (uint32_t i = 0; i < 2 * slots; i++) {
        run = load64(stops + 8 * (size_t)(i & (slots - 1))) ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return slots == 0 || (longest < slots && longest <= POCKET_MAX_STOP_RUN);
}

static const char *open_arrays(profile *p) {
    const uint8_t *b = p->bytes, *tables;
    uint64_t at = PROFILE_HEAD;
    p->tables = load16(b + 4);
    p->component_count = load32(b + 8);
    p->border_count = load32(b + 12);
    p->stop_slots = load32(b + 16);
    p->least_terms = load32(b + 20);
    p->name_length = load16(b + 24);
    p->row_count = load16(b + 26);
    if (p->tables > POCKET_MAX_TABLES) return "number of tables";
    if (load16(b + 6) != 0) return "reserved";
    if (p->component_count < 1 || p->component_count > 4096) return "number of components";
    if (p->border_count < p->component_count || p->border_count > 15 * p->component_count)
        return "number of borders";
    if (p->stop_slots > 16384 || (p->stop_slots & (p->stop_slots - 1))) return "stop slots";
    if (p->least_terms < 1) return "least number of terms";
    if (p->name_length > 255) return "length of the name";
    if (p->row_count < p->tables || p->row_count > POCKET_MAX_ROWS) return "rows of tables";
    for (int i = 28; i < 32; i++)
        if (b[i] != 0) return "reserved";
    if (!(p->name = take(p, &at, p->name_length)) || !is_utf8(p->name, p->name_length))
        return "name";
    if (!(p->stops = take(p, &at, 8ull * p->stop_slots))) return "stop words";
    if (!(tables = take(p, &at, 4ull * p->row_count))) return "tables";
    if (!(p->components = take(p, &at, 4ull * p->component_count))) return "components";
    if (!(p->borders = take(p, &at, 4ull * p->border_count))) return "borders";
    p->body = b + at;
    p->body_length = p->length - at;
    for (uint32_t i = 0; i < POCKET_BODY_FIELDS && 4ull * i + 4 <= p->body_length; i++)
        p->fields[i] = load32(p->body + 4 * i);
    if (!are_sparse(p->stops, p->stop_slots)) return "stop words";
    const char *field = open_components(p);
    return field ? field : open_sub_keys(p, tables);
}

uint32_t profile_open(profile *p, const uint8_t *bytes, uint64_t length, const char **field) {
    memset(p, 0, sizeof *p);
    p->bytes = bytes;
    p->length = length;
    *field = "length";
    if (length < PROFILE_HEAD || length > MAX_PROFILE || length % 8) return POCKET_DAMAGED_FIELD;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (schemes[i]->number == load16(bytes)) p->scheme = schemes[i];
    *field = "scheme";
    if (!p->scheme) return POCKET_TOO_NEW;
    *field = "term stream";
    p->stream = load16(bytes + 2);
    if (p->stream != STREAM_FOLDED && p->stream != STREAM_INTEROP && p->stream != STREAM_MARKED)
        return POCKET_TOO_NEW;
    p->registers = best_registers();
    *field = open_arrays(p);
    if (!*field) *field = p->scheme->check(p);
    return *field ? POCKET_DAMAGED_FIELD : POCKET_OK;
}
