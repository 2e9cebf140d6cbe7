/* Which documents the filters of a question leave (docs/format.md, section 10): filters -> labels
 * of the file -> a bit for each document. */
#include "base/memory.h"
#include "file/stored/labels.h"
#include "query/words/word_search.h"

#define MOST_NAME_BLOCKS_COLD 64u
#define MOST_LABELLED_BLOCKS_COLD 256u
#define LANGUAGE "lang:" /* begins a label that tells a document's language */
#define LANGUAGE_SIZE 5u
#define PAIR_BITS 1024u
#define LEAST_NEAR 250u /* pairs that both have, in thousandths of those of both */

/* The labels that are like a filter's value, best first; pairs: a bit for each two neighbours of
 * its bytes. */
typedef struct near_labels {
    uint32_t worth[NEAR_LABELS];
    uint8_t pairs[PAIR_BITS / 8];
} near_labels;

typedef struct filtering {
    word_search *s;
    uint16_t *exact, *folded; /* of each label a bit for each filter: it is the value; it has its
                                 words */
    uint16_t exactly, wanted[2], excluded; /* exactly: filters whose value is a label */
    uint32_t kinds;                        /* of which the file has labels: 1 labels, 2 languages */
    near_labels near[MOST_FILTERS];
} filtering;

static uint8_t lowered(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte; }

static uint32_t pair_of(const uint8_t *p) {
    return (lowered(p[0]) * 31u + lowered(p[1])) % PAIR_BITS;
}

static int same_tag(uint8_t a, uint8_t b) {
    return lowered(a == '_' ? '-' : a) == lowered(b == '_' ? '-' : b);
}

/* Is a tag this language, or one of its kinds, as en-GB is of en? */
static int is_language(const uint8_t *tag, uint32_t length, const uint8_t *value, uint32_t size) {
    uint32_t i = 0;
    while (i < size && i < length && same_tag(tag[i], value[i])) i++;
    return i == size && (i == length || same_tag(tag[i], '-'));
}

/* Have two texts the same whole words, and some? */
static int same_words(const uint8_t *a, uint32_t length, const uint8_t *b, uint32_t size) {
    word_stream own, other;
    int found = 0;
    word_stream_begin(&own, a, length, STREAM_EVERY_WORD, NULL);
    word_stream_begin(&other, b, size, STREAM_EVERY_WORD, NULL);
    while (word_stream_next_whole(&own)) {
        if (!word_stream_next_whole(&other) || own.length != other.length ||
            memcmp(own.bytes, other.bytes, own.length))
            return 0;
        found = 1;
    }
    return found && !word_stream_next_whole(&other);
}

/* Keep a label if it and the value share half of their pairs of bytes, and it is among the best. */
static void offer_near(search_filter *f, near_labels *near, uint32_t number, const uint8_t *bytes,
                       uint32_t length) {
    uint32_t common = 0, pairs = f->size + length - 2, at = NEAR_LABELS;
    if (f->size < 2 || length < 2) return;
    for (uint32_t i = 0; i + 1 < length; i++) {
        uint32_t pair = pair_of(bytes + i);
        common += near->pairs[pair / 8] >> pair % 8 & 1;
    }
    uint32_t worth = 1000 * common / pairs;
    if (worth < LEAST_NEAR) return;
    for (; at && near->worth[at - 1] < worth; at--)
        if (at < NEAR_LABELS) {
            near->worth[at] = near->worth[at - 1];
            f->near[at] = f->near[at - 1];
        }
    if (at == NEAR_LABELS) return;
    near->worth[at] = worth;
    f->near[at] = number;
    f->near_count += f->near_count < NEAR_LABELS;
}

static uint32_t match_name(void *argument, uint32_t number, const uint8_t *bytes, uint32_t length) {
    filtering *f = argument;
    word_search *s = f->s;
    int language = length > LANGUAGE_SIZE && !memcmp(bytes, LANGUAGE, LANGUAGE_SIZE);
    if (language) {
        bytes += LANGUAGE_SIZE;
        length -= LANGUAGE_SIZE;
    }
    f->kinds |= language ? 2u : 1u;
    for (uint32_t i = 0; i < s->filter_count; i++) {
        search_filter *own = &s->filters[i];
        const uint8_t *value = own->value;
        uint16_t bit = (uint16_t)(1u << i);
        if (own->asked.language != language) continue;
        if (interrupted(&s->steps, steps_of(length + own->size))) return POCKET_INTERRUPTED;
        if (language ? is_language(bytes, length, value, own->size)
                     : length == own->size && !memcmp(bytes, value, length)) {
            f->exact[number] |= bit;
            f->exactly |= bit;
        } else if (!language && same_words(bytes, length, value, own->size)) {
            f->folded[number] |= bit;
        } else if (!language) {
            offer_near(own, &f->near[i], number, bytes, length);
        }
    }
    return POCKET_OK;
}

static void filter_document(void *argument, uint32_t document, const uint32_t *numbers,
                            uint32_t count) {
    filtering *f = argument;
    word_search *s = f->s;
    uint16_t has = 0;
    for (uint32_t i = 0; i < count; i++) has |= f->exact[numbers[i]];
    for (uint32_t i = 0; i < s->filter_count; i++) s->filters[i].documents += has >> i & 1;
    if ((f->wanted[0] && !(has & f->wanted[0])) || (f->wanted[1] && !(has & f->wanted[1])) ||
        has & f->excluded)
        return;
    s->allowed[document / 8] |= (uint8_t)(1u << document % 8);
    s->allowed_count++;
}

/* The labels of each filter: those that are its value, or else those that have its words. */
static void choose_labels(filtering *f) {
    word_search *s = f->s;
    for (uint32_t i = 0; i < s->index->labels; i++) {
        f->exact[i] |= (uint16_t)(f->folded[i] & ~f->exactly);
        for (uint32_t k = 0; k < s->filter_count; k++) s->filters[k].labels += f->exact[i] >> k & 1;
    }
}

static uint32_t at_most(word_search *s, uint32_t blocks, uint32_t most) {
    if (!s->options.cold || blocks <= most) return blocks;
    s->capped = 1;
    return most;
}

static uint32_t read_all_labels(filtering *f) {
    word_search *s = f->s;
    const pocket_index *x = s->index;
    uint32_t status = POCKET_OK, names = at_most(s, x->label_blocks, MOST_NAME_BLOCKS_COLD),
             all = x->by_kind[POCKET_LABELS]->blocks - x->label_blocks,
             blocks = at_most(s, all, MOST_LABELLED_BLOCKS_COLD);
    for (uint32_t i = 0; i < names && !status; i++)
        status = search_unless_missed(s, labels_names(x, i, 0, match_name, f, s->error));
    if (!status) choose_labels(f);
    for (uint32_t i = 0; i < blocks && !status; i++) {
        if (interrupted(&s->steps, x->label_documents)) return POCKET_INTERRUPTED;
        status = search_unless_missed(s, labels_documents(x, i, 0, filter_document, f, s->error));
    }
    return status;
}

static void begin_filter(filtering *f, uint32_t i) {
    search_filter *own = &f->s->filters[i];
    uint16_t bit = (uint16_t)(1u << i), *set = &f->wanted[own->asked.language];
    own->value = own->asked.text + own->asked.start;
    own->size = (uint32_t)(own->asked.end - own->asked.start);
    own->labels = own->near_count = 0;
    own->documents = 0;
    *(own->asked.excluded ? &f->excluded : set) |= bit;
    f->s->unlabelled |= own->asked.language ? 2u : 1u;
    for (uint32_t k = 0; k + 1 < own->size; k++) {
        uint32_t pair = pair_of(own->value + k);
        f->near[i].pairs[pair / 8] |= (uint8_t)(1u << pair % 8);
    }
}

uint32_t filter_documents(word_search *s) {
    const pocket_index *x = s->index;
    uint32_t status = POCKET_OK;
    size_t size = x->labels * sizeof(uint16_t), bytes = x->documents / 8 + 1;
    if (!s->filter_count) return POCKET_OK;
    filtering *f = pocket_malloc(sizeof *f + 2 * size);
    s->allowed = pocket_malloc(bytes);
    if (!f || !s->allowed) {
        pocket_free(f);
        return fail(s->error, POCKET_NO_MEMORY, POCKET_LABELS, -1, NULL, 0, 0);
    }
    memset(f, 0, sizeof *f + 2 * size);
    memset(s->allowed, 0, bytes);
    f->s = s;
    f->exact = (uint16_t *)(f + 1);
    f->folded = f->exact + x->labels;
    for (uint32_t i = 0; i < s->filter_count; i++) begin_filter(f, i);
    if (x->labels) status = read_all_labels(f);
    s->unlabelled &= ~f->kinds;
    pocket_free(f);
    return status;
}
