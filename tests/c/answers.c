/* Replay vectors: answers CASES, a line each: "t STREAM HEX" for the terms of a text, "q FILE
 * PROBES HEX" for a query; prints what came out. */
#include "ask.h"

#include "../../cbits/text/terms.h"

static void print_hex(const uint8_t *bytes, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) printf("%02x", bytes[i]);
}

static uint64_t unhex(const char *hex, uint8_t *out) {
    uint64_t length = strlen(hex) / 2;
    for (uint64_t i = 0; i < length; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) exit(2);
        out[i] = (uint8_t)value;
    }
    return length;
}

static void print_terms(uint32_t stream, const uint8_t *text, uint64_t length) {
    term_stream terms;
    term_stream_begin(&terms, text, length, stream);
    while (term_stream_next(&terms)) {
        printf(" ");
        print_hex(terms.bytes, terms.length);
    }
    printf("\n");
}

static void print_answer(const char *path, uint32_t probes, const uint8_t *text, uint64_t length) {
    uint64_t size;
    uint8_t *bytes = read_file(path, &size);
    pocket_index *x;
    pocket_summary s;
    pocket_report r;
    pocket_hit hits[5];
    uint32_t count = 5;
    if (pocket_open(bytes, size, &x, NULL)) exit(3);
    pocket_summarize(x, &s);
    uint8_t *digits = malloc(s.components);
    uint32_t *weights = malloc(s.components * sizeof *weights);
    uint64_t *keys = malloc(s.tables * sizeof *keys);
    if (!digits || !weights || !keys) exit(2);
    uint32_t status = pocket_sketch(x, text, length, digits, weights, keys, NULL);
    if (status == POCKET_TEXT_TOO_SHORT) {
        printf(" short");
    } else {
        if (status || pocket_query(x, text, length, ASKED(probes, &r), hits, &count, NULL)) exit(4);
        printf(" ");
        print_hex(digits, s.components);
        for (uint32_t i = 0; i < s.components; i++) printf(" %u", weights[i]);
        for (uint32_t i = 0; i < s.tables; i++) printf(" %016llx", (unsigned long long)keys[i]);
        printf(" %llu %u %u %u", (unsigned long long)r.terms, r.probes, r.parts, r.candidates);
        uint32_t documents[5], estimates[5], bits = pocket_shared_bits(x);
        for (uint32_t i = 0; i < count; i++) documents[i] = hits[i].document;
        if (pocket_shared_estimate(x, text, length, documents, count, estimates, NULL) !=
            (bits ? POCKET_OK : POCKET_NO_SHARED_BITS))
            exit(4);
        for (uint32_t i = 0; i < count; i++) {
            printf(" %u,%u,%llu", hits[i].document, hits[i].similarity,
                   (unsigned long long)hits[i].tables);
            if (bits) printf(",%u", estimates[i]);
        }
    }
    printf("\n");
    free(digits);
    free(weights);
    free(keys);
    pocket_close(x);
    free(bytes);
}

int main(int count, char **arguments) {
    static char line[1 << 16], hex[1 << 16], path[4096];
    static uint8_t text[1 << 15];
    FILE *cases = count > 1 ? fopen(arguments[1], "r") : NULL;
    unsigned probes, stream;
    if (!cases) return 2;
    while (fgets(line, sizeof line, cases)) {
        hex[0] = 0;
        if (line[0] == 't') {
            if (sscanf(line, "t %u %65535s", &stream, hex) < 1) return 2;
            print_terms(stream, text, unhex(hex, text));
        } else if (sscanf(line, "q %4095s %u %65535s", path, &probes, hex) >= 2) {
            print_answer(path, probes, text, unhex(hex, text));
        }
    }
    fclose(cases);
    return 0;
}
