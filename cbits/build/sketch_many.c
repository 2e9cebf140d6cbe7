/* A profile before there is a file, and the sketches of many texts at once. */
#include "base/hashes/hash.h"
#include "base/memory.h"
#include "build/asking.h"
#include "sketch/cell_scores.h"
#include "sketch/profile.h"
#include "sketch/sketch.h"
#include "sketch/copy_key.h"

struct pocket_profile {
    profile profile;
};

pocket_status pocket_profile_open(const uint8_t *bytes, uint64_t length, pocket_profile **out,
                                  pocket_error *error) {
    const char *field = NULL;
    *out = NULL;
    pocket_profile *p = pocket_malloc(sizeof *p + (size_t)length);
    if (error) *error = (pocket_error){POCKET_NO_MEMORY, POCKET_PROFILE, -1, 0, length, NULL, NULL};
    if (!p) return POCKET_NO_MEMORY;
    uint8_t *copy = (uint8_t *)(p + 1);
    memcpy(copy, bytes, (size_t)length);
    uint32_t status = profile_open(&p->profile, copy, length, &field);
    if (error) *error = (pocket_error){status, POCKET_PROFILE, -1, 0, 0, field, NULL};
    if (status)
        pocket_free(p);
    else
        *out = p;
    return status;
}

void pocket_profile_close(pocket_profile *p) { pocket_free(p); }

void pocket_profile_summarize(const pocket_profile *p, pocket_summary *s) {
    *s = (pocket_summary){
        .profile_fingerprint = murmur(p->profile.bytes, (size_t)p->profile.length),
        .scheme = p->profile.scheme->number,
        .stream = p->profile.stream,
        .tables = p->profile.tables,
        .components = p->profile.component_count,
        .stride = sketch_bytes(&p->profile),
        .least_terms = p->profile.least_terms,
    };
}

pocket_status pocket_sketch_many(const pocket_profile *profile, const uint8_t *texts,
                                 const uint64_t *ends, size_t count, uint32_t identity_bits,
                                 uint8_t *sketches, uint64_t *keys, uint32_t *terms,
                                 int8_t *steps, uint64_t *copies, pocket_interrupt ask) {
    const struct profile *p = &profile->profile;
    size_t bytes = sketch_bytes(p), stride = bytes + identity_bits / 8;
    uint64_t start = 0;
    sketch s;
    asking a;
    meter m = meter_asking(&a, ask);
    if (!sketch_alloc(&s, p, steps != NULL)) return POCKET_NO_MEMORY;
    s.meter = &m;
    memset(sketches, 0, count * stride);
    memset(keys, 0, count * p->tables * sizeof *keys);
    if (steps) memset(steps, 0, count * coarse_components(p));
    for (size_t i = 0; i < count; start = ends[i++]) {
        uint64_t length = ends[i] - start;
        uint32_t status = sketch_text(p, texts + start, length, &s);
        terms[i] = s.terms > UINT32_MAX ? UINT32_MAX : (uint32_t)s.terms;
        copies[i] = 0;
        if (status == POCKET_TEXT_TOO_SHORT) {
            copies[i] = copy_key_of_text(texts + start, length, &m, &copies[i])
                            ? copies[i] | POCKET_SHORT
                            : POCKET_WITHOUT_TEXT;
            if (!m.ended) continue;
            status = POCKET_INTERRUPTED;
        }
        if (status) {
            sketch_free(&s);
            return status;
        }
        sketch_pack(p, s.digits, sketches + i * stride);
        if (steps) cell_steps_in_order(p, &s, steps + i * coarse_components(p));
        uint64_t identity = murmur(texts + start, (size_t)length);
        for (uint32_t k = 0; k < identity_bits / 8; k++)
            sketches[i * stride + bytes + k] = (uint8_t)(identity >> (8 * k));
        for (uint32_t t = 0; t < p->tables; t++)
            keys[i * p->tables + t] = sub_key_of_digits(p, t, s.digits);
    }
    sketch_free(&s);
    return POCKET_OK;
}

pocket_status pocket_keys_of_sketches(const pocket_profile *profile, const uint8_t *sketches,
                                      uint64_t stride, size_t count, uint64_t *keys) {
    const struct profile *p = &profile->profile;
    for (size_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < p->tables; t++)
            if (!sub_key_of_packed(p, t, sketches + i * stride, keys++))
                return POCKET_DAMAGED_FIELD;
    return POCKET_OK;
}
