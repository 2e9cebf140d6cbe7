/* Scheme `simhash` (Charikar 2002; docs/format.md 2.7): 64 sums, one for each bit of the tokens'
 * hashes, and their signs. */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/hashes/jenkins.h"
#include "sketch/profile.h"
#include "text/terms.h"

#define SIMHASH_BODY 8u
#define SIMHASH_BITS 64u
#define SIMHASH_LOOKUP3 1u

static const char *simhash_check(const profile *p) {
    if (p->body_length != SIMHASH_BODY) return "body";
    if (p->fields[0] != SIMHASH_LOOKUP3) return "token hash";
    if (p->fields[1] != 0) return "body";
    if (p->border_count != p->component_count) return "intervals";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= SIMHASH_BITS) return "source";
    return NULL;
}

static int simhash_stops(const profile *p, const term_stream *term) {
    return p->stop_slots &&
           profile_stops(p->stops, p->stop_slots, murmur(term->bytes, term->length));
}

static uint32_t simhash_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    int32_t sums[SIMHASH_BITS] = {0}; /* a text has fewer than 2^28 terms */
    term_stream terms;
    out->terms = 0;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        if (simhash_stops(p, &terms)) continue;
        uint64_t hash = lookup3(terms.bytes, terms.length);
        for (uint32_t bit = 0; bit < SIMHASH_BITS; bit++)
            sums[bit] += (int32_t)(hash >> bit & 1) * 2 - 1;
        out->terms++;
    }
    if (out->terms < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    for (uint32_t j = 0; j < p->component_count; j++) {
        int32_t sum = sums[component_source(p, j) & (SIMHASH_BITS - 1)];
        uint32_t size = (uint32_t)(sum < 0 ? -sum : sum), margin = size < 65535 ? size : 65535,
                 cost = margin * margin + 1;
        out->digits[j] = sum > 0;
        if (!out->down) continue;
        out->down[j] = sum > 0 ? cost : POCKET_NO_MOVE;
        out->up[j] = sum > 0 ? POCKET_NO_MOVE : cost;
        out->weights[j] = 1; /* the draft ranks by Hamming distance */
    }
    return POCKET_OK;
}

static pocket_class simhash_classify(const profile *p, const term_stream *term) {
    return (pocket_class){lookup3(term->bytes, term->length), simhash_stops(p, term) ? -1 : 0, 1};
}

static uint32_t simhash_classes(const profile *p) { return p->component_count > 0; }

static int32_t simhash_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return term->hash >> (component_source(p, component) & (SIMHASH_BITS - 1)) & 1 ? 1 : -1;
}

const scheme scheme_simhash = {
    6, 0, 1, simhash_check, simhash_embed, simhash_classify, simhash_classes, simhash_influence};
