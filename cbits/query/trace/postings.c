/* The postings of a term, once they are read. */
#include "query/trace/postings.h"

#include "base/memory.h"

#define TAKEN_AT_ONCE 512u

/* Room for so many postings, or a table. */
static postings *postings_alloc(uint32_t documents, uint32_t count) {
    uint32_t words = (uint32_t)(((uint64_t)documents + 7) / 8);
    postings kind = {.table = words <= count ? documents : 0};
    int is_table = in_table(&kind) > 0;
    size_t size = is_table ? (size_t)words * 4 : (size_t)count * 5;
    postings *p = pocket_malloc(sizeof *p + size);
    if (!p) return NULL;
    *p = kind;
    p->levels = (uint8_t *)(p->documents + count);
    if (is_table) memset(p->documents, 0, size);
    return p;
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
    while (p->count < total && !status) {
        uint32_t rank, count, left = total - p->count,
                              *to = in_table(p) ? room : p->documents + p->count;
        status = word_list_take(&list, to, left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE, &rank,
                                &count);
        if (status || !count) break;
        if (in_table(p))
            for (uint32_t i = 0; i < count; i++)
                p->documents[to[i] / 8] |= (1 + level_of(rank)) << 4 * (to[i] % 8);
        else
            memset(p->levels + p->count, (int)level_of(rank), count);
        p->count += count;
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
