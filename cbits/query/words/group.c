/* Hits grouped by their sketches (docs/format.md, section 10): the collisions of parts of sketches
 * say which documents are compared, so that the work grows with the hits alone (Stein & Potthast,
 * DIR 2007, section 4: grouping by hash collisions). */
#include "base/memory.h"
#include "query/words/word_search.h"
#include "sketch/score.h"
#include "sketch/sketch.h"

#define GROUPED 6000u /* the similarity to a group's first document, in ten-thousandths */

typedef struct grouping {
    const pocket_index *index;
    const uint32_t *documents;
    uint32_t count, *groups;
    uint32_t bytes;  /* of a sketch */
    uint8_t *digits; /* of each document */
    uint32_t *heads; /* of each byte of a sketch and each value, 1 + the first document that began a
                        group and has it there, or 0 */
    uint32_t *nexts; /* of each document and byte, the next one so */
    uint32_t *looked; /* of each document, 1 + the one that it was last compared with */
    pocket_error *error;
} grouping;

static int is_similar(const grouping *g, uint32_t i, uint32_t j) {
    const profile *p = &g->index->profile;
    uint32_t components = p->component_count, equal = 0;
    const uint8_t *a = g->digits + (size_t)i * components, *b = g->digits + (size_t)j * components;
    for (uint32_t k = 0; k < components; k++) equal += a[k] == b[k];
    return similarity_of(p, (uint32_t)(((uint64_t)equal << 16) / components), 0) >= GROUPED;
}

/* The first group with a part of its sketch in common that document i is similar to, or its own. */
static uint32_t group_of(grouping *g, uint32_t i, const uint8_t *sketch) {
    uint32_t group = i;
    for (uint32_t k = 0; k < g->bytes; k++)
        for (uint32_t j = g->heads[256 * k + sketch[k]]; j;
             j = g->nexts[(size_t)(j - 1) * g->bytes + k]) {
            if (j - 1 >= group || g->looked[j - 1] == i + 1) continue;
            g->looked[j - 1] = i + 1;
            if (is_similar(g, i, j - 1)) group = j - 1;
        }
    return group;
}

static uint32_t group_all(void *argument) {
    grouping *g = argument;
    const pocket_index *x = g->index;
    uint32_t missing = POCKET_OK;
    uint8_t room[MOST_SKETCH_BYTES];
    for (uint32_t i = 0; i < g->count; i++) {
        packed_sketch stored;
        if (g->documents[i] >= x->documents)
            return no_document(g->error, POCKET_SKETCHES, x->documents, g->documents[i]);
        g->groups[i] = i;
        if (g->documents[i] >= x->sketched) continue;
        uint32_t status = sketch_get(x, g->documents[i], &stored, g->error);
        if (status == POCKET_NOT_AT_HAND) missing = status;
        if (status && status != POCKET_NOT_AT_HAND) return status;
        if (missing) continue; /* on, so that all blocks that are missed are known at once */
        const uint8_t *record = sketch_whole(&x->profile, stored, room);
        uint8_t *digits = g->digits + (size_t)i * x->profile.component_count;
        if (!sketch_unpack(&x->profile, record, 0, x->profile.component_count, 0, digits))
            return fail(g->error, POCKET_DAMAGED_FIELD, POCKET_SKETCHES,
                        g->documents[i] / x->block_documents, "digit", 0, 0);
        g->groups[i] = group_of(g, i, record);
        for (uint32_t k = 0; k < g->bytes && g->groups[i] == i; k++) {
            uint32_t *head = &g->heads[256 * k + record[k]];
            g->nexts[(size_t)i * g->bytes + k] = *head;
            *head = i + 1;
        }
    }
    return missing;
}

pocket_status pocket_group(const pocket_index *x, const uint32_t *documents, uint32_t count,
                           uint32_t *groups, pocket_error *error) {
    grouping g = {.index = x, .documents = documents, .count = count, .groups = groups};
    clear(error);
    if (count > MOST_HITS)
        return allowing(error, "0 .. %",
                        fail(error, POCKET_BAD_ARGUMENT, 0, -1, "documents", MOST_HITS, count));
    g.bytes = sketch_bytes(&x->profile);
    g.error = error;
    size_t numbers = 256 * (size_t)g.bytes + (size_t)count * (g.bytes + 1),
           size = numbers * sizeof(uint32_t) + (size_t)count * x->profile.component_count;
    uint32_t *memory = pocket_malloc(size);
    if (!memory) return fail(error, POCKET_NO_MEMORY, POCKET_SKETCHES, -1, NULL, 0, 0);
    memset(memory, 0, size);
    g.heads = memory;
    g.nexts = g.heads + 256 * (size_t)g.bytes;
    g.looked = g.nexts + (size_t)count * g.bytes;
    g.digits = (uint8_t *)(g.looked + count);
    uint32_t status = guarded(x, group_all, &g);
    pocket_free(memory);
    return fail_as(error, status);
}
