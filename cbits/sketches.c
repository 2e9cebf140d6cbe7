/* Looking at sketches: a text's, and a stored document's. */
#include "bytes.h"
#include "container.h"
#include "memory.h"
#include "sketch.h"
#include "terms.h"

struct sketching {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length;
    sketch sketch;
    uint64_t *keys;
};

static uint32_t sketch_work(void *argument) {
    struct sketching *a = argument;
    const profile *p = &a->index->profile;
    uint32_t status = sketch_text(p, a->text, a->length, &a->sketch);
    for (uint32_t t = 0; !status && a->keys && t < p->tables; t++) a->keys[t] = sub_key_of_digits(p, t, a->sketch.digits);
    return status;
}

uint32_t pocket_sketch(const pocket_index *x, const uint8_t *text, uint64_t length, uint8_t *digits, uint32_t *weights, uint64_t *keys,
                       pocket_report *report) {
    struct sketching a = {.index = x, .text = text, .length = length, .keys = keys};
    uint32_t count = x->profile.component_count;
    if (!sketch_alloc(&a.sketch, &x->profile, 1)) return POCKET_NO_MEMORY;
    uint32_t status = guarded(x, sketch_work, &a);
    if (!status && digits) memcpy(digits, a.sketch.digits, count);
    if (!status && weights) memcpy(weights, a.sketch.weights, count * sizeof *weights);
    if (report) *report = (pocket_report){a.sketch.terms, 0, 0, 0, 0};
    sketch_free(&a.sketch);
    return status;
}

struct classing {
    const pocket_index *index;
    const uint8_t *text;
    uint64_t length, room, count;
    pocket_class *classes;
};

static uint32_t class_work(void *argument) {
    struct classing *a = argument;
    const profile *p = &a->index->profile;
    pocket_terms terms;
    pocket_terms_begin(&terms, a->text, a->length, p->stream);
    for (a->count = 0; pocket_terms_next(&terms); a->count++)
        if (a->count < a->room) a->classes[a->count] = p->scheme->classify(p, &terms);
    return POCKET_OK;
}

uint32_t pocket_classes(const pocket_index *x, const uint8_t *text, uint64_t length, pocket_class *classes, uint64_t *count) {
    struct classing a = {x, text, length, *count, 0, classes};
    if (length > POCKET_MAX_TEXT) return POCKET_TEXT_TOO_LONG;
    uint32_t status = guarded(x, class_work, &a);
    *count = a.count;
    return status;
}

struct influence {
    const profile *profile;
    const pocket_class *term;
    int32_t *values;
};

static uint32_t influence_work(void *argument) {
    struct influence *a = argument;
    for (uint32_t j = 0; j < a->profile->component_count; j++) a->values[j] = a->profile->scheme->influence(a->profile, a->term, j);
    return POCKET_OK;
}

uint32_t pocket_influences(const pocket_index *x, const pocket_class *term, int32_t *influences) {
    if (term->number < 0 || (uint32_t)term->number >= x->profile.scheme->classes(&x->profile)) return POCKET_BAD_ARGUMENT;
    return guarded(x, influence_work, &(struct influence){&x->profile, term, influences});
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
    const uint8_t *record;
    uint32_t status = record_get(a->index, a->document, &record, a->error);
    if (status || sketch_unpack(p, record, 0, p->component_count, 0, a->digits)) return status;
    return fail(a->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES, a->document / a->index->block_documents, "digit", 0, 0);
}

uint32_t pocket_digits(const pocket_index *x, uint32_t document, uint8_t *digits, pocket_error *error) {
    clear(error);
    if (document >= x->documents) return fail(error, POCKET_NOT_FOUND, POCKET_SKETCHES, -1, "document", x->documents, document);
    return fail_as(error, guarded(x, stored_work, &(struct stored){x, document, digits, error}));
}
