/* What is stored of a text is what a query makes of it: sketched FILE. The building half makes no
 * margins, and sketches many texts at once. */
#include "../../cbits/build/pocket_build.h"
#include "ask.h"

int main(int count, char **arguments) {
    uint64_t length, ends[TEXTS], end = 0;
    pocket_index *x;
    pocket_profile *profile;
    pocket_section section;
    pocket_summary s;
    char all[4096];
    if (count < 2) return 2;
    uint8_t *bytes = read_file(arguments[1], &length);
    if (pocket_open(bytes, length, &x, NULL) || pocket_section_get(x, 0, &section)) return 3;
    pocket_summarize(x, &s);
    if (pocket_profile_open(bytes + section.offset, section.parameters, &profile, NULL)) return 4;
    const uint64_t lengths[] = {24, section.parameters - 1, 524296};
    uint8_t *longest = calloc(1, lengths[2]);
    if (!longest) return 5;
    memcpy(longest, bytes + section.offset, section.parameters);
    for (int i = 0; i < 3; i++) {
        pocket_profile *none;
        if (pocket_profile_open(longest, lengths[i], &none, NULL) != POCKET_DAMAGED_FIELD) return 9;
    }
    free(longest);
    for (uint32_t i = 0; i < TEXTS; i++) {
        memcpy(all + end, texts[i], strlen(texts[i]));
        ends[i] = end += strlen(texts[i]);
    }
    uint64_t *keys = calloc(TEXTS * (s.tables + 1), sizeof *keys),
             *own = calloc(s.tables + 1, sizeof *own);
    uint64_t copies[TEXTS];
    uint8_t *sketches = malloc(TEXTS * (s.stride + 64));
    uint32_t terms[TEXTS];
    if (!keys || !own || !sketches) return 5;
    if (pocket_sketch_many(profile, (const uint8_t *)all, ends, TEXTS, s.identity_bits, sketches,
                           keys, terms, NULL, copies, NULL))
        return 6;
    for (uint32_t i = 0; i < TEXTS; i++) {
        uint32_t status =
            pocket_sketch(x, (const uint8_t *)texts[i], strlen(texts[i]), NULL, NULL, own, NULL);
        if (status && status != POCKET_TEXT_TOO_SHORT) return 7;
        if (!status && memcmp(own, keys + i * s.tables, s.tables * sizeof *own)) return 8;
    }
    pocket_profile_close(profile);
    pocket_close(x);
    free(sketches);
    free(own);
    free(keys);
    free(bytes);
    return 0;
}
