/* The postings of a term, once they are read. */
#include "query/trace/postings.h"

#include "base/memory.h"

#define TAKEN_AT_ONCE 512u

/* Room for so many postings. */
static postings *postings_alloc(uint32_t count) {
    postings *p = pocket_malloc(sizeof *p + (size_t)count * (sizeof *p->documents + 1));
    if (p) *p = (postings){.levels = (uint8_t *)(p->documents + count)};
    return p;
}

uint32_t postings_read(const pocket_index *x, segment_term *term, postings **all, int *capped,
                       meter *steps, pocket_error *error) {
    word_list list;
    uint32_t status = word_list_again(&list, x, term->block, term->begins, error);
    if (status) return status;
    uint32_t total = list.total < MOST_POSTINGS ? list.total : MOST_POSTINGS;
    if (list.total > total) *capped = 1;
    postings *p = postings_alloc(total);
    if (!p) return fail(error, POCKET_NO_MEMORY, POCKET_WORDS, -1, NULL, 0, 0);
    p->next = *all;
    term->postings = *all = p;
    while (p->count < total && !status) {
        uint32_t rank, count, left = total - p->count;
        status = word_list_take(&list, p->documents + p->count,
                                left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE, &rank, &count);
        if (status || !count) break;
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
