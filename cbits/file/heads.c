/* The parameters of the sections that every file has, checked and kept when it is opened. */
#include "file/heads.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/keys/part.h"
#include "sketch/sketch.h"

uint32_t tables_open(tables *t, const section *s, uint32_t count, uint32_t more, uint32_t *most,
                     pocket_error *error) {
    const uint8_t *b = s->bytes;
    uint32_t most_mph = s->kind == POCKET_PASSAGES ? POCKET_MPH_QUOTIENT : POCKET_MPH_CHD;
    t->section = s;
    if (s->parameters != 24 + 24 * count + more)
        return damaged_head(error, s->kind, "length of the parameters", 24 + 24 * count + more,
                            s->parameters);
    t->count = load32(b);
    t->mph = load32(b + 4);
    t->checksum_bits = load32(b + 8);
    t->posting_bits = load32(b + 12);
    t->default_probes = load32(b + 20);
    t->rows = b + 24;
    if (t->count != count) return damaged_head(error, s->kind, "number of tables", count, t->count);
    if (t->mph < POCKET_MPH_PILOT || t->mph > most_mph)
        return allowing(
            error, "1 .. %",
            fail(error, POCKET_TOO_NEW, s->kind, -1, "minimal perfect hash", most_mph, t->mph));
    int keeps_keys = t->mph == POCKET_MPH_QUOTIENT;
    if (t->checksum_bits % 8 != 0 || t->checksum_bits > 32 ||
        (t->checksum_bits == 24 && !keeps_keys))
        return allowing(error, keeps_keys ? "8, 16, 24 or %" : "0, 8, 16 or %",
                        damaged_head(error, s->kind, "checksum bits", 32, t->checksum_bits));
    if (t->posting_bits < 1 || t->posting_bits > 32)
        return allowing(error, "1 .. %",
                        damaged_head(error, s->kind, "posting bits", 32, t->posting_bits));
    if (load32(b + 16) != 0)
        return fail(error, POCKET_TOO_NEW, s->kind, -1, "unit of a posting", 0, load32(b + 16));
    uint32_t probes =
        count && POCKET_MAX_KEYS_ASKED / count < 65536 ? POCKET_MAX_KEYS_ASKED / count : 65536;
    if (t->default_probes < 1 || t->default_probes > probes)
        return allowing(error, "1 .. %",
                        damaged_head(error, s->kind, "default probes", probes, t->default_probes));
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first, parts;
        table_row(t, i, &first, &parts, NULL, NULL);
        if (first != part) return damaged_head(error, s->kind, "first part", part, first);
        if (parts > s->blocks - part)
            return allowing(
                error, "0 .. %",
                damaged_head(error, s->kind, "number of parts", s->blocks - part, parts));
        for (uint32_t j = first + 1; j < first + parts; j++)
            if (block_first(s, j) <= block_first(s, j - 1))
                return allowing(error, "more than %",
                                fail(error, POCKET_DAMAGED_FIELD, s->kind, j, "first",
                                     block_first(s, j - 1), block_first(s, j)));
        part += parts;
        if (parts > *most) *most = parts;
    }
    return part == s->blocks ? POCKET_OK
                             : damaged_head(error, s->kind, "number of blocks", part, s->blocks);
}

uint32_t sketches_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != 16)
        return damaged_head(error, s->kind, "length of the parameters", 16, s->parameters);
    x->sketched = load32(b);
    x->stride = load32(b + 4);
    x->identity_bits = load32(b + 8);
    x->block_documents = load32(b + 12);
    if (x->identity_bits != 0 && x->identity_bits != 8 && x->identity_bits != 16 &&
        x->identity_bits != 32)
        return allowing(error, "0, 8, 16 or %",
                        damaged_head(error, s->kind, "identity bits", 32, x->identity_bits));
    uint32_t stride = sketch_bytes(&x->profile) + x->identity_bits / 8;
    if (x->stride != stride) return damaged_head(error, s->kind, "stride", stride, x->stride);
    if (x->block_documents < 1)
        return allowing(error, "at least %",
                        damaged_head(error, s->kind, "documents a block", 1, 0));
    uint32_t blocks = x->sketched / x->block_documents + (x->sketched % x->block_documents != 0);
    if (s->blocks != blocks)
        return damaged_head(error, s->kind, "number of blocks", blocks, s->blocks);
    uint64_t end = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        uint64_t first = (uint64_t)i * x->block_documents, count = x->sketched - first;
        if (count > x->block_documents) count = x->block_documents;
        end += count * stride;
        if (block_first(s, i) != first)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", first, block_first(s, i));
        if (block_end(s, i) != end)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "end of the block", end,
                        block_end(s, i));
    }
    return POCKET_OK;
}

/* The symbols behind the url template, at being where their lengths begin. */
static uint32_t open_symbols(pocket_index *x, const section *s, uint64_t at, uint32_t count,
                             pocket_error *error) {
    uint64_t end = at + count;
    if (count > SYMBOLS)
        return allowing(error, "0 .. %",
                        damaged_head(error, s->kind, "number of symbols", SYMBOLS, count));
    if (end > s->parameters)
        return allowing(
            error, "at least %",
            damaged_head(error, s->kind, "length of the parameters", end, s->parameters));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = s->bytes[at + i];
        if (length < 1 || length > SYMBOL_BYTES)
            return allowing(
                error, "1 .. %",
                damaged_head(error, s->kind, "length of a symbol", SYMBOL_BYTES, length));
        if (length > s->parameters - end)
            return allowing(error, "at least %",
                            damaged_head(error, s->kind, "length of the parameters", end + length,
                                         s->parameters));
        memcpy(x->symbols[i], s->bytes + end, length);
        x->symbol_lengths[i] = (uint8_t)length;
        end += length;
    }
    if (s->parameters != pad8(end))
        return damaged_head(error, s->kind, "length of the parameters", pad8(end), s->parameters);
    for (; end < s->parameters; end++)
        if (s->bytes[end] != 0) return damaged_head(error, s->kind, "padding", 0, s->bytes[end]);
    return POCKET_OK;
}

uint32_t documents_open(pocket_index *x, const section *s, pocket_error *error) {
    if (s->parameters < 16)
        return allowing(
            error, "at least %",
            damaged_head(error, s->kind, "length of the parameters", 16, s->parameters));
    uint32_t documents = load32(s->bytes), status;
    x->documents = documents;
    x->template_length = load32(s->bytes + 4);
    const uint8_t *url_template = s->bytes + 16;
    /* Documents without a sketch are those that the copies section is about. */
    int more = x->by_kind[POCKET_COPIES] != NULL;
    if (documents < x->sketched || (documents > x->sketched) != more)
        return allowing(
            error, more ? "more than %" : NULL,
            damaged_head(error, s->kind, "number of documents", x->sketched, documents));
    if (x->template_length > POCKET_MAX_TEMPLATE)
        return allowing(error, "0 .. %",
                        damaged_head(error, s->kind, "length of the template", POCKET_MAX_TEMPLATE,
                                     x->template_length));
    if (x->template_length > s->parameters - 16)
        return allowing(error, "at least %",
                        damaged_head(error, s->kind, "length of the parameters",
                                     16 + (uint64_t)x->template_length, s->parameters));
    if (load32(s->bytes + 12) != 0)
        return damaged_head(error, s->kind, "reserved", 0, load32(s->bytes + 12));
    memcpy(x->url_template, url_template, x->template_length);
    if (!is_utf8((const uint8_t *)x->url_template, x->template_length))
        return damaged_head(error, s->kind, "template", 0, 0);
    if ((status =
             open_symbols(x, s, 16 + (uint64_t)x->template_length, load32(s->bytes + 8), error)))
        return status;
    if ((s->blocks == 0) != (documents == 0))
        return allowing(error, documents ? "1 .. %" : NULL,
                        damaged_head(error, s->kind, "number of blocks", documents, s->blocks));
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t least = i ? block_first(s, i - 1) + 1 : 0,
                 size = block_end(s, i) - block_start(s, i);
        if (i == 0 && block_first(s, 0) != 0)
            return fail(error, POCKET_DAMAGED_FIELD, s->kind, 0, "first", 0, block_first(s, 0));
        if (block_first(s, i) < least)
            return allowing(
                error, "at least %",
                fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", least, block_first(s, i)));
        if (block_first(s, i) >= documents)
            return allowing(error, "less than %",
                            fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "first", documents,
                                 block_first(s, i)));
        if (size > POCKET_MAX_DOCUMENTS_BLOCK)
            return allowing(error, "1 .. %",
                            fail(error, POCKET_DAMAGED_FIELD, s->kind, i, "length of the block",
                                 POCKET_MAX_DOCUMENTS_BLOCK, size));
    }
    return POCKET_OK;
}
