/* Scheme `ff`: fuzzy-fingerprinting as published (Stein & Potthast, DIR 2007, 3.1), in integers.
 * docs/format.md 2.3 is the definition. */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "sketch/profile.h"
#include "text/prefix.h"
#include "text/terms.h"

#define FF_CLASSES 256u

typedef struct ff_body {
    const uint8_t *expectation, *classes;
    uint32_t prefix, bins, count;
} ff_body;

static ff_body ff_open_body(const profile *p) {
    ff_body b = {p->body + 16, NULL, p->fields[0], p->fields[1], p->fields[2]};
    b.classes = b.expectation + 4 * (uint64_t)b.count;
    return b;
}

static const char *ff_check(const profile *p) {
    if (p->body_length < 16) return "body";
    ff_body b = ff_open_body(p);
    if (b.prefix < 1 || b.prefix > 16) return "prefix length";
    if (b.bins < 256 || b.bins > 131072 || (b.bins & (b.bins - 1))) return "prefix bins";
    if (b.count < 2 || b.count > FF_CLASSES) return "classes";
    if (p->fields[3] != 0) return "reserved";
    uint64_t used = 16 + 4ull * b.count + b.bins;
    if (p->body_length != pad8(used)) return "body";
    for (uint64_t i = used; i < p->body_length; i++)
        if (p->body[i] != 0) return "body";
    for (uint32_t i = 0; i < b.count; i++)
        if (load32(b.expectation + 4 * i) == 0) return "expectation";
    for (uint32_t i = 0; i < b.bins; i++)
        if (b.classes[i] >= b.count) return "classes";
    for (uint32_t j = 0; j < p->component_count; j++)
        if (component_source(p, j) >= b.count) return "source";
    for (uint32_t i = 0; i < p->border_count; i++)
        if ((int32_t)load32(p->borders + 4 * i) < -65536) return "borders";
    return NULL;
}

/* E (1 + beta), in units of 2^-32. */
static uint64_t threshold(uint32_t expectation, int32_t beta) {
    uint64_t factor = (uint64_t)((int64_t)beta + 65536),
             whole = (uint64_t)expectation * factor >> 16;
    return whole > UINT32_MAX ? UINT32_MAX : whole;
}

static uint32_t cost(uint64_t count, uint64_t total, uint64_t border, uint32_t expectation) {
    uint64_t a = count << 32, b = total * border, d = (a > b ? a - b : b - a) / total >> 4;
    uint64_t c = d * d / expectation + 1;
    return c >= POCKET_NO_MOVE ? POCKET_NO_MOVE - 1 : (uint32_t)c;
}

/* The class of a term; -1 for a stop word. */
static inline int32_t class_of(const profile *p, const ff_body *b, const term_stream *term) {
    /* Both hashes before the first decision, so that a processor computes them side by side. */
    uint64_t whole = murmur(term->bytes, term->length),
             bin = prefix_hash(term->bytes, term->length, b->prefix) & (b->bins - 1);
    return profile_stops(p->stops, p->stop_slots, whole) ? -1 : b->classes[bin];
}

static pocket_class ff_classify(const profile *p, const term_stream *term) {
    ff_body b = ff_open_body(p);
    return (pocket_class){murmur(term->bytes, term->length), class_of(p, &b, term), 1};
}

static uint32_t ff_classes(const profile *p) { return ff_open_body(p).count; }

static int32_t ff_influence(const profile *p, const pocket_class *term, uint32_t component) {
    return component_source(p, component) == (uint32_t)term->number ? term->value : 0;
}

static uint32_t ff_embed(const profile *p, const uint8_t *text, uint64_t length, sketch *out) {
    ff_body b = ff_open_body(p);
    uint32_t counts[FF_CLASSES] = {0};
    term_stream terms;
    uint64_t total = 0;
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = out->meter;
    while (term_stream_next(&terms)) {
        int32_t number = class_of(p, &b, &terms);
        uint32_t counted = number >= 0;
        counts[counted ? number : 0] += counted;
        total += counted;
    }
    out->terms = total;
    if (total < p->least_terms) return POCKET_TEXT_TOO_SHORT;
    const uint8_t *borders = p->borders;
    for (uint32_t j = 0; j < p->component_count; j++) {
        uint32_t source = component_source(p, j), last = component_intervals(p, j) - 1, digit = 0;
        uint32_t expectation = load32(b.expectation + 4 * source);
        uint64_t count = counts[source];
        while (digit < last &&
               count << 32 >= total * threshold(expectation, (int32_t)load32(borders + 4 * digit)))
            digit++;
        out->digits[j] = (uint8_t)digit;
        if (out->down) {
            out->down[j] = out->up[j] = POCKET_NO_MOVE;
            if (digit > 0)
                out->down[j] =
                    cost(count, total,
                         threshold(expectation, (int32_t)load32(borders + 4 * (digit - 1))),
                         expectation);
            if (digit < last)
                out->up[j] =
                    cost(count, total, threshold(expectation, (int32_t)load32(borders + 4 * digit)),
                         expectation);
            out->weights[j] = 1;
        }
        borders += 4 * last;
    }
    return POCKET_OK;
}

const scheme scheme_ff = {1, 0, 1, ff_check, ff_embed, ff_classify, ff_classes, ff_influence};
