/* The labels section (docs/format.md 6.5): the labels, sorted, and which of them a document has. */
#include "file/stored/labels.h"

#include "base/byte_strings.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/stored/content.h"

#define PARAMETERS 24u
#define MOST_NAMES 65535u         /* labels of a file */
#define MOST_ROOM 65536u          /* of a block of labels */
#define MOST_TOGETHER 65536u      /* documents of a block */
#define OF_DOCUMENTS (1ull << 32) /* first of the first block of documents */

static uint32_t labels_wrong(pocket_error *error, int64_t block, const char *field,
                             uint64_t expected, uint64_t found) {
    return fail(error, POCKET_DAMAGED_FIELD, POCKET_LABELS, block, field, expected, found);
}

/* ---- opening ---- */

static uint32_t within(pocket_error *error, const char *field, const char *allowed, uint64_t most,
                       uint64_t found) {
    return allowing(error, allowed, labels_wrong(error, -1, field, most, found));
}

/* First the blocks of labels, whose firsts rise from 0, then those of documents, so many each. */
static uint32_t open_label_blocks(const pocket_index *x, const section *s, pocket_error *error) {
    uint32_t together = x->label_documents,
             blocks = x->labels ? x->documents / together + (x->documents % together != 0) : 0;
    if (x->label_blocks > x->labels || (x->label_blocks == 0) != (x->labels == 0))
        return within(error, "blocks of labels", x->labels ? "1 .. %" : NULL, x->labels,
                      x->label_blocks);
    if (s->blocks != (uint64_t)x->label_blocks + blocks)
        return labels_wrong(error, -1, "number of blocks", (uint64_t)x->label_blocks + blocks,
                            s->blocks);
    for (uint32_t i = 0; i < s->blocks; i++) {
        uint64_t first = block_first(s, i), least = i ? block_first(s, i - 1) + 1 : 0;
        if (i >= x->label_blocks || i == 0) {
            uint64_t right =
                i < x->label_blocks ? 0 : OF_DOCUMENTS + (uint64_t)(i - x->label_blocks) * together;
            if (first != right) return labels_wrong(error, i, "first", right, first);
        } else if (first < least) {
            return allowing(error, "at least %", labels_wrong(error, i, "first", least, first));
        } else if (first >= x->labels) {
            return allowing(error, "less than %",
                            labels_wrong(error, i, "first", x->labels, first));
        }
    }
    return POCKET_OK;
}

uint32_t labels_open(pocket_index *x, const section *s, pocket_error *error) {
    const uint8_t *b = s->bytes;
    if (s->parameters != PARAMETERS)
        return labels_wrong(error, -1, "length of the parameters", PARAMETERS, s->parameters);
    uint32_t documents = load32(b);
    x->labels = load32(b + 4);
    x->label_documents = load32(b + 8);
    x->label_least = load16(b + 12);
    x->label_count_bits = load16(b + 14);
    x->label_blocks = load32(b + 16);
    x->label_room = load32(b + 20);
    if (documents != x->documents)
        return labels_wrong(error, -1, "number of documents", x->documents, documents);
    if (x->labels > MOST_NAMES)
        return within(error, "number of labels", "0 .. %", MOST_NAMES, x->labels);
    if (x->label_documents < 1 || x->label_documents > MOST_TOGETHER)
        return within(error, "documents a block", "1 .. %", MOST_TOGETHER, x->label_documents);
    if (x->label_least > POCKET_MOST_LABELS)
        return within(error, "fewest labels", "0 .. %", POCKET_MOST_LABELS, x->label_least);
    if (x->label_count_bits > 8)
        return within(error, "bits of a number of labels", "0 .. %", 8, x->label_count_bits);
    uint32_t has_some = x->label_least > 0 || x->label_count_bits > 0;
    if (has_some != (x->labels > 0))
        return within(error, "number of labels", has_some ? "at least %" : NULL, has_some,
                      x->labels);
    if (x->label_room < 1 || x->label_room > MOST_ROOM)
        return within(error, "room", "1 .. %", MOST_ROOM, x->label_room);
    return open_label_blocks(x, s, error);
}

/* ---- the labels of documents ---- */

/* A block of documents: count of them, the numbers of labels they have, then these. */
typedef struct labelled {
    const pocket_index *index;
    uint32_t block, count, width; /* block: among those of documents; width: bits of a label */
    const uint8_t *bytes;
    int no_cache;
    pocket_error *error;
    /* What is asked of it: the document's place in the block, and where its labels go. */
    uint32_t place, found, *numbers;
    uint64_t at, end; /* the bits where its labels begin, and where the last of the block ends */
    label_user use;   /* where all documents are asked for */
    void *argument;
} labelled;

static uint32_t number_of(const labelled *b, uint32_t place) {
    uint32_t bits = b->index->label_count_bits;
    return b->index->label_least + load_bits(b->bytes, (uint64_t)place * bits, bits);
}

/* Find where the labels of b->place are, having seen that the block has all that it should. */
static uint32_t open_labelled(labelled *b) {
    const pocket_index *x = b->index;
    const section *s = x->by_kind[POCKET_LABELS];
    uint32_t number = x->label_blocks + b->block,
             left = x->documents - b->block * x->label_documents, own = 0;
    uint64_t length, labels = 0, before = 0;
    b->count = left < x->label_documents ? left : x->label_documents;
    for (b->width = 1; (x->labels - 1) >> b->width; b->width++) {
    }
    uint32_t status = block_get(x, s, number, b->no_cache, &b->bytes, &length, b->error);
    if (status) return status;
    uint64_t counts = (uint64_t)b->count * x->label_count_bits;
    if ((counts + 7) / 8 > length)
        return allowing(
            b->error, "at least %",
            labels_wrong(b->error, number, "length of the block", (counts + 7) / 8, length));
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t some = number_of(b, i);
        if (some > POCKET_MOST_LABELS)
            return allowing(
                b->error, "0 .. %",
                labels_wrong(b->error, number, "labels of a document", POCKET_MOST_LABELS, some));
        if (i == b->place) {
            before = labels;
            own = some;
        }
        labels += some;
    }
    uint64_t bits = counts + labels * b->width;
    if (length != (bits + 7) / 8)
        return labels_wrong(b->error, number, "length of the block", (bits + 7) / 8, length);
    if (bits % 8 && b->bytes[length - 1] >> bits % 8)
        return labels_wrong(b->error, number, "padding", 0, b->bytes[length - 1] >> bits % 8);
    b->at = counts + before * b->width;
    b->end = bits;
    b->found = own;
    return POCKET_OK;
}

/* Take so many labels of the block, which rise; numbers has room for them. */
static uint32_t take_labels(labelled *b, uint32_t count, uint32_t *numbers) {
    int64_t before = -1, number = (int64_t)b->index->label_blocks + b->block;
    for (uint32_t i = 0; i < count; i++, b->at += b->width) {
        numbers[i] = load_bits(b->bytes, b->at, b->width);
        if (numbers[i] >= b->index->labels)
            return allowing(b->error, "less than %",
                            labels_wrong(b->error, number, "label", b->index->labels, numbers[i]));
        if (numbers[i] <= before)
            return allowing(b->error, "more than %",
                            labels_wrong(b->error, number, "label", (uint64_t)before, numbers[i]));
        before = numbers[i];
    }
    return POCKET_OK;
}

static uint32_t read_labels(void *argument) {
    labelled *b = argument;
    uint32_t status = open_labelled(b);
    return status ? status : take_labels(b, b->found, b->numbers);
}

static uint32_t use_labelled(void *argument) {
    labelled *b = argument;
    uint32_t status = open_labelled(b);
    for (uint32_t i = 0; i < b->count && !status; i++) {
        uint32_t count = number_of(b, i);
        /* These bytes were looked at before, and may have changed since. */
        if (count > POCKET_MOST_LABELS || (uint64_t)count * b->width > b->end - b->at)
            return POCKET_FILE_CHANGED;
        if ((status = take_labels(b, count, b->numbers))) break;
        b->use(b->argument, b->block * b->index->label_documents + i, b->numbers, count);
    }
    return status;
}

uint32_t labels_documents(const pocket_index *x, uint32_t block, int no_cache, label_user use,
                          void *argument, pocket_error *error) {
    uint32_t numbers[POCKET_MOST_LABELS];
    labelled b = {.index = x,
                  .block = block,
                  .no_cache = no_cache,
                  .error = error,
                  .numbers = numbers,
                  .use = use,
                  .argument = argument};
    return guarded(x, use_labelled, &b);
}

uint32_t pocket_label_count(const pocket_index *x) { return x->labels; }

pocket_status pocket_labels_get(const pocket_index *x, uint32_t document, uint32_t *numbers,
                                uint32_t *count, pocket_error *error) {
    uint32_t room = *count, found[POCKET_MOST_LABELS];
    *count = 0;
    clear(error);
    if (!x->by_kind[POCKET_LABELS])
        return fail(error, POCKET_NOT_FOUND, POCKET_LABELS, -1, "labels", 0, 0);
    if (document >= x->documents) return no_document(error, POCKET_LABELS, x->documents, document);
    if (x->labels == 0) return POCKET_OK;
    labelled b = {.index = x,
                  .block = document / x->label_documents,
                  .place = document % x->label_documents,
                  .numbers = found,
                  .error = error};
    uint32_t status = guarded(x, read_labels, &b);
    if (status) return fail_as(error, status);
    *count = b.found < room ? b.found : room;
    if (*count > 0) memcpy(numbers, found, *count * sizeof *numbers);
    return POCKET_OK;
}

/* ---- the labels themselves ---- */

static uint32_t next_label(uint32_t block, const uint8_t **at, const uint8_t *end, field *f,
                           pocket_error *error) {
    if (!field_next(at, end, POCKET_LABEL_BYTES, f) || f->length == 0)
        return labels_wrong(error, block, "record", 0, 0);
    return POCKET_OK;
}

pocket_status pocket_label_name(const pocket_index *x, uint32_t number, char *label,
                                uint32_t *length, pocket_error *error) {
    uint32_t size, status;
    uint8_t *content;
    field f = {NULL, 0};
    label[0] = 0;
    *length = 0;
    clear(error);
    if (number >= x->labels)
        return fail(error, POCKET_NOT_FOUND, POCKET_LABELS, -1, "label", x->labels, number);
    const section *s = x->by_kind[POCKET_LABELS];
    uint32_t block = block_find(s, 0, x->label_blocks, number);
    status = content_get(x, POCKET_LABELS, block, x->label_room, 0, &content, &size, error);
    if (status) return fail_as(error, status);
    const uint8_t *at = content, *end = content + size;
    for (uint64_t i = block_first(s, block); i <= number && !status; i++)
        status = next_label(block, &at, end, &f, error);
    if (!status && !is_utf8(f.bytes, f.length)) status = labels_wrong(error, block, "UTF-8", 0, 0);
    if (!status) {
        memcpy(label, f.bytes, f.length);
        label[f.length] = 0;
        *length = f.length;
    }
    pocket_free(content);
    return status;
}

uint32_t labels_names(const pocket_index *x, uint32_t block, int no_cache, name_user use,
                      void *argument, pocket_error *error) {
    const section *s = x->by_kind[POCKET_LABELS];
    uint64_t first = block_first(s, block),
             next = block + 1 < x->label_blocks ? block_first(s, block + 1) : x->labels;
    uint8_t *content;
    uint32_t size, status = content_get(x, POCKET_LABELS, block, x->label_room, no_cache, &content,
                                        &size, error);
    if (status) return status;
    const uint8_t *at = content, *end = content + size;
    for (uint64_t i = first; i < next && !status; i++) {
        field f;
        if ((status = next_label(block, &at, end, &f, error))) break;
        status = is_utf8(f.bytes, f.length) ? use(argument, (uint32_t)i, f.bytes, f.length)
                                            : labels_wrong(error, block, "UTF-8", 0, 0);
    }
    if (!status && at != end)
        status = labels_wrong(error, block, "bytes after the last label", 0, (uint64_t)(end - at));
    pocket_free(content);
    return status;
}

/* ---- checking ---- */

typedef struct checking {
    uint8_t before[POCKET_LABEL_BYTES]; /* the label before, of length bytes */
    uint32_t length, block;
    uint8_t seen[MOST_NAMES / 8 + 1]; /* a bit for each label that a document has */
    pocket_error *error;
} checking;

static uint32_t check_name(void *argument, uint32_t number, const uint8_t *bytes, uint32_t length) {
    checking *c = argument;
    int order = compare_bytes(bytes, length, c->before, c->length);
    (void)number;
    if (order <= 0) return labels_wrong(c->error, c->block, "order of the labels", 0, 0);
    memcpy(c->before, bytes, c->length = length);
    return POCKET_OK;
}

static void see_labels(void *argument, uint32_t document, const uint32_t *numbers, uint32_t count) {
    checking *c = argument;
    (void)document;
    for (uint32_t i = 0; i < count; i++)
        c->seen[numbers[i] / 8] |= (uint8_t)(1u << numbers[i] % 8);
}

uint32_t labels_verify(const pocket_index *x, pocket_error *error) {
    const section *s = x->by_kind[POCKET_LABELS];
    meter steps = meter_of(x);
    uint32_t status = POCKET_OK;
    checking *c = pocket_malloc(sizeof *c);
    if (!c) return fail(error, POCKET_NO_MEMORY, POCKET_LABELS, -1, NULL, 0, 0);
    memset(c, 0, sizeof *c);
    c->error = error;
    for (c->block = 0; c->block < s->blocks && !status; c->block++) {
        uint32_t i = c->block;
        if ((status = interrupted(&steps, steps_of(block_end(s, i) - block_start(s, i))))) break;
        status = i < x->label_blocks
                     ? labels_names(x, i, 1, check_name, c, error)
                     : labels_documents(x, i - x->label_blocks, 1, see_labels, c, error);
    }
    for (uint32_t i = 0; i < x->labels && !status; i++)
        if (!(c->seen[i / 8] >> i % 8 & 1))
            status = labels_wrong(error, -1, "documents of a label", 1, 0);
    pocket_free(c);
    return status;
}
