/* A file is opened and asked while calls of the C library fail, the first, the second .. and for
 * good: opened FILE. Linked with faults.c. Each time a status or the same answer, and no file is
 * left open. */
#include <fcntl.h>
#include <unistd.h>

#include "ask.h"
#include "lending.h"

void faults_arm(const char *call, uint64_t number, int lasting);
uint64_t faults_seen(void);

/* sigaction first: the handler is installed once. */
static const char *const calls[] = {"sigaction", "open", "fstat", "mmap", "malloc"};
enum { CALLS = sizeof calls / sizeof *calls };

static uint64_t refusals;

static int count_refusal(uint32_t status) {
    refusals += status >= POCKET_NO_MEMORY;
    return status <= POCKET_IO;
}

static int ask_all(const char *path, const char *call, uint64_t number, int lasting, pieces *p) {
    pocket_index *x = NULL;
    pocket_report report;
    pocket_hit hits[HITS];
    pocket_class class;
    uint64_t value, classes = 1;
    uint32_t count = HITS;
    faults_arm(call, number, lasting);
    uint32_t status = pocket_open_path(path, &x, NULL);
    int good = count_refusal(status) && (status == 0) == (x != NULL);
    if (x) {
        const uint8_t *text = (const uint8_t *)texts[0];
        pocket_expect_cold(x);
        good &= count_refusal(
            pocket_query(x, text, strlen(texts[0]), ASKED(7, NULL), hits, &count, NULL));
        good &= count_refusal(pocket_sketch(x, text, strlen(texts[0]), NULL, NULL, NULL, &report));
        good &= count_refusal(pocket_classes(x, text, strlen(texts[0]), &class, &classes));
        good &= count_refusal(pocket_verify(x, NULL));
        good &= ask_titles(x, "l", &value) != POCKET_IO && ask_text(x, 0, &value) != POCKET_IO &&
                ask_find(x, "id 7", &value) != POCKET_IO;
        pocket_close(x);
    }
    good &= count_refusal(pocket_open_pieces(p->heads, p->length, &p->index, NULL));
    if (p->index) pocket_close(p->index);
    faults_arm("", 0, 0);
    return good;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    uint64_t length;
    pieces p = {.file = read_file(arguments[1], &length)};
    gather_heads(&p);
    int free_before = dup(0), free_after;
    close(free_before);
    for (uint32_t i = 0; i < CALLS; i++)
        for (int lasting = 1; lasting >= 0; lasting--)
            for (uint64_t n = 1, seen = n; seen >= n; n++) {
                if (!ask_all(arguments[1], calls[i], n, lasting, &p))
                    return printf("%s number %llu\n", calls[i], (unsigned long long)n), 1;
                seen = faults_seen();
            }
    free_after = dup(0);
    printf("%llu refusals\n", (unsigned long long)refusals);
    free(p.heads);
    free((void *)(uintptr_t)p.file);
    return free_after != free_before || refusals < 20;
}
