/* The builder's way into the core: hashes and sketches of many texts at once. */
#include "bytes.h"
#include "hash.h"
#include "memory.h"
#include "pocket_build.h"
#include "prefix.h"
#include "probe.h"
#include "profile.h"
#include "ranking.h"
#include "sketch.h"

struct pocket_profile {
    profile profile;
};

void pocket_murmur_many(const uint8_t *bytes, const uint64_t *ends, size_t count, uint64_t *hashes) {
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) hashes[i] = pocket_murmur(bytes + start, (size_t)(ends[i] - start));
}

uint32_t pocket_profile_open(const uint8_t *bytes, uint64_t length, pocket_profile **out, pocket_error *error) {
    const char *field = NULL;
    *out = NULL;
    pocket_profile *p = pocket_malloc(sizeof *p + (size_t)length);
    if (error) *error = (pocket_error){POCKET_NO_MEMORY, POCKET_PROFILE, -1, 0, length, NULL};
    if (!p) return POCKET_NO_MEMORY;
    uint8_t *copy = (uint8_t *)(p + 1);
    memcpy(copy, bytes, (size_t)length);
    uint32_t status = profile_open(&p->profile, copy, length, &field);
    if (error) *error = (pocket_error){status, POCKET_PROFILE, -1, 0, 0, field};
    if (status) pocket_free(p);
    else *out = p;
    return status;
}

void pocket_profile_close(pocket_profile *p) { pocket_free(p); }

void pocket_profile_summarize(const pocket_profile *p, pocket_summary *s) {
    *s = (pocket_summary){
        .profile_fingerprint = pocket_murmur(p->profile.bytes, (size_t)p->profile.length),
        .scheme = p->profile.scheme->number,
        .stream = p->profile.stream,
        .tables = p->profile.tables,
        .components = p->profile.component_count,
        .stride = sketch_bytes(&p->profile),
        .least_terms = p->profile.least_terms,
    };
}

uint32_t pocket_sketch_many(const pocket_profile *profile, const uint8_t *texts, const uint64_t *ends, size_t count, uint32_t identity_bits,
                            uint8_t *sketches, uint64_t *keys, uint32_t *terms) {
    const struct profile *p = &profile->profile;
    size_t bytes = sketch_bytes(p), stride = bytes + identity_bits / 8;
    uint64_t start = 0;
    sketch s;
    if (!sketch_alloc(&s, p, 0)) return POCKET_NO_MEMORY;
    memset(sketches, 0, count * stride);
    memset(keys, 0, count * p->tables * sizeof *keys);
    for (size_t i = 0; i < count; start = ends[i++]) {
        uint64_t length = ends[i] - start;
        uint32_t status = sketch_text(p, texts + start, length, &s);
        terms[i] = s.terms > UINT32_MAX ? UINT32_MAX : (uint32_t)s.terms;
        if (status == POCKET_TEXT_TOO_SHORT) continue;
        if (status) {
            sketch_free(&s);
            return status;
        }
        sketch_pack(p, s.digits, sketches + i * stride);
        uint64_t identity = pocket_murmur(texts + start, (size_t)length);
        for (uint32_t k = 0; k < identity_bits / 8; k++) sketches[i * stride + bytes + k] = (uint8_t)(identity >> (8 * k));
        for (uint32_t t = 0; t < p->tables; t++) keys[i * p->tables + t] = sub_key_of_digits(p, t, s.digits);
    }
    sketch_free(&s);
    return POCKET_OK;
}

uint32_t pocket_prefix_bins(const uint8_t *terms, const uint64_t *ends, size_t count, uint32_t prefix, uint32_t bins, uint32_t *out) {
    uint64_t start = 0;
    if (bins == 0 || (bins & (bins - 1)) || prefix == 0) return POCKET_BAD_ARGUMENT;
    for (size_t i = 0; i < count; start = ends[i++]) out[i] = (uint32_t)prefix_hash(terms + start, (size_t)(ends[i] - start), prefix) & (bins - 1);
    return POCKET_OK;
}

uint32_t pocket_project_many(const pocket_profile *profile, const uint8_t *texts, const uint64_t *ends, size_t count, int32_t *ratios, uint32_t *terms) {
    const struct profile *p = &profile->profile;
    uint64_t start = 0;
    uint32_t status = POCKET_OK;
    sketch s;
    if (!p->scheme->rotated) return POCKET_BAD_ARGUMENT;
    if (!sketch_alloc(&s, p, 0)) return POCKET_NO_MEMORY;
    memset(ratios, 0, count * p->component_count * sizeof *ratios);
    for (size_t i = 0; i < count && !status; start = ends[i++]) {
        s.ratios = ratios + i * p->component_count;
        status = sketch_text(p, texts + start, ends[i] - start, &s);
        terms[i] = s.terms > UINT32_MAX ? UINT32_MAX : (uint32_t)s.terms;
        if (status == POCKET_TEXT_TOO_SHORT) status = POCKET_OK;
    }
    sketch_free(&s);
    return status;
}

uint32_t pocket_probe_keys(const pocket_profile *profile, const uint8_t *text, uint64_t length, uint32_t table, uint64_t *keys, uint32_t *count) {
    const struct profile *p = &profile->profile;
    sketch s;
    if (table >= p->tables || *count < 1 || *count > POCKET_MAX_PROBES) return POCKET_BAD_ARGUMENT;
    uint32_t *masks = pocket_malloc(*count * sizeof *masks);
    int sketched = sketch_alloc(&s, p, 1);
    uint32_t status = sketched && masks ? sketch_text(p, text, length, &s) : POCKET_NO_MEMORY;
    *count = status ? 0 : probe_keys(p, table, &s, *count, keys, masks);
    sketch_free(&s);
    pocket_free(masks);
    return status;
}

uint32_t pocket_agreements(const pocket_profile *profile, const uint8_t *text, uint64_t length, const uint8_t *records, size_t stride, size_t count, uint32_t *agreements) {
    const struct profile *p = &profile->profile;
    sketch s;
    ranking r;
    int sketched = sketch_alloc(&s, p, 1), ready = ranking_alloc(&r, p);
    uint32_t status = sketched && ready ? sketch_text(p, text, length, &s) : POCKET_NO_MEMORY;
    if (!status) ranking_begin(&r, &s);
    for (size_t i = 0; i < count && !status; i++)
        if (!ranking_agreement(&r, records + i * stride, &agreements[i])) status = POCKET_BAD_ARGUMENT;
    ranking_free(&r);
    sketch_free(&s);
    return status;
}
