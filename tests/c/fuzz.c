/* What a file of any bytes is asked: all that pocket.h offers, and the same of the file in pieces,
 * whose answers must be equal. mutator.c changes the files; replay.c asks those of
 * tests/fuzz_corpus without libFuzzer. */
#include "ask.h"
#include "lending.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define require(claim) ((claim) ? (void)0 : untrue(__LINE__, #claim))

static void untrue(int line, const char *claim) {
    fprintf(stderr, "fuzz.c:%d: not so: %s\n", line, claim);
    abort();
}

/* What is not asked by ask.h: numbers that no answer depends on. */
static void ask_about(const pocket_index *x, const pocket_summary *s) {
    pocket_section section;
    pocket_table table;
    pocket_error error;
    char name[256];
    uint64_t length;
    for (uint32_t i = 0; i < pocket_section_count(x); i++)
        require(!pocket_section_get(x, i, &section));
    require(pocket_section_get(x, pocket_section_count(x), &section) == POCKET_BAD_ARGUMENT);
    for (uint32_t i = 0; i < s->tables; i++) require(!pocket_table_get(x, i, &table));
    require(pocket_table_get(x, s->tables, &table) == POCKET_BAD_ARGUMENT);
    require(!pocket_profile_name(x, name) && strlen(name) < sizeof name &&
            is_utf8((const uint8_t *)name, strlen(name)));
    uint32_t status = pocket_hash_bytes(x, &length, &error);
    require(error.status == status);
    require(pocket_similarity_error(x, 5000) <= 10000 &&
            pocket_similarity_error(x, 20000) <= 10000);
    require(pocket_min_similarity(x, 0, 0) < 10000 &&
            pocket_min_similarity(x, UINT64_MAX, 1) <= 10000 &&
            !pocket_more_than_chance(x, 0, 0, NULL, 0));
    require(pocket_miss(x, POCKET_TABLES) == POCKET_BAD_ARGUMENT &&
            pocket_title_count(x) <= s->documents);
}

/* How a text comes to its keys. */
static void ask_sketch(const pocket_index *x, const pocket_summary *s, const char *text) {
    enum { CLASSES = 4 };
    pocket_class classes[CLASSES];
    pocket_report report;
    uint64_t count = CLASSES;
    uint8_t *digits = malloc(s->components);
    uint32_t *weights = malloc(s->components * sizeof *weights);
    int32_t *influences = malloc(s->components * sizeof *influences);
    uint64_t *keys = malloc((s->tables + 1) * sizeof *keys);
    if (digits && weights && influences && keys) {
        pocket_sketch(x, (const uint8_t *)text, strlen(text), digits, weights, keys, &report);
        pocket_sketch(x, (const uint8_t *)text, strlen(text), NULL, NULL, NULL, NULL);
        if (!pocket_classes(x, (const uint8_t *)text, strlen(text), classes, &count))
            for (uint64_t i = 0; i < count && i < CLASSES; i++)
                pocket_influences(x, &classes[i], influences);
    }
    free(keys);
    free(influences);
    free(weights);
    free(digits);
}

typedef uint32_t question(const pocket_index *x, const char *text, uint32_t number,
                          uint64_t *value);

static uint32_t by_text(const pocket_index *x, const char *text, uint32_t probes, uint64_t *value) {
    return ask_query(x, text, 0, probes, value, NULL);
}
static uint32_t by_document(const pocket_index *x, const char *text, uint32_t number,
                            uint64_t *value) {
    return ask_query(x, NULL, number, 20, value, NULL);
}
static uint32_t by_id(const pocket_index *x, const char *text, uint32_t number, uint64_t *value) {
    return ask_find(x, text, value);
}
static uint32_t by_beginning(const pocket_index *x, const char *text, uint32_t number,
                             uint64_t *value) {
    return ask_titles(x, text, value);
}
static uint32_t labels_of(const pocket_index *x, const char *text, uint32_t number,
                          uint64_t *value) {
    return ask_labels(x, number, value);
}
static uint32_t text_of(const pocket_index *x, const char *text, uint32_t number, uint64_t *value) {
    return ask_text(x, number, value);
}
static uint32_t by_words(const pocket_index *x, const char *text, uint32_t way, uint64_t *value) {
    return ask_search(x, text, way & 1, way >> 1, value);
}
static uint32_t known_of(const pocket_index *x, const char *text, uint32_t number,
                         uint64_t *value) {
    return ask_known(x, text, value);
}
static uint32_t groups_of(const pocket_index *x, const char *text, uint32_t number,
                          uint64_t *value) {
    return ask_group(x, value);
}
static uint32_t whole(const pocket_index *x, const char *text, uint32_t number, uint64_t *value) {
    return pocket_verify(x, NULL);
}

static uint32_t fields_of(const pocket_index *x, const char *text, uint32_t number,
                          uint64_t *value) {
    pocket_document *d;
    pocket_error error;
    uint32_t numbers[] = {number, 0}, status = pocket_documents_get(x, numbers, 2, &d, &error);
    if (error.status != status) abort();
    if (status) return status;
    *value = fold_document(0, d);
    uint32_t found;
    pocket_find(x, d->id, d->id_length, &found, NULL);
    pocket_document_free(d);
    return status;
}

/* A question to the whole file and to the one in pieces: both refuse, or give the same answer. As
 * long as blocks are missing the latter looks further, so it alone may meet damage. */
static void both(const pocket_index *x, pieces *p, question *asked, const char *text,
                 uint32_t number) {
    uint64_t value = 0, other_value = 0;
    uint32_t status = asked(x, text, number, &value), other;
    do {
        other_value = 0;
        other = asked(p->index, text, number, &other_value);
    } while (other == POCKET_NOT_AT_HAND && lend(p) > 0);
    if (status == 0 && other >= POCKET_DAMAGED_HEADER)
        require(pocket_verify(x, NULL) != POCKET_OK);
    else
        require((status == 0) == (other == 0) && (status || value == other_value));
}

/* Options of another version, or nobody's; texts that need more room than most. */
static void ask_oddly(const pocket_index *x, const pocket_summary *s) {
    static const uint8_t text[] = "alpha beta gamma delta epsilon zeta eta theta iota kappa";
    static uint8_t many[40000];
    struct {
        pocket_query_options options;
        uint8_t more[8];
    } later = {{sizeof later, 0, NULL}, {0}};
    pocket_query_options small = {4, 0, NULL}, large = {1 << 20, 0, NULL};
    pocket_sources_options other = {4, 0, 0}, most = {sizeof most, 1001, 0};
    pocket_sources_options cold = {sizeof cold, 1, 1}, warm = {sizeof warm, 1000, 0};
    pocket_sources_found *found;
    pocket_hit hits[HITS];
    int has_sources = s->run_terms || s->words_room;
    uint32_t count = HITS, old = has_sources ? POCKET_BAD_ARGUMENT : POCKET_NO_PASSAGES;
    require(pocket_query(x, text, 10, &small, hits, &count, NULL) == POCKET_BAD_ARGUMENT);
    require(count == 0);
    require(pocket_query(x, text, 10, &large, hits, &count, NULL) == POCKET_BAD_ARGUMENT);
    later.more[7] = 1;
    require(pocket_query(x, text, 10, &later.options, hits, &count, NULL) == POCKET_BAD_ARGUMENT);
    later.more[7] = 0;
    require(pocket_query(x, text, 10, &later.options, hits, &count, NULL) != POCKET_BAD_ARGUMENT);
    pocket_query(x, text, 10, NULL, hits, &count, NULL);
    require(pocket_sources(x, text, 10, &other, &found, NULL) == old);
    require(pocket_sources(x, text, 10, &most, &found, NULL) == old);
    require(!has_sources ||
            pocket_sources(x, text, 268435457, NULL, &found, NULL) == POCKET_TEXT_TOO_LONG);
    if (pocket_sources(x, NULL, 0, NULL, &found, NULL) == POCKET_OK) pocket_sources_free(found);
    for (uint32_t i = 0; i < sizeof many; i++)
        many[i] = i % 5 == 4 ? ' ' : (uint8_t)('a' + (i * i / 7 + i / 11) % 9);
    for (int i = 0; i < 3; i++) {
        const pocket_sources_options *asked[] = {NULL, &cold, &warm};
        if (pocket_sources(x, many, sizeof many, asked[i], &found, NULL) == POCKET_OK)
            pocket_sources_free(found);
    }
    pocket_sources_free(NULL);
    const pocket_span apart[] = {{5, 9}, {9, 30}, {0, 12}}, falling[] = {{5, 9}, {8, 12}};
    const pocket_span backwards = {3, 2};
    const uint32_t ends[] = {2, 3, 3}, fallen[] = {2, 1};
    uint32_t order[3], added[3];
    for (uint32_t wanted = 0; wanted < 4; wanted++) {
        count = 3;
        require(pocket_order_sources(apart, ends, &count, 6, wanted, order, added, NULL) == 0);
        require(count == (wanted < 3 ? wanted : 3));
    }
    require(order[0] == 0 && added[0] == 25 && order[1] == 1 && added[1] == 0 && order[2] == 2);
    count = 0;
    require(pocket_order_sources(NULL, NULL, &count, 0, 3, order, added, NULL) == 0);
    count = 1;
    require(pocket_order_sources(falling, ends, &count, 0, 3, order, added, NULL) ==
            POCKET_BAD_ARGUMENT);
    count = 1;
    require(pocket_order_sources(&backwards, ends + 1, &count, 0, 3, order, added, NULL) ==
            POCKET_BAD_ARGUMENT);
    count = 2;
    require(pocket_order_sources(apart, fallen, &count, 0, 3, order, added, NULL) ==
            POCKET_BAD_ARGUMENT);
    require(count == 0);
}

/* Searches and groups that no caller should ask for, marks, and quotes and quotation marks beyond
 * what is looked at. */
static void search_oddly(const pocket_index *x, const pocket_summary *s) {
    static const char text[] = "gamma \xe2\x80\x9c"
                               "alpha beta\xe2\x80\x9d \xe2\x80\xa6 -mu\x0b\x0e\xe2";
    static const uint8_t *const bytes = (const uint8_t *)text;
    static const char again[] = "\"a b\" \"mu c\" alpha \xf0\xa0\x80\x80 ";
    static uint8_t many[4000];
    pocket_search_options small = {4, 1, 0, 0, 0, 0, 0, NULL, 0, NULL, 0},
                          most = {sizeof most, 1001, 0, 0, 0, 0, 0, NULL, 0, NULL, 0},
                          usual = {sizeof usual, 0, 1, 0, 0, 0, 1, NULL, 0, NULL, 0};
    pocket_search_found *found;
    uint64_t places[4], documents[1], count = 1;
    uint32_t number = (uint32_t)s->documents, marked = 2, groups[1];
    uint32_t bad = s->words_room ? POCKET_BAD_ARGUMENT : POCKET_NO_WORDS,
             longer = s->words_room ? POCKET_TEXT_TOO_LONG : POCKET_NO_WORDS;
    require(pocket_search(x, bytes, 5, &small, &found, NULL) == bad && !found);
    require(pocket_search(x, bytes, 5, &most, &found, NULL) == bad && !found);
    require(pocket_search(x, bytes, 268435457, NULL, &found, NULL) == longer && !found);
    require(pocket_known_words(x, bytes, 268435457, documents, &count, NULL) == longer && !count);
    if (!pocket_search(x, NULL, 0, NULL, &found, NULL)) pocket_search_free(found);
    for (uint32_t i = 0; i < sizeof many; i++)
        many[i] = (uint8_t)again[(i + i / 23) % (sizeof again - 1)];
    if (!pocket_search(x, many, sizeof many, &usual, &found, NULL)) pocket_search_free(found);
    if (!pocket_search(x, bytes, sizeof text - 1, &usual, &found, NULL)) pocket_search_free(found);
    require(!pocket_mark_words(bytes, sizeof text - 1, bytes, 8, 1, places, &marked));
    require(marked == 1);
    marked = 2;
    require(!pocket_mark_words((const uint8_t *)"be beta mu mu", 13, (const uint8_t *)"-x mu be", 8,
                               1, places, &marked) &&
            marked == 2);
    pocket_search_free(NULL);
    require(pocket_group(x, &number, 1, groups, NULL) == POCKET_NOT_FOUND);
    require(pocket_group(x, NULL, 1001, NULL, NULL) == POCKET_BAD_ARGUMENT);
}

/* What no caller should do is refused. */
static void ask_wrongly(const pocket_index *x, const pocket_summary *s) {
    static const uint8_t text[] = "alpha beta";
    const uint64_t too_long = 268435457;
    pocket_hit hits[HITS];
    pocket_class none[1] = {{0, -1, 1}}, beyond[1] = {{0, INT32_MAX, 1}};
    uint32_t count = HITS, number = (uint32_t)s->documents, estimate;
    uint64_t classes = 1;
    int32_t influences[1];
    uint8_t digits[1];
    pocket_title *titles;
    require(pocket_query(x, text, too_long, ASKED(1, NULL), hits, &count, NULL) ==
                POCKET_TEXT_TOO_LONG &&
            count == 0);
    require(s->tables == 0 || pocket_query(x, text, sizeof text - 1, ASKED(65537, NULL), hits,
                                           &count, NULL) == POCKET_BAD_ARGUMENT);
    require(pocket_query(x, NULL, 0, ASKED(POCKET_EXHAUSTIVE, NULL), hits, &count, NULL) !=
            POCKET_OK);
    require(pocket_query_document(x, number, ASKED(POCKET_EXHAUSTIVE, NULL), hits, &count, NULL) ==
            POCKET_NOT_FOUND);
    require(pocket_sketch(x, text, too_long, NULL, NULL, NULL, NULL) == POCKET_TEXT_TOO_LONG);
    require(pocket_classes(x, text, too_long, none, &classes) == POCKET_TEXT_TOO_LONG);
    require(pocket_influences(x, none, influences) == POCKET_BAD_ARGUMENT &&
            pocket_influences(x, beyond, influences) == POCKET_BAD_ARGUMENT);
    require(pocket_digits(x, number, digits, NULL) == POCKET_NOT_FOUND);
    require(pocket_lend((pocket_index *)(uintptr_t)x, POCKET_TABLES, 0, text) ==
            POCKET_BAD_ARGUMENT);
    count = 0;
    pocket_query(x, text, sizeof text - 1, ASKED(0, NULL), hits, &count, NULL);
    require(count == 0 && pocket_sentence(99999)[0]);
    count = 20000;
    if (!pocket_titles_find(x, "", 0, &titles, &count, NULL)) {
        require(count <= 10000);
        pocket_titles_free(titles);
    }
    uint32_t length;
    char label[POCKET_LABEL_BYTES + 1];
    count = 1;
    require(pocket_labels_get(x, number, &estimate, &count, NULL) == POCKET_NOT_FOUND && !count);
    require(pocket_label_name(x, pocket_label_count(x), label, &length, NULL) == POCKET_NOT_FOUND);
    count = 0;
    if (number > 0) pocket_labels_get(x, 0, NULL, &count, NULL);
    pocket_missed(x, NULL, &count);
    pocket_close(NULL);
}

/* The text of an error, and once that of errors that no file has, fits into what pocket.h promises.
 */
static void describe_all(const pocket_error *error) {
    static int done;
    static const char *const fields[] = {NULL, "CRC32C", "checksum", "document", "labels"};
    static const char *const phrases[] = {NULL, "1 .. %"};
    char text[512];
    require(pocket_describe(error, text, sizeof text) == strlen(text) && text[0]);
    for (uint32_t status = 0; status < 45 && !done; status++)
        for (uint32_t i = 0; i < 40; i++) {
            pocket_error made = {status, i % 3 * 7,     (int)(i % 2) - 1, i % 4,
                                 1,      fields[i % 5], phrases[i / 20]};
            require(pocket_describe(&made, text, sizeof text) == strlen(text));
            require(pocket_describe(&made, text, i) > 0 && (i == 0 || strlen(text) < i));
        }
    done = 1;
    require(pocket_version()[0]);
}

/* Any look-up that a hash may be whose library is not here; it refuses some. */
static int some_slots(uint32_t mph, const uint8_t *hash, size_t length, const uint64_t *keys,
                      size_t count, uint32_t *slots) {
    for (size_t i = 0; i < count; i++) slots[i] = (uint32_t)i;
    return count > 0 && keys[0] % 8 == 0;
}

/* The text of a document of the file, or where it keeps none a made-up one with all that texts are
 * made of. */
static char *own_text(const pocket_index *x) {
    static const char odd[] =
        "\u00c9mile 123 a_b c\u00adc \ufb01x Stra\u00dfe \u0939\u093f\u0928\u094d\u0926\u0940 "
        "\u6771\u4eac\u90fd \u304b\u3099 a\u0345\u0301 \U0001f642 \xed\xa0\x80 \xf4\x90\x80\x80 "
        "\xc0\x80 \xff";
    pocket_text *t;
    char *own;
    if (!pocket_text_get(x, 0, &t, NULL)) {
        own = (char *)copy((const uint8_t *)t->bytes, (uint64_t)t->length + 1);
        own[strlen(own) < 20000 ? strlen(own) : 20000] = 0;
        pocket_text_free(t);
        return own;
    }
    return (char *)copy((const uint8_t *)odd, sizeof odd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    answers a;
    pieces p = {.file = copy(data, size)};
    pocket_index *x;
    pocket_error error;
    pocket_summary s;
    ask(p.file, size, &a);
    uint32_t status = pocket_open(p.file, size, &x, &error);
    require(error.status == status && (status == 0) == (x != NULL) && pocket_sentence(status)[0]);
    describe_all(&error);
    if (status) {
        free((void *)(uintptr_t)p.file);
        return 0;
    }
    pocket_summarize(x, &s);
    ask_about(x, &s);
    ask_wrongly(x, &s);
    ask_oddly(x, &s);
    search_oddly(x, &s);
    if (size % 2) pocket_attach_mph(x, some_slots);
    gather_heads(&p);
    require(!pocket_open_pieces(p.heads, p.length, &p.index, &error));
    if (size % 2) pocket_attach_mph(p.index, some_slots);
    require(!pocket_miss(p.index, POCKET_TABLES) &&
            pocket_miss(p.index, 99) == POCKET_BAD_ARGUMENT);
    require(pocket_lend(p.index, 99, 0, data) == POCKET_BAD_ARGUMENT &&
            pocket_lend(p.index, POCKET_TABLES, 1 << 20, data));
    /* Without a number of probes a small file is scanned where it is at hand, and only there. */
    const uint32_t ways[] = {1, 200, POCKET_COLD, POCKET_EXHAUSTIVE};
    char *own = own_text(x);
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        both(x, &p, by_text, texts[1], ways[i]);
        both(x, &p, by_text, own, ways[i]);
        both(x, &p, by_words, "gamma the al", i);
        both(x, &p, by_words, "\"alpha beta\" the -mu -\"beta mu\" w", i);
        both(x, &p, by_words, "\"viet nam\" \"vi\xe1\xbb\x87t nam\" baa \xc3\x9f\xca\xbb", i);
        both(x, &p, by_words, "\xe6\x9d\xb1 \xe4\xba\xac \xe9\x83\xbd \xe5\xba\x81\xe3\x81\xb8", i);
    }
    ask_sketch(x, &s, texts[1]);
    ask_sketch(x, &s, own);
    both(x, &p, known_of, texts[1], 0);
    both(x, &p, groups_of, NULL, 0);
    free(own);
    uint32_t number = (uint32_t)(s.documents / 2);
    both(x, &p, by_document, NULL, number);
    both(x, &p, fields_of, NULL, number);
    both(x, &p, text_of, NULL, number);
    both(x, &p, text_of, NULL, 2);
    both(x, &p, labels_of, NULL, number);
    both(x, &p, labels_of, NULL, 2);
    both(x, &p, by_id, "id 7", 0);
    both(x, &p, by_beginning, "s", 0);
    both(x, &p, by_beginning, "Same beginning, number 3 of 10", 0);
    both(x, &p, whole, NULL, 0);
    require(!pocket_miss(p.index, POCKET_TABLES)); /* all are lent, where nothing is damaged */
    pocket_close(x);
    close_pieces(&p);
    free((void *)(uintptr_t)p.file);
    return 0;
}
