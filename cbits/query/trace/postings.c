/* The postings of a term, once they are read. */
#include "query/trace/postings.h"

#include "base/memory.h"

#define TAKEN_AT_ONCE 512u

/* Room for so many postings, or a table. */
static postings *postings_alloc(uint32_t documents, uint32_t count) {
    uint64_t words = ((uint64_t)documents + 7) / 8;
    posting_list list = {.end = documents};
    int as_table = is_table(&list) && words <= count;
    size_t size = as_table ? (size_t)words * sizeof(uint32_t) : count * (sizeof(uint32_t) + 1);
    postings *p = pocket_malloc(sizeof *p + size);
    if (!p) return NULL;
    if (!as_table) list = (posting_list){.levels = (uint8_t *)(p->documents + count)};
    list.documents = p->documents;
    *p = (postings){.list = list}; /* and its padding, where the first document is */
    if (as_table) memset(p->documents, 0, size);
    return p;
}

/* Add documents of one level, which lie behind those of the list if this is no table. */
static void add_level(postings *p, const uint32_t *documents, uint32_t count, uint32_t level,
                      uint8_t *levels) {
    if (is_table(&p->list)) {
        for (uint32_t i = 0; i < count; i++)
            p->documents[documents[i] / 8] |= (1 + level) << 4 * (documents[i] % 8);
    } else {
        memset(levels + p->count, (int)level, count);
        p->list.end += count;
    }
    p->count += count;
}

uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error) {
    word_list list;
    uint32_t room[TAKEN_AT_ONCE];
    uint32_t status = word_list_again(&list, x, term->block, term->begins, error);
    if (status) return status;
    uint32_t total = list.total < MOST_POSTINGS ? list.total : MOST_POSTINGS;
    if (list.total > total) *capped = 1;
    postings *p = postings_alloc(x->documents, total);
    if (!p) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    p->next = *all;
    term->postings = *all = p;
    uint8_t *levels = (uint8_t *)(p->documents + total);
    int as_table = is_table(&p->list);
    while (p->count < total && !status) {
        uint32_t rank, count, left = total - p->count,
                              *to = as_table ? room : p->documents + p->count;
        status =
            word_list_take(&list, to, left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE, &rank, &count);
        if (status || !count) break;
        add_level(p, to, count, level_of(rank), levels);
        status = interrupted(steps, count / 8 + 1);
    }
    return status;
}

void postings_free(postings **all) {
    while (*all) {
        postings *p = *all;
        *all = p->next;
        pocket_free(p);
    }
}
