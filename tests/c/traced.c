/* Where texts come from: traced FILE TEXTS FIRST, the texts each followed by a zero byte, the first
 * FIRST of them those of the documents 0 .. of the file. Each is asked of the file, and of the same
 * documents as given ones; prints a line for each text: of both ways the number of sources, the
 * first one, its coverage, and frequent passages; and refuses what may not be asked. */
#include "ask.h"

enum { MOST_TEXTS = 4096 };

static uint64_t until_end;

static int end_asking(void *none) {
    (void)none;
    return until_end == 0 || --until_end == 0;
}

static void print_found(const pocket_sources_found *found) {
    int first = found->count ? (int)found->sources[0].document : -1;
    printf("%u %d %u %u ", found->all, first, first < 0 ? 0 : found->sources[0].coverage,
           found->frequent_count);
}

static void refuse(const pocket_index *x, const uint8_t *text, pocket_given *given,
                   uint32_t count) {
    const pocket_sources_options many = {sizeof many, UINT32_MAX, 0}, other = {1, 0, 0};
    const uint64_t longest = UINT64_MAX;
    pocket_sources_found *found;
    pocket_given *none;
    if (pocket_given_new(x, &text, &longest, 1, &none, NULL) != POCKET_TEXT_TOO_LONG || none ||
        pocket_given_new(x, &text, &longest, UINT32_MAX, &none, NULL) != POCKET_BAD_ARGUMENT ||
        pocket_given_look(given, 0, text, longest, NULL) != POCKET_TEXT_TOO_LONG ||
        pocket_given_found(given, count, NULL, &found, NULL) != POCKET_BAD_ARGUMENT || found ||
        pocket_given_found(given, 0, &many, &found, NULL) != POCKET_BAD_ARGUMENT || found ||
        pocket_given_found(given, 0, &other, &found, NULL) != POCKET_BAD_ARGUMENT || found ||
        pocket_sources(x, text, longest, NULL, &found, NULL) != POCKET_TEXT_TOO_LONG || found)
        exit(9);
    pocket_given_free(NULL);
}

int main(int argc, char **argv) {
    static const uint8_t *all[MOST_TEXTS];
    static uint64_t lengths[MOST_TEXTS];
    uint64_t size, end = 0;
    uint32_t count = 0;
    pocket_index *x;
    pocket_given *given;
    if (argc != 4) return 2;
    uint8_t *bytes = read_file(argv[1], &size);
    if (pocket_open(bytes, size, &x, NULL)) return 3;
    uint8_t *many = read_file(argv[2], &size);
    uint32_t documents = (uint32_t)atoi(argv[3]);
    while (end < size && count < MOST_TEXTS) {
        all[count] = many + end;
        lengths[count] = strlen((const char *)many + end);
        end += lengths[count++] + 1;
    }
    if (pocket_given_new(x, all, lengths, count, &given, NULL)) return 4;
    for (uint32_t d = 0; d < documents && d < count; d++)
        if (pocket_given_look(given, d, all[d], lengths[d], NULL)) return 5;
    for (uint32_t i = 0; i < count; i++) {
        const pocket_sources_options three = {sizeof three, 3, i & 1};
        pocket_sources_found *found;
        if (pocket_sources(x, all[i], lengths[i], i & 2 ? NULL : &three, &found, NULL)) return 6;
        print_found(found);
        pocket_sources_free(found);
        if (pocket_given_found(given, i, i & 2 ? NULL : &three, &found, NULL)) return 7;
        print_found(found);
        pocket_sources_free(found);
        printf("\n");
    }
    if (!pocket_given_noted(given)) return 8;
    pocket_given_forget(given);
    if (pocket_given_next(given, 0) != UINT32_MAX) return 9;
    for (uint32_t d = 0; d < documents && d < count; d++) {
        uint32_t text = 0;
        if (pocket_given_look(given, d, all[d], lengths[d], NULL)) return 5;
        for (; (text = pocket_given_next(given, text)) < count; text++) {
            pocket_sources_found *found;
            if (pocket_given_found(given, text, NULL, &found, NULL)) return 7;
            pocket_sources_free(found);
        }
        pocket_given_forget(given);
    }
    refuse(x, all[0], given, count);
    pocket_given_free(given);
    /* Asking is ended at each of its first steps. */
    for (uint64_t steps = 1; steps < 4096; steps *= 4) {
        pocket_sources_found *found;
        until_end = steps;
        pocket_on_interrupt(x, end_asking, NULL);
        if (!pocket_sources(x, all[count - 1], lengths[count - 1], NULL, &found, NULL))
            pocket_sources_free(found);
        until_end = steps;
        if (!pocket_given_new(x, all + count - 3, lengths + count - 3, 3, &given, NULL)) {
            for (uint32_t d = 0; d < documents; d += 64)
                pocket_given_look(given, d, all[d], lengths[d], NULL);
            if (!pocket_given_found(given, 2, NULL, &found, NULL)) pocket_sources_free(found);
            pocket_given_free(given);
        }
    }
    pocket_close(x);
    free(bytes);
    free(many);
    return 0;
}
