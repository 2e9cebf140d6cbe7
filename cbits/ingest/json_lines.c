/* Documents out of JSON Lines, as the builder's spool keeps them: of the lines that hold one and
 * are plain. Every other line is left to Python, which knows what is wrong with it, or mends it. So
 * what is read here is what Python's json reads there: the same bytes. */
#include "base/bytes.h"
#include "base/hashes/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "ingest/pocket_ingest.h"

#define EACH 0x0101010101010101ull /* times a byte: eight of it */
#define TOPS 0x8080808080808080ull
#define DEEPEST 32
#define HEAD 10u /* bytes of what a document has beside its text: 2 for each of five sizes */
#define MOST_LABELS_BYTES 65535u /* with their sizes */
#define LONGEST_ESCAPE 6u        /* bytes that a single one is written with */

enum { ID, TITLE, TEXT, URL, LANG, DATE, LABEL, PARTS };
static const size_t MOST[PARTS] = {MOST_ID, MOST_TITLE, MOST_TEXT, MOST_URL,
                                   35,      SIZE_MAX,   SIZE_MAX}; /* bytes; a language has 35
                                                                      characters */

typedef enum kind { NOTHING, IS_NULL, NUMBER, STRING, OTHER } kind;

/* A value as it is written: a string without its quotes. */
typedef struct value {
    const uint8_t *start, *end;
    kind kind;
    int escaped;
} value;

typedef struct cursor {
    const uint8_t *at, *end;
} cursor;

static void pass_space(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'))
        c->at++;
}

static int take(cursor *c, uint8_t byte) {
    if (c->at == c->end || *c->at != byte) return 0;
    c->at++;
    return 1;
}

static int take_digits(cursor *c) {
    const uint8_t *start = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9') c->at++;
    return c->at > start;
}

static int take_word(cursor *c, const char *word, size_t length) {
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return 0;
    c->at += length;
    return 1;
}

/* Behind the bytes that stand for themselves and are ASCII. */
static const uint8_t *pass_plain(const uint8_t *at, const uint8_t *end) {
    for (; end - at >= 8; at += 8) {
        uint64_t eight, quotes, slashes;
        memcpy(&eight, at, sizeof eight);
        quotes = eight ^ EACH * '"';
        slashes = eight ^ EACH * '\\';
        if ((eight | ((eight - EACH * 0x20) & ~eight) | ((quotes - EACH) & ~quotes) |
             ((slashes - EACH) & ~slashes)) &
            TOPS)
            break;
    }
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\') at++;
    return at;
}

static const uint8_t *hexadecimal(const uint8_t *at, const uint8_t *end, uint32_t *code) {
    *code = 0;
    if (end - at < 4) return NULL;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = at[i], letter = digit | 0x20;
        if (digit >= '0' && digit <= '9')
            digit -= '0';
        else if (letter >= 'a' && letter <= 'f')
            digit = letter - 'a' + 10;
        else
            return NULL;
        *code = *code << 4 | digit;
    }
    return at + 4;
}

/* Behind the escape at `at`, which stands for *code; NULL for none, and for half of a surrogate
 * pair. */
static const uint8_t *pass_escape(const uint8_t *at, const uint8_t *end, uint32_t *code) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    uint32_t low;
    if (end - at < 2) return NULL;
    if (at[1] != 'u') {
        for (size_t i = 0; i < sizeof letters - 1; i++)
            if (at[1] == (uint8_t)letters[i]) {
                *code = (uint8_t)meant[i];
                return at + 2;
            }
        return NULL;
    }
    at = hexadecimal(at + 2, end, code);
    if (!at || *code < 0xD800 || *code > 0xDFFF) return at;
    if (*code > 0xDBFF || end - at < 2 || at[0] != '\\' || at[1] != 'u') return NULL;
    at = hexadecimal(at + 2, end, &low);
    if (!at || low < 0xDC00 || low > 0xDFFF) return NULL;
    *code = 0x10000 + ((*code & 0x3FF) << 10 | (low & 0x3FF));
    return at;
}

/* A string, of which the first quote is passed. */
static int take_string(cursor *c, value *v) {
    const uint8_t *at = c->at, *from;
    uint32_t code;
    *v = (value){at, at, STRING, 0};
    for (;;) {
        at = pass_plain(at, c->end);
        if (at == c->end || *at < 0x20) return 0;
        if (*at == '"') break;
        if (*at == '\\') {
            v->escaped = 1;
            at = pass_escape(at, c->end, &code);
            if (!at) return 0;
        } else {
            from = at;
            code = utf8_decode(&at, c->end);
            if (code == 0xFFFD && (at - from != 3 || memcmp(from, "\xEF\xBF\xBD", 3) != 0))
                return 0; /* ill-formed */
        }
    }
    v->end = at;
    c->at = at + 1;
    return 1;
}

static int take_number(cursor *c, value *v) {
    *v = (value){c->at, c->at, NUMBER, 0};
    take(c, '-');
    if (!take(c, '0') && !take_digits(c)) return 0;
    if (take(c, '.') && !take_digits(c)) return 0;
    if (take(c, 'e') || take(c, 'E')) {
        if (!take(c, '+')) take(c, '-');
        if (!take_digits(c)) return 0;
    }
    v->end = c->at;
    return 1;
}

static int take_nested(cursor *c, int depth);

static int take_value(cursor *c, value *v, int depth) {
    *v = (value){c->at, c->at, OTHER, 0};
    if (c->at == c->end) return 0;
    switch (*c->at) {
    case '"': c->at++; return take_string(c, v);
    case '[':
    case '{': return depth < DEEPEST && take_nested(c, depth + 1);
    case 't': return take_word(c, "true", 4);
    case 'f': return take_word(c, "false", 5);
    case 'n': v->kind = IS_NULL; return take_word(c, "null", 4);
    default: return take_number(c, v);
    }
}

/* A name and the colon behind it. */
static int take_name(cursor *c, value *name) {
    pass_space(c);
    if (!take(c, '"') || !take_string(c, name)) return 0;
    pass_space(c);
    if (!take(c, ':')) return 0;
    pass_space(c);
    return 1;
}

/* An array, or an object, whatever it holds. */
static int take_nested(cursor *c, int depth) {
    uint8_t object = *c->at++ == '{', end = object ? '}' : ']';
    value v;
    pass_space(c);
    if (take(c, end)) return 1;
    do {
        pass_space(c);
        if ((object && !take_name(c, &v)) || !take_value(c, &v, depth)) return 0;
        pass_space(c);
    } while (take(c, ','));
    return take(c, end);
}

/* The values of a line that is one object; a name with an escape, or twice, is not plain. */
static int take_record(cursor *c, const pocket_json_lines *lines, value *parts) {
    value name, v;
    memset(parts, 0, PARTS * sizeof *parts);
    if (!take(c, '{')) return 0;
    do {
        if (!take_name(c, &name) || name.escaped || !take_value(c, &v, 1)) return 0;
        if (v.kind == OTHER) v.end = c->at;
        for (int i = 0; i < PARTS; i++) {
            size_t length = lines->name_lengths[i];
            if (length == 0 || length != (size_t)(name.end - name.start) ||
                memcmp(lines->names[i], name.start, length) != 0)
                continue;
            if (parts[i].kind != NOTHING) return 0;
            parts[i] = v;
        }
        pass_space(c);
    } while (take(c, ','));
    if (!take(c, '}')) return 0;
    pass_space(c);
    return c->at == c->end;
}

/* Write what a value stands for, which is never longer; returns its bytes. */
static size_t written(const value *v, uint8_t *out) {
    const uint8_t *at = v->start, *slash;
    uint8_t *to = out;
    uint32_t code = 0;
    while (v->escaped && (slash = memchr(at, '\\', (size_t)(v->end - at))) != NULL) {
        memcpy(to, at, (size_t)(slash - at));
        to += slash - at;
        at = pass_escape(slash, v->end, &code);
        to += utf8_encode(to, code);
    }
    if (v->end > at) memcpy(to, at, (size_t)(v->end - at));
    return (size_t)(to - out) + (size_t)(v->end - at);
}

/* Has the text a character that is surely no white space? Of those beyond ASCII only some leading
 * bytes are looked at. */
static int has_ink(const uint8_t *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] > 0x20 && text[i] < 0x7F) return 1;
        if (text[i] >= 0xC3 && (text[i] < 0xE1 || text[i] > 0xE3)) return 1;
        if (text[i] == 0xE3 && text[i + 1] != 0x80) return 1;
    }
    return 0;
}

/* Write a label with its bytes before it; returns behind it, NULL for what is none. */
static uint8_t *write_label(const value *v, uint8_t *to, const uint8_t *start) {
    size_t left = MOST_LABELS_BYTES - (size_t)(to - start), size;
    if (v->kind == IS_NULL || (v->kind == STRING && v->start == v->end)) return to;
    if (v->kind != STRING && v->kind != NUMBER) return NULL;
    if ((size_t)(v->end - v->start) > LONGEST_ESCAPE * MOST_LABEL || left < 2 + MOST_LABEL)
        return NULL;
    size = written(v, to + 2);
    if (size > MOST_LABEL) return NULL;
    store16(to, (uint32_t)size);
    return to + 2 + size;
}

/* Write the labels that a value stands for, one or a list of them. The list was read before, so it
 * is well-formed. */
static uint8_t *write_labels(const value *v, uint8_t *to) {
    const uint8_t *start = to;
    cursor c = {v->start + 1, v->end};
    value own;
    if (v->kind == NOTHING) return to;
    if (v->kind != OTHER || *v->start != '[') return write_label(v, to, start);
    pass_space(&c);
    if (take(&c, ']')) return to;
    for (uint32_t count = 1; count <= MOST_LABELS; count++) {
        pass_space(&c);
        if (!take_value(&c, &own, DEEPEST) || !(to = write_label(&own, to, start))) return NULL;
        pass_space(&c);
        if (!take(&c, ',')) return to;
    }
    return NULL;
}

/* Write the id of a document that has none; returns its bytes. */
static size_t write_number(const pocket_json_lines *lines, uint8_t *out) {
    uint8_t digits[20];
    size_t count = 0, size = lines->before_length;
    if (size) memcpy(out, lines->before, size);
    for (uint64_t number = lines->first + lines->lines; number || !count; number /= 10)
        digits[count++] = (uint8_t)('0' + number % 10);
    while (count) out[size++] = digits[--count];
    return size;
}

static int add(pocket_json_lines *lines, const value *parts) {
    int has_id = parts[ID].kind > IS_NULL;
    if (parts[ID].kind == NOTHING && lines->needs_id) return 0;
    for (int i = 0; i < LABEL; i++) {
        int has_number = i == ID || i == TITLE || i == TEXT || i == DATE;
        if (parts[i].kind == OTHER || (parts[i].kind == NUMBER && !has_number) ||
            (parts[i].kind < NUMBER && i == TEXT))
            return 0;
    }
    static const int ORDER[] = {ID, TITLE, URL, LANG};
    uint8_t *head = lines->heads + lines->heads_length, *out = head + HEAD,
            *text = lines->texts + lines->texts_length;
    size_t id_size = 0, size;
    for (int i = 0; i < PARTS; i++)
        if ((size_t)(parts[i].end - parts[i].start) / LONGEST_ESCAPE > MOST[i]) return 0;
    size = written(&parts[TEXT], text);
    if (size > MOST[TEXT] || !has_ink(text, size)) return 0;
    lines->texts_length += size;
    for (int i = 0; i < 4; i++) {
        const value *v = &parts[ORDER[i]];
        size = ORDER[i] == ID && !has_id ? write_number(lines, out) : written(v, out);
        if (ORDER[i] == ID) id_size = size;
        if (ORDER[i] == TITLE && size == 0) {
            size = id_size;
            memcpy(out, head + HEAD, size);
        }
        if (size > MOST[ORDER[i]] || id_size == 0) return 0;
        store16(head + 2 * i, (uint32_t)size);
        out += size;
    }
    uint8_t *labels = out;
    if (!(out = write_labels(&parts[LABEL], labels))) return 0;
    store16(head + HEAD - 2, (uint32_t)(out - labels));
    for (int i = 0; i < PARTS; i++)
        if (parts[i].kind >= NUMBER) lines->parts |= 1u << i;
    if (!has_id && !lines->numbered) lines->numbered = lines->at + 1;
    lines->heads_length = (uint64_t)(out - lines->heads);
    lines->hashes[lines->count] = murmur(head + HEAD, id_size);
    lines->text_ends[lines->count] = lines->texts_length;
    lines->head_ends[lines->count++] = lines->heads_length;
    return 1;
}

static int is_blank(const uint8_t *at, const uint8_t *end) {
    while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r'))) at++;
    return at == end;
}

void pocket_read_json_lines(pocket_json_lines *lines) {
    while (lines->at < lines->length) {
        const uint8_t *start = lines->bytes + lines->at,
                      *end = memchr(start, '\n', lines->length - lines->at);
        cursor c = {start, end ? end + 1 : lines->bytes + lines->length};
        uint64_t before = lines->texts_length;
        value parts[PARTS];
        if (!is_blank(start, c.end) && !(take_record(&c, lines, parts) && add(lines, parts))) {
            lines->texts_length = before;
            return;
        }
        lines->at = (uint64_t)(c.end - lines->bytes);
        lines->lines++;
    }
}
