/* The postings of a term, once they are read. */
#include "query/trace/postings.h"

#include "base/memory.h"

#define TAKEN_AT_ONCE 512u

/* Room for so many postings, or a table. */
static postings *postings_alloc(uint32_t documents, uint32_t count) {
    uint32_t words = (uint32_t)(((uint64_t)documents + 7) / 8), is_table = words <= count;
    size_t size = (size_t)(is_table ? words : count) * sizeof(uint32_t);
    postings *p = pocket_malloc(sizeof *p + size);
    if (!p) return NULL;
    memset(p, 0, sizeof *p + (is_table ? size : 0));
    if (is_table) p->in_table = documents;
    return p;
}

/* Add documents of one level, which lie behind those of the list if this is no table. */
static void add_level(postings *p, const uint32_t *documents, uint32_t count, uint32_t level) {
    p->count += count;
    if (!p->in_table) {
        for (uint32_t lower = level + 1; lower-- > 0;) p->ends[lower] = p->count;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        p->documents[documents[i] / 8] |= (1 + level) << 4 * (documents[i] % 8);
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
                              *to = p->in_table ? room : p->documents + p->count;
        status = word_list_take(&list, to, left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE, &rank,
                                &count);
        if (status || !count) break;
        add_level(p, to, count, level_of(rank));
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
