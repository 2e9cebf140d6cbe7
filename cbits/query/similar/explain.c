/* Looking at sketches: a text's, and a stored document's. */
#include "base/bytes.h"
#include "base/memory.h"
#include "file/container.h"
#include "query/query.h"
#include "sketch/sketch.h"
#include "text/terms.h"

pocket_status pocket_sketch(const pocket_index *x, const uint8_t *text, uint64_t length,
                            uint8_t *digits, uint32_t *weights, uint64_t *keys,
                            pocket_report *report) {
    const profile *p = &x->profile;
    uint32_t count = p->component_count;
    sketch s;
    meter steps = meter_of(x);
    if (!sketch_alloc(&s, p, 1)) return POCKET_NO_MEMORY;
    s.meter = &steps;
    s.least = least_asked(x);
    uint32_t status = sketch_text(p, text, length, &s);
    for (uint32_t t = 0; !status && keys && t < p->tables; t++)
        keys[t] = sub_key_of_digits(p, t, s.digits);
    if (!status && digits) memcpy(digits, s.digits, count);
    if (!status && weights) memcpy(weights, s.weights, count * sizeof *weights);
    if (report) *report = (pocket_report){.terms = s.terms};
    sketch_free(&s);
    return status;
}

pocket_status pocket_classes(const pocket_index *x, const uint8_t *text, uint64_t length,
                             pocket_class *classes, uint64_t *count) {
    const profile *p = &x->profile;
    uint64_t room = *count;
    term_stream terms;
    if (length > MOST_TEXT) return POCKET_TEXT_TOO_LONG;
    meter steps = meter_of(x);
    term_stream_begin(&terms, text, length, p->stream);
    terms.meter = &steps;
    for (*count = 0; term_stream_next(&terms); ++*count)
        if (*count < room) classes[*count] = p->scheme->classify(p, &terms);
    return steps.ended ? POCKET_INTERRUPTED : POCKET_OK;
}

pocket_status pocket_influences(const pocket_index *x, const pocket_class *term,
                                int32_t *influences) {
    const profile *p = &x->profile;
    if (term->number < 0 || (uint32_t)term->number >= p->scheme->classes(p))
        return POCKET_BAD_ARGUMENT;
    for (uint32_t j = 0; j < p->component_count; j++)
        influences[j] = p->scheme->influence(p, term, j);
    return POCKET_OK;
}

struct stored {
    const pocket_index *index;
    uint32_t document;
    uint8_t *digits;
    pocket_error *error;
};

static uint32_t stored_work(void *argument) {
    struct stored *a = argument;
    const profile *p = &a->index->profile;
    packed_sketch stored;
    uint8_t room[MOST_SKETCH_BYTES];
    uint32_t status = sketch_get(a->index, a->document, &stored, a->error);
    if (status ||
        sketch_unpack(p, sketch_whole(p, stored, room), 0, p->component_count, 0, a->digits))
        return status;
    return fail(a->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                a->document / a->index->block_documents, "digit", 0, 0);
}

pocket_status pocket_digits(const pocket_index *x, uint32_t document, uint8_t *digits,
                            pocket_error *error) {
    clear(error);
    if (document >= x->documents)
        return no_document(error, POCKET_SKETCHES, x->documents, document);
    if (document >= x->sketched)
        return fail(error, POCKET_TEXT_TOO_SHORT, POCKET_SKETCHES, -1, "document", x->sketched,
                    document);
    return fail_as(error, guarded(x, stored_work, &(struct stored){x, document, digits, error}));
}
