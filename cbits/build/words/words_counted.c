/* How many documents have a word, by which the heaviest of each document are chosen (docs/format.md
 * 6.4): counted of chunks, or those of a file. */
#include "build/asking.h"
#include "build/words/words_build.h"
#include "file/words.h"

/* The words of a file, one after the other, with their counts. */
typedef struct counted_words {
    words_block block;
    word_list list;
    uint64_t at; /* where the bits of the next word begin, unless it is the first of its block */
    int waits;   /* is there a word? */
} counted_words;

static uint32_t read_count(counted_words *o) {
    uint32_t status = POCKET_OK;
    if (o->waits) status = word_list_begin(&o->list, &o->block, o->block.at > 1 ? o->at : 0);
    if (!status && o->waits && o->list.here == o->list.total) status = word_list_pass(&o->list);
    o->at = o->list.bits.at;
    return status;
}

static uint32_t counted_begin(counted_words *o, const pocket_index *file, pocket_error *error) {
    uint32_t status;
    memset(o, 0, sizeof *o);
    status = words_seek(&o->block, file, o->block.word, 0, &o->waits, error);
    return status ? status : read_count(o);
}

static uint32_t counted_next(counted_words *o) {
    uint32_t status = words_next(&o->block, &o->waits);
    return status ? status : read_count(o);
}

/* Go to the first word that is not below this one, and take its count; 1 where it is another. */
static uint32_t count_of(counted_words *o, const uint8_t *word, uint32_t length, uint32_t *count) {
    int order = 1;
    while (o->waits &&
           (order = compare_bytes(o->block.word, o->block.word_length, word, length)) < 0) {
        uint32_t status = counted_next(o);
        if (status) return status;
    }
    *count = o->waits && order == 0 ? (uint32_t)o->list.counted : 1;
    return POCKET_OK;
}

static uint32_t count_in_chunks(const words_merge *m) {
    uint32_t documents = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const pocket_chunk_words *c = &m->chunks[m->having[i]];
        uint32_t own = m->next[m->having[i]] - 1;
        documents += c->posting_ends[own] - chunk_postings_start(c, own);
    }
    return documents;
}

pocket_status pocket_words_having(const pocket_chunk_words *chunks, uint32_t count,
                                  const pocket_index *old, uint32_t *const *having,
                                  pocket_interrupt ask, pocket_error *error) {
    words_merge m;
    asking a;
    meter steps = meter_asking(&a, ask);
    counted_words counted;
    const uint8_t *word;
    uint32_t length, documents, status = old ? counted_begin(&counted, old, error) : POCKET_OK;
    if (status) return status;
    if (!words_merge_begin(&m, chunks, count)) return POCKET_NO_MEMORY;
    while (!status && !interrupted(&steps, 1) && words_merge_next(&m, &word, &length)) {
        documents = old ? 1 : count_in_chunks(&m);
        if (old) status = count_of(&counted, word, length, &documents);
        for (uint32_t i = 0; i < m.count; i++)
            having[m.having[i]][m.next[m.having[i]] - 1] = documents;
    }
    words_merge_end(&m);
    return !status && steps.ended ? POCKET_INTERRUPTED : status;
}

/* Pass over words that count as every unknown one does. */
static uint32_t pass_ones(counted_words *o) {
    uint32_t status = POCKET_OK;
    while (!status && o->waits && o->list.counted < 2) status = counted_next(o);
    return status;
}

pocket_status pocket_words_same_counts(const pocket_index *one, const pocket_index *other,
                                       uint32_t *same, pocket_error *error) {
    counted_words a, b;
    uint32_t status;
    *same = 0;
    if ((status = counted_begin(&a, one, error)) || (status = counted_begin(&b, other, error)))
        return status;
    while (!(status = pass_ones(&a)) && !(status = pass_ones(&b))) {
        if (!a.waits || !b.waits || a.list.counted != b.list.counted ||
            compare_bytes(a.block.word, a.block.word_length, b.block.word, b.block.word_length))
            break;
        if ((status = counted_next(&a)) || (status = counted_next(&b))) return status;
    }
    *same = !status && !a.waits && !b.waits && one->words_counted == other->words_counted;
    return status;
}
