#include "file/keys/passages.h"

#include "base/bytes.h"
#include "file/heads.h"
#include "file/keys/part.h"
#include "text/winnowing.h"

#define MOST_DOCUMENTS 1000u /* of a shingle */

static uint32_t wrong_number(pocket_error *error, const char *field, uint64_t most,
                             uint64_t found) {
    return allowing(error, "1 .. %", damaged_head(error, POCKET_PASSAGES, field, most, found));
}

uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error) {
    uint32_t status = tables_open(&x->passages, s, SHINGLE_TABLES, PASSAGES_MORE, &x->most_parts, error);
    if (status) return status;
    const uint8_t *b = s->bytes + s->parameters - PASSAGES_MORE;
    x->shingle_terms = load32(b);
    x->shingle_window = load32(b + 4);
    x->shingle_documents = load32(b + 8);
    x->shingle_range = load32(b + 12);
    uint32_t first, parts;
    table_row(&x->passages, FREQUENT_SHINGLES, &first, &parts, &x->frequent_shingles, NULL);
    if (x->passages.mph != POCKET_MPH_QUOTIENT)
        return damaged_head(error, s->kind, "minimal perfect hash", POCKET_MPH_QUOTIENT,
                            x->passages.mph);
    if (x->passages.checksum_bits == 0)
        return allowing(error, "8, 16, 24 or %",
                        damaged_head(error, s->kind, "checksum bits", 32, 0));
    if (x->passages.default_probes != 1)
        return damaged_head(error, s->kind, "default probes", 1, x->passages.default_probes);
    if (x->shingle_terms < 1 || x->shingle_terms > SHINGLE_TERMS)
        return wrong_number(error, "terms of a shingle", SHINGLE_TERMS, x->shingle_terms);
    if (x->shingle_window < 1 || x->shingle_window > MOST_WINDOW)
        return wrong_number(error, "window", MOST_WINDOW, x->shingle_window);
    if (x->shingle_documents < 1 || x->shingle_documents > MOST_DOCUMENTS)
        return wrong_number(error, "documents of a shingle", MOST_DOCUMENTS, x->shingle_documents);
    if (x->shingle_range < 1)
        return allowing(error, "at least %", damaged_head(error, s->kind, "key range", 1, 0));
    return POCKET_OK;
}

uint32_t shingle_check(const pocket_index *x, const match *m, uint32_t documents, uint32_t listed,
                       pocket_error *error) {
    int frequent = listed < m->count;
    uint32_t least = frequent ? x->shingle_documents + 1 : 1,
             most = frequent ? x->documents : x->shingle_documents,
             examples = documents < SHINGLE_EXAMPLES ? documents : SHINGLE_EXAMPLES;
    if (documents < least)
        return allowing(error, "at least %",
                        fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                             "documents of a shingle", least, documents));
    if (documents > most)
        return allowing(error, "at most %",
                        fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part,
                             "documents of a shingle", most, documents));
    if (frequent && listed != examples)
        return fail(error, POCKET_DAMAGED_FIELD, POCKET_PASSAGES, m->part, "examples of a shingle",
                    examples, listed);
    return POCKET_OK;
}
