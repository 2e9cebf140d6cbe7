/* The builder's way into the core: hashes and sketches of many texts at once. */
#include "bytes.h"
#include "hash.h"
#include "memory.h"
#include "pocket_build.h"
#include "prefix.h"
#include "probe.h"
#include "profile.h"
#include "ranking.h"
#include "shared.h"
#include "sketch.h"
#include "sort.h"
#include "titles.h"

struct pocket_profile {
    profile profile;
};

void pocket_murmur_many(const uint8_t *bytes, const uint64_t *ends, size_t count, uint64_t *hashes) {
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) hashes[i] = pocket_murmur(bytes + start, (size_t)(ends[i] - start));
}

uint32_t pocket_title_key(const uint8_t *text, uint64_t length, uint8_t *key) { return title_key(text, length, key); }

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
                            uint32_t shared_bits, uint8_t *sketches, uint64_t *keys, uint32_t *terms) {
    const struct profile *p = &profile->profile;
    size_t bytes = sketch_bytes(p), stride = bytes + (identity_bits + shared_bits) / 8;
    uint64_t start = 0;
    sketch s;
    if (!shared_bits_allowed(shared_bits)) return POCKET_BAD_ARGUMENT;
    if (!sketch_alloc(&s, p, 0)) return POCKET_NO_MEMORY;
    memset(sketches, 0, count * stride);
    memset(keys, 0, count * p->tables * sizeof *keys);
    for (size_t i = 0; i < count; start = ends[i++]) {
        uint64_t length = ends[i] - start;
        uint32_t status = sketch_text(p, texts + start, length, &s);
        terms[i] = s.terms > UINT32_MAX ? UINT32_MAX : (uint32_t)s.terms;
        if (status == POCKET_TEXT_TOO_SHORT) continue;
        if (!status && shared_bits) status = shared_of_text(p->stream, texts + start, length, shared_bits, sketches + (i + 1) * stride - shared_bits / 8);
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

/* Each number of probes has an order of its own, so each is asked for. Largest first: what fewer find overwrites it. */
static void find_steps(const profile *p, const sketch *s, uint32_t table, const uint32_t *probes, size_t step_count, const uint64_t *keys, size_t count,
                       uint32_t *steps, uint64_t *asked, uint32_t *masks) {
    for (size_t step = step_count; step-- > 0;) {
        uint32_t found = probe_keys(p, table, s, probes[step], asked, masks);
        for (size_t i = 0; i < count; i++) {
            uint64_t key = keys[i * p->tables + table];
            int hit = 0;
            for (uint32_t e = 0; e < found; e++) hit |= asked[e] == key;
            if (hit) steps[i * p->tables + table] = (uint32_t)step;
        }
    }
}

uint32_t pocket_probe_steps(const pocket_profile *profile, const uint8_t *text, uint64_t length, const uint32_t *probes, size_t step_count, const uint64_t *keys,
                            size_t count, uint32_t *steps) {
    const struct profile *p = &profile->profile;
    sketch s;
    uint32_t most = 0;
    for (size_t i = 0; i < step_count; i++)
        if (probes[i] > most) most = probes[i];
    if (most < 1 || most > POCKET_MAX_PROBES) return POCKET_BAD_ARGUMENT;
    uint64_t *asked = pocket_malloc(most * (sizeof *asked + sizeof(uint32_t)));
    int sketched = sketch_alloc(&s, p, 1);
    uint32_t status = asked && sketched ? sketch_text(p, text, length, &s) : POCKET_NO_MEMORY;
    for (size_t i = 0; i < count * p->tables; i++) steps[i] = (uint32_t)step_count;
    for (uint32_t t = 0; t < p->tables && !status; t++) find_steps(p, &s, t, probes, step_count, keys, count, steps, asked, (uint32_t *)(asked + most));
    sketch_free(&s);
    pocket_free(asked);
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

uint32_t pocket_nearest(const pocket_profile *profile, const uint8_t *text, uint64_t length, const uint8_t *records, size_t stride, size_t count, uint32_t *places,
                        uint32_t *nearest) {
    uint32_t wanted = *nearest < count ? *nearest : (uint32_t)count;
    uint32_t *agreements = pocket_malloc((count ? count : 1) * sizeof *agreements);
    uint64_t *best = pocket_malloc((wanted ? wanted : 1) * sizeof *best);
    uint32_t status = agreements && best ? pocket_agreements(profile, text, length, records, stride, count, agreements) : POCKET_NO_MEMORY;
    /* A heap of (disagreement, place) with the worst on top. */
    for (size_t i = 0; i < count && !status; i++) {
        uint64_t rank = (uint64_t)(65536 - agreements[i]) << 32 | i;
        if (i < wanted) best[i] = rank;
        if (i + 1 == wanted) heap64(best, wanted);
        if (i >= wanted && wanted && rank < best[0]) {
            best[0] = rank;
            sift64(best, 0, wanted);
        }
    }
    if (!status) sort64(best, wanted);
    for (uint32_t i = 0; i < wanted && !status; i++) places[i] = (uint32_t)best[i];
    *nearest = status ? 0 : wanted;
    pocket_free(agreements);
    pocket_free(best);
    return status;
}
