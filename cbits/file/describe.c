/* Errors as text, and the version: what an application shows. The sentences are those of Python's
 * exceptions (reader/errors.py) without the file's name, as far as these do not speak of Python. */
#include "base/memory.h"
#include "file/container.h"

#define CHECK_PATH \
    "not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check the path"
#define COPY_AGAIN "; copy or download the file again"
#define TOO_SHORT_END \
    " needed to find similar documents, and no document has exactly this text; give more text"

/* Text that is cut where the room ends; length counts what is cut, too. */
typedef struct sentence {
    char *bytes;
    uint32_t room, length;
} sentence;

static void put_bytes(sentence *s, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++, s->length++)
        if (s->length + 1 < s->room) s->bytes[s->length] = bytes[i];
}

static size_t length_of(const char *string) {
    size_t length = 0;
    while (string[length]) length++;
    return length;
}

static void put(sentence *s, const char *string) { put_bytes(s, string, length_of(string)); }

static void put_in_base(sentence *s, uint64_t number, uint32_t base, size_t least) {
    char digits[20];
    size_t at = sizeof digits;
    while (number || sizeof digits - at < least) {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    }
    put_bytes(s, digits + at, sizeof digits - at);
}

static void put_number(sentence *s, uint64_t number) { put_in_base(s, number, 10, 1); }

static int same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static const char *name_of_section(uint64_t kind) {
#define POCKET_X(constant, number, name) \
    if (kind == number) return name;
    POCKET_SECTIONS(POCKET_X)
#undef POCKET_X
    return NULL;
}

static int is_section(const char *field) {
    for (uint32_t kind = 1; kind < POCKET_SECTION_KINDS; kind++)
        if (same(field, name_of_section(kind))) return 1;
    return 0;
}

static void put_place(sentence *s, const pocket_error *e) {
    const char *name = name_of_section(e->section);
    put(s, e->section == 0 ? "header" : "section ");
    if (name) put(s, name);
    if (!name && e->section) put(s, "of kind "), put_number(s, e->section);
    if (e->block >= 0) put(s, ", block "), put_number(s, (uint64_t)e->block);
}

static int is_checksum(const char *field) {
    static const char end[] = "checksum";
    size_t length = length_of(field);
    return same(field, "CRC32C") ||
           (length >= sizeof end - 1 && same(field + length - (sizeof end - 1), end));
}

static void put_value(sentence *s, const char *field, uint64_t value) {
    if (!is_checksum(field))
        put_number(s, value);
    else
        put(s, "0x"), put_in_base(s, value, 16, 8);
}

/* What was expected, by a phrase in which % stands for the number, and what was found. */
static void put_comparison(sentence *s, const pocket_error *e, const char *field,
                           const char *allowed) {
    put(s, ": expected ");
    if (!allowed) put_value(s, field, e->expected);
    for (; allowed && *allowed; allowed++)
        if (*allowed == '%')
            put_number(s, e->expected);
        else
            put_bytes(s, allowed, 1);
    put(s, ", found ");
    put_value(s, field, e->found);
}

static void put_damage(sentence *s, const pocket_error *e, const char *otherwise) {
    const char *field = e->field ? e->field : otherwise;
    put(s, "damaged: ");
    put_place(s, e);
    put(s, ": ");
    put(s, field);
    if (e->expected != e->found || e->allowed)
        put_comparison(s, e, field, e->allowed);
    else
        put(s, " has a value that the format does not allow");
    put(s, COPY_AGAIN);
}

static void put_too_new(sentence *s, const pocket_error *e) {
    const char *field = e->field ? e->field : "version";
    int compared = e->expected != e->found || e->allowed;
    put(s, compared ? "too new: " : "too new: this reader does not know its ");
    put(s, field);
    if (compared) put_comparison(s, e, "", e->allowed);
    put(s, "; upgrade pocketindex");
}

static void put_too_short(sentence *s, const pocket_error *e) {
    if (e->field && same(e->field, "document")) {
        put(s, "document "), put_number(s, e->found);
        put(s, " has too few terms for a sketch; it is found by its id, its words and as a copy");
        return;
    }
    put(s, "the text has "), put_number(s, e->found);
    put(s, e->found == 1 ? " term" : " terms");
    put(s, " besides stop words; "), put_number(s, e->expected);
    put(s, " are" TOO_SHORT_END);
}

/* The system's words: the call, and why it failed. */
static void put_io(sentence *s, const pocket_error *e) {
    put(s, "cannot "), put(s, e->field ? e->field : "read the file");
#if defined(_WIN32) || defined(POCKET_FREESTANDING)
    put(s, ": system error "), put_number(s, e->found);
#else
    if (e->found) put(s, ": "), put(s, strerror((int)e->found));
#endif
}

static void put_error(sentence *s, const pocket_error *e) {
    const char *field = e->field;
    switch ((uint32_t)e->status) {
    case POCKET_NOT_FOUND:
        put(s, field && is_section(field) ? "the file was built without " : "there is no such ");
        put(s, field ? field : "document");
        return;
    case POCKET_TEXT_TOO_SHORT: put_too_short(s, e); return;
    case POCKET_TEXT_TOO_LONG:
        put(s, "the text is too long: expected at most 268435456 bytes, found ");
        put_number(s, e->found), put(s, "; give a part of it");
        return;
    case POCKET_BAD_ARGUMENT:
        put(s, field ? field : "an argument"), put(s, " is outside its documented range");
        put_comparison(s, e, "", e->allowed ? e->allowed : "at most %");
        return;
    case POCKET_NO_TABLES:
        put(s, "the file was built without tables, so there is nothing to probe; ask it without "
               "probes");
        return;
    case POCKET_NO_PASSAGES:
        put(s, "expected passages or words, found none; build it with --index "
               "documents,passages,words");
        return;
    case POCKET_NO_WORDS:
        put(s, "expected words, found none; build it with --index documents,words");
        return;
    case POCKET_NO_MEMORY: put(s, "memory ran out"); return;
    case POCKET_IO: put_io(s, e); return;
    case POCKET_FILE_CHANGED:
        put(s, "changed: it was written to while open; open it again; replace files by renaming");
        return;
    case POCKET_NOT_AT_HAND:
        put_place(s, e), put(s, " is not at hand; lend it and ask again");
        return;
    case POCKET_INTERRUPTED: put(s, "the call was ended before it was done; ask again"); return;
    case POCKET_NOT_POCKET: put(s, CHECK_PATH); return;
    case POCKET_TOO_NEW: put_too_new(s, e); return;
    case POCKET_NEEDS_CMPH:
        put(s, "its perfect hash needs libcmph; build the file again with --set mph=pilot");
        return;
    case POCKET_DAMAGED_HEADER: put_damage(s, e, "header"); return;
    case POCKET_DAMAGED_LENGTH: put_damage(s, e, "size of the file"); return;
    case POCKET_DAMAGED_CHECKSUM: put_damage(s, e, "CRC32C"); return;
    case POCKET_DAMAGED_FIELD: put_damage(s, e, "field"); return;
    default: put(s, pocket_sentence(e->status));
    }
}

uint32_t pocket_describe(const pocket_error *error, char *buffer, uint32_t size) {
    sentence s = {buffer, size, 0};
    put_error(&s, error);
    if (size) buffer[s.length < size ? s.length : size - 1] = 0;
    return s.length;
}

const char *pocket_version(void) { return POCKET_VERSION; }
