/* What an open index says of itself. */
#include "base/memory.h"
#include "file/container.h"
#include "file/keys/part.h"
#include "query/query.h"
#include "sketch/score.h"

void pocket_summarize(const pocket_index *x, pocket_summary *s) {
    *s = (pocket_summary){
        .file_size = x->length,
        .documents = x->documents,
        .profile_fingerprint = x->fingerprint,
        .major = x->major,
        .minor = x->minor,
        .scheme = x->profile.scheme->number,
        .stream = x->profile.stream,
        .tables = x->profile.tables,
        .components = x->profile.component_count,
        .mph = x->tables.mph,
        .checksum_bits = x->tables.checksum_bits,
        .posting_bits = x->tables.posting_bits,
        .default_probes = x->tables.default_probes,
        .stride = x->stride,
        .identity_bits = x->identity_bits,
        .least_terms = least_asked(x),
        .classes = x->profile.scheme->classes(&x->profile),
        .scans = (uint32_t)scans_by_default(x),
        .cells = x->cells,
        .cells_asked = x->cells_asked,
        .cells_cold = x->cells_cold,
        .run_terms = x->shingle_terms,
        .run_window = x->shingle_window,
        .run_documents = x->shingle_documents,
        .frequent_runs = x->frequent_shingles,
        .words = x->words,
        .word_postings = x->word_postings,
        .words_heaviest = x->words_heaviest,
        .word_average = x->word_average,
        .word_title_weight = x->word_title_weight,
        .words_room = x->word_room,
        .words_counted = x->words_counted,
        .sketched = x->sketched,
    };
}

void pocket_word_forms(const pocket_index *x, char *name) {
    if (x->word_forms_length) memcpy(name, x->word_forms, x->word_forms_length);
    name[x->word_forms_length] = 0;
}

uint32_t pocket_section_count(const pocket_index *x) { return x->section_count; }

pocket_status pocket_section_get(const pocket_index *x, uint32_t number, pocket_section *out) {
    if (number >= x->section_count) return POCKET_BAD_ARGUMENT;
    const section *s = &x->sections[number];
    *out = (pocket_section){s->kind, s->flags, s->offset, s->length, s->parameters, s->blocks};
    return POCKET_OK;
}

pocket_status pocket_table_get(const pocket_index *x, uint32_t number, pocket_table *out) {
    if (number >= x->tables.count) return POCKET_BAD_ARGUMENT;
    *out =
        (pocket_table){0, 0, 0, x->profile.keys[number].rows->first, x->profile.keys[number].count};
    uint32_t first;
    table_row(&x->tables, number, &first, &out->parts, &out->keys, &out->postings);
    return POCKET_OK;
}

pocket_status pocket_profile_name(const pocket_index *x, char *name) {
    memset(name, 0, 256);
    memcpy(name, x->profile.name, x->profile.name_length);
    return POCKET_OK;
}

struct hash_bytes {
    const pocket_index *index;
    pocket_error *error;
    uint64_t bytes;
    meter steps;
};

static uint32_t add_hash_bytes(void *argument) {
    struct hash_bytes *a = argument;
    const tables *t = &a->index->tables;
    for (uint32_t i = 0; i < t->section->blocks; i++) {
        const uint8_t *bytes;
        uint64_t length;
        part p;
        uint32_t status =
            interrupted(&a->steps, steps_of(block_end(t->section, i) - block_start(t->section, i)));
        if (!status) status = block_get(a->index, t->section, i, 0, &bytes, &length, a->error);
        if (status) return status;
        const char *field = part_open(&p, bytes, length, t->mph, t->checksum_bits, t->posting_bits);
        if (field) return fail(a->error, POCKET_DAMAGED_FIELD, t->section->kind, i, field, 0, 0);
        a->bytes += p.hash_length;
    }
    return POCKET_OK;
}

pocket_status pocket_hash_bytes(const pocket_index *x, uint64_t *bytes, pocket_error *error) {
    struct hash_bytes a = {x, error, 0, meter_of(x)};
    clear(error);
    uint32_t status = guarded(x, add_hash_bytes, &a);
    *bytes = a.bytes;
    return fail_as(error, status);
}

uint32_t pocket_min_similarity(const pocket_index *x, uint64_t documents, int stored) {
    if (documents < x->documents) documents = x->documents;
    if (documents > UINT32_MAX) documents = UINT32_MAX;
    return min_similarity(&x->profile, (uint32_t)documents, !stored);
}

static int is_more_than_chance(const pocket_hit *hit, uint32_t least) {
    if (hit->evidence & (POCKET_IS_ENOUGH | POCKET_IS_AGAINST))
        return (hit->evidence & POCKET_IS_ENOUGH) != 0;
    return hit->similarity >= least;
}

uint32_t pocket_more_than_chance(const pocket_index *x, uint64_t documents, int stored,
                                 pocket_hit *hits, uint32_t count) {
    uint32_t least = pocket_min_similarity(x, documents, stored), shown = 0;
    int first = 1;
    for (uint32_t i = 0; i < count; i++) {
        int copy = hits[i].similarity == 10000;
        if (!copy && !is_more_than_chance(&hits[i], least)) continue;
        if (!copy && first) {
            least -= least / 8;
            first = 0;
        }
        hits[shown++] = hits[i];
    }
    return shown;
}

uint32_t pocket_similarity_error(const pocket_index *x, uint32_t similarity) {
    return similarity_error(&x->profile, similarity);
}
