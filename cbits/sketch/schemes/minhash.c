/* Schemes `minhash` and `wminhash`: the least hashes of a text's shingles, a few bits of each
 * (docs/format.md 2.6). They have no margins: their keys are looked up, not probed. */
#include "base/hashes/hash.h"
#include "base/meter.h"
#include "sketch/profile.h"
#include "text/shingles.h"
#include "text/terms.h"

#define MINHASH_HEAD 16u
#define MOST_COMPONENTS 4096u
#define MOST_VALUES \
    32768u /* of hash functions that a term may cost: copies of a shingle times components */

/* How many copies of a shingle count: one, or as many as the weight of its last term has units. */
static uint32_t copies_of(const profile *p, uint32_t weight) {
    return p->fields[1] ? (weight + p->fields[2] - 1) / p->fields[2] : 1;
}

static const char *minhash_check(const profile *p) {
    const uint32_t *f = p->fields, terms = f[0], slots = f[1];
    if (p->body_length < MINHASH_HEAD) return "body";
    if (terms < 1 || terms > SHINGLE_TERMS) return "terms of a shingle";
    if (slots != 0 && (slots < 256 || slots > 131072 || (slots & (slots - 1))))
        return "term weights";
    if ((p->scheme == &scheme_wminhash) != (slots > 0)) return "term weights";
    if (f[2] > 255 || (slots > 0) != (f[2] > 0)) return "weight of a copy";
    if (f[3] != 0) return "reserved";
    if (p->body_length != MINHASH_HEAD + slots) return "body";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_intervals(p, j) & (component_intervals(p, j) - 1)) return "intervals";
    for (uint32_t i = 0; i < slots; i++)
        if (copies_of(p, p->body[MINHASH_HEAD + i]) * p->component_count > MOST_VALUES)
            return "copies of a shingle";
    return NULL;
}

static uint32_t minhash_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    const uint8_t *weights = p->body + MINHASH_HEAD;
    uint64_t least[MOST_COMPONENTS], total = 0, last = 0, shingles = 0;
    shingle s = {.size = p->fields[0]};
    term_stream terms;
    for (uint32_t j = 0; j < p->component_count; j++) least[j] = UINT64_MAX;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        uint64_t whole = murmur(terms.bytes, terms.length);
        if (profile_stops(p->stops, p->stop_slots, whole)) continue;
        total++;
        last = shingle_push(&s, whole);
        if (s.filled < s.size) continue;
        shingles++;
        uint32_t copies =
            copies_of(p, p->fields[1] ? weights[whole >> 32 & (p->fields[1] - 1)] : 0);
        if (out->meter && interrupted(out->meter, (uint64_t)copies * p->component_count / 32))
            break;
        for (uint32_t i = 0; i < copies; i++)
            shingle_lower(least, p->component_count, i ? mix64(last + i) : last);
    }
    out->terms = total;
    if (total < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    if (shingles == 0) shingle_lower(least, p->component_count, last);
    for (uint32_t j = 0; j < p->component_count; j++) {
        out->digits[j] = (uint8_t)(least[j] & (component_intervals(p, j) - 1));
        if (out->down) {
            out->down[j] = out->up[j] = POCKET_NO_MOVE;
            out->weights[j] = 1;
        }
    }
    return POCKET_OK;
}

/* A term's own shingle decides nothing for sure, so no component can be traced to it: all are one
 * class without influence. */
static pocket_class minhash_classify(const profile *p, const term_stream *term) {
    uint64_t whole = murmur(term->bytes, term->length);
    return (pocket_class){whole, profile_stops(p->stops, p->stop_slots, whole) ? -1 : 0, 1};
}

static uint32_t minhash_classes(const profile *p) { return p->component_count > 0; }

static int32_t minhash_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return (void)p, (void)term, (void)component, 0;
}

const scheme scheme_minhash = {
    4, 0, 0, minhash_check, minhash_embed, minhash_classify, minhash_classes, minhash_influence};
const scheme scheme_wminhash = {
    5, 0, 0, minhash_check, minhash_embed, minhash_classify, minhash_classes, minhash_influence};
