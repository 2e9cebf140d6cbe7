#include "file/keys/passages.h"

#include "base/bytes.h"
#include "file/heads.h"
#include "file/keys/part.h"
#include "text/runs.h"

#define MOST_DOCUMENTS 1000u /* of a run */

static uint32_t wrong_number(pocket_error *error, const char *field, uint64_t most,
                             uint64_t found) {
    return allowing(error, "1 .. %", damaged_head(error, POCKET_PASSAGES, field, most, found));
}

uint32_t passages_open(pocket_index *x, const section *s, pocket_error *error) {
    uint32_t status = tables_open(&x->passages, s, 1, PASSAGES_MORE, &x->most_parts, error);
    if (status) return status;
    const uint8_t *b = s->bytes + s->parameters - PASSAGES_MORE;
    x->run_terms = load32(b);
    x->run_window = load32(b + 4);
    x->run_documents = load32(b + 8);
    x->runs_left_out = load64(b + 16);
    x->run_range = load32(b + 12);
    if (x->passages.mph != POCKET_MPH_QUOTIENT)
        return damaged_head(error, s->kind, "minimal perfect hash", POCKET_MPH_QUOTIENT,
                            x->passages.mph);
    if (x->passages.checksum_bits == 0)
        return allowing(error, "8, 16, 24 or %",
                        damaged_head(error, s->kind, "checksum bits", 32, 0));
    if (x->passages.default_probes != 1)
        return damaged_head(error, s->kind, "default probes", 1, x->passages.default_probes);
    if (x->run_terms < 1 || x->run_terms > MOST_RUN_TERMS)
        return wrong_number(error, "terms of a run", MOST_RUN_TERMS, x->run_terms);
    if (x->run_window < 1 || x->run_window > MOST_WINDOW)
        return wrong_number(error, "window", MOST_WINDOW, x->run_window);
    if (x->run_documents < 1 || x->run_documents > MOST_DOCUMENTS)
        return wrong_number(error, "documents of a run", MOST_DOCUMENTS, x->run_documents);
    if (x->run_range < 1)
        return allowing(error, "at least %", damaged_head(error, s->kind, "key range", 1, 0));
    return POCKET_OK;
}
