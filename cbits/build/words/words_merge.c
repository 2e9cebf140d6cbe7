#include "base/byte_strings.h"
#include "base/memory.h"
#include "build/words/words_build.h"

/* Below 0 where the next word of chunk a comes before that of chunk b, or is the same and a does.
 */
static int merge_order(const words_merge *m, uint32_t a, uint32_t b) {
    uint32_t length, other_length;
    const uint8_t *word = chunk_word(&m->chunks[a], m->next[a], &length),
                  *other = chunk_word(&m->chunks[b], m->next[b], &other_length);
    int order = compare_bytes(word, length, other, other_length);
    if (order) return order;
    return a < b ? -1 : a > b;
}

static void sift(words_merge *m, uint32_t i) {
    uint32_t chunk = m->heap[i];
    for (uint32_t child; (child = 2 * i + 1) < m->heap_size; i = child) {
        if (child + 1 < m->heap_size && merge_order(m, m->heap[child + 1], m->heap[child]) < 0)
            child++;
        if (merge_order(m, chunk, m->heap[child]) <= 0) break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = chunk;
}

int words_merge_begin(words_merge *m, const pocket_chunk_words *chunks, uint32_t count) {
    *m = (words_merge){.chunks = chunks};
    m->next = pocket_malloc(3 * ((size_t)count + 1) * sizeof *m->next);
    if (!m->next) return 0;
    m->heap = m->next + count;
    m->having = m->heap + count;
    memset(m->next, 0, count * sizeof *m->next);
    for (uint32_t i = 0; i < count; i++)
        if (chunks[i].words) m->heap[m->heap_size++] = i;
    for (uint32_t i = m->heap_size / 2; i-- > 0;) sift(m, i);
    return 1;
}

int words_merge_next(words_merge *m, const uint8_t **word, uint32_t *length) {
    m->count = 0;
    if (m->heap_size == 0) return 0;
    *word = chunk_word(&m->chunks[m->heap[0]], m->next[m->heap[0]], length);
    while (m->heap_size) {
        uint32_t chunk = m->heap[0], other_length;
        const uint8_t *other = chunk_word(&m->chunks[chunk], m->next[chunk], &other_length);
        if (other_length != *length || memcmp(other, *word, *length)) break;
        m->having[m->count++] = chunk;
        if (++m->next[chunk] == m->chunks[chunk].words) m->heap[0] = m->heap[--m->heap_size];
        if (m->heap_size) sift(m, 0);
    }
    return 1;
}

void words_merge_end(words_merge *m) { pocket_free(m->next); }
