/* Templates whose text is what they are given: a quotation, a word in another language, a number
 * with its unit. Nothing is expanded; the table says which of the parameters a reader sees. The
 * names are those that English, German and French Wikipedia use most. All other templates are data,
 * boxes and navigation, and are dropped. */
#include "base/memory.h"
#include "ingest/pocket_ingest.h"
#include "ingest/wiki_page.h"

/* What is seen: bit i is parameter i + 1, and the last bit is that and all behind it. */
#define ALL 0xFFu
#define LONGEST_NAME 24u

enum {
    BLOCK = 1,  /* stands on lines of its own */
    FINAL = 2,  /* only the last parameter is seen */
    RANGE = 4,  /* "10|to|20|km": two more are seen after such a word */
    NOTE = 8,   /* a reference */
    COLON = 16, /* the parameter comes after a colon, not after | */
};

/* In the order of strcmp, in small ASCII letters. */
static const struct wrapper {
    char name[LONGEST_NAME];
    uint8_t seen, how;
} wrappers[] = {
    {"", 0, 0},
    {"\"", 1, 0},
    {"abbr", 1, 0},
    {"abréviation", 1, 0},
    {"angbr", 1, 0},
    {"as of", 1, 0},
    {"big", 1, 0},
    {"block indent", 1, BLOCK},
    {"blockquote", 7, BLOCK},
    {"bold", 1, 0},
    {"bq", 7, BLOCK},
    {"bulleted list", ALL, BLOCK},
    {"center", 1, BLOCK},
    {"citation", 1, 0},
    {"citation bloc", 1, BLOCK},
    {"code", 1, 0},
    {"color", 2, 0},
    {"columns-list", 1, BLOCK},
    {"convert", 3, RANGE},
    {"cquote", ALL, BLOCK},
    {"cvt", 3, RANGE},
    {"date", 7, 0},
    {"date-", 7, 0},
    {"efn", 1, NOTE},
    {"em", 1, 0},
    {"flag", 1, 0},
    {"flagcountry", 1, 0},
    {"flatlist", 1, BLOCK},
    {"font color", 2, 0},
    {"formatnum", 1, COLON},
    {"guil", 1, 0},
    {"hlist", ALL, 0},
    {"höhe", 1, 0},
    {"ill", 1, 0},
    {"interlanguage link", 1, 0},
    {"ipa", 3, 0},
    {"kbd", 1, 0},
    {"key", ALL, 0},
    {"key press", ALL, 0},
    {"lang", 2, 0},
    {"langue", 2, 0},
    {"langx", 2, 0},
    {"larger", 1, 0},
    {"lc", 1, COLON},
    {"lcfirst", 1, COLON},
    {"linktext", ALL, 0},
    {"math", 1, 0},
    {"midsize", 1, 0},
    {"mono", 1, 0},
    {"mvar", 1, 0},
    {"nihongo", 7, 0},
    {"nobold", 1, 0},
    {"nobr", 1, 0},
    {"noitalic", 1, 0},
    {"nombre", 3, 0},
    {"notetag", 1, NOTE},
    {"nowrap", 1, 0},
    {"ordered list", ALL, BLOCK},
    {"petit", 1, 0},
    {"plainlist", 1, BLOCK},
    {"poem", 1, BLOCK},
    {"poemquote", 1, BLOCK},
    {"polytonic", 1, 0},
    {"polytonisch", 1, 0},
    {"quotation", 7, BLOCK},
    {"quote", 7, BLOCK},
    {"refn", 1, NOTE},
    {"resize", 2, 0},
    {"s", 1, 0},
    {"samp", 1, 0},
    {"sc", 1, 0},
    {"script", 2, 0},
    {"sic", 1, 0},
    {"small", 1, 0},
    {"smallcaps", 1, 0},
    {"smaller", 1, 0},
    {"strike", 1, 0},
    {"strong", 1, 0},
    {"sub", 1, 0},
    {"sup", 1, 0},
    {"terme défini", 1, 0},
    {"textanker", 1, 0},
    {"transl", ALL, FINAL},
    {"transliteration", ALL, FINAL},
    {"tt", 1, 0},
    {"u", 1, 0},
    {"ubl", ALL, BLOCK},
    {"uc", 1, COLON},
    {"ucfirst", 1, COLON},
    {"unbulleted list", ALL, BLOCK},
    {"underline", 1, 0},
    {"unicode", 1, 0},
    {"unité", 3, 0},
    {"val", 1, 0},
    {"vanchor", 1, 0},
    {"var", 1, 0},
    {"verse translation", 3, BLOCK},
    {"visible anchor", 1, 0},
    {"w", ALL, FINAL},
    {"wikt-lang", 2, 0},
    {"zitat", 1, BLOCK},
};
#define COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(COUNT(wrappers) <= UINT8_MAX, "a frame keeps the place of a wrapper");

/* Of any language: {{lang-de|…}}, {{Zitat-en|…}}, and {{deS|…}} in German. */
enum { OF_LANGUAGE = COUNT(wrappers), QUOTED_IN_LANGUAGE };
static const struct wrapper by_language[] = {{"lang-", 1, 0}, {"zitat-", 1, BLOCK}};

/* The names of parameters that are seen where the first one is, and those that a quotation has
 * below it. */
static const char *const texts[] = {"text",     "quote",   "zitat",  "texte",
                                    "citation", "content", "contenu"};
static const char *const origins[] = {"author", "source", "sign", "autor", "quelle", "auteur"};
static const char *const ranges[] = {"to", "and", "or",  "by", "x",    "-",
                                     "–",  "&",   "+/-", "±",  "to(-)"};

static const struct wrapper *wrapper_of(const frame *f) {
    return f->wrapper < OF_LANGUAGE ? &wrappers[f->wrapper]
                                    : &by_language[f->wrapper - OF_LANGUAGE];
}

static bool is_small(uint8_t c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static bool is_name(uint8_t c) {
    return is_small(c | 0x20) || is_digit(c) || c == ' ' || c == '_' || c == '-' || c >= 0x80;
}

static bool among(const char *const *names, size_t count, const uint8_t *text, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) return true;
    return false;
}
#define AMONG(names, text, length) among(names, COUNT(names), text, length)

/* The wrapper of this name, 0 for none. colon: what comes after the name. */
static uint32_t wrapper_named(const char *name, size_t length, bool colon) {
    size_t low = 1, high = COUNT(wrappers);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, wrappers[middle].name);
        if (order == 0) return !(wrappers[middle].how & COLON) == colon ? 0 : (uint32_t)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (colon) return 0;
    if (length > 5 && memcmp(name, "lang-", 5) == 0) return OF_LANGUAGE;
    return length > 6 && memcmp(name, "zitat-", 6) == 0 ? QUOTED_IN_LANGUAGE : 0;
}

/* German {{deS|…}}: two or three small letters and a capital one. */
static bool is_german(const page *p, size_t at, size_t length) {
    size_t i = 0;
    while (i + 1 < length && is_small(peek(p, at + i))) i++;
    return (i == 2 || i == 3) && i + 1 == length && peek(p, at + i) == 'S';
}

void template_name(page *p, frame *f) {
    char name[LONGEST_NAME + 1];
    size_t begin = 0, length = 0, after;
    while (peek(p, begin) == ' ' || peek(p, begin) == '\n') begin++;
    while (length < LONGEST_NAME &&
           (is_name(peek(p, begin + length)) || peek(p, begin + length) == '"')) {
        uint8_t c = peek(p, begin + length);
        name[length++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c == '_' ? ' ' : c);
    }
    after = begin + length;
    while (length && name[length - 1] == ' ') length--;
    name[length] = 0;
    while (peek(p, after) == ' ' || peek(p, after) == '\n') after++;
    if (!length || (peek(p, after) != '|' && peek(p, after) != ':')) return;
    uint32_t found = is_german(p, begin, length) && peek(p, after) == '|'
                         ? OF_LANGUAGE
                         : wrapper_named(name, length, peek(p, after) == ':');
    if (!found) return;
    p->at += after + 1;
    pop(p);
    f->wrapper = (uint8_t)found;
    uint32_t how = wrapper_of(f)->how;
    if (how & BLOCK) put_break(p);
    if (how & NOTE) put_space(p);
    f = open_frame(p, TEMPLATE, CONTENT);
    assert(f);
    f->wrapper = (uint8_t)found;
    f->seen = wrapper_of(f)->seen;
    template_parameter(p, f);
}

/* The number of the parameter that begins at the place read, whose name is passed; 0 for one that
 * nobody sees. */
static uint32_t parameter(page *p, frame *f) {
    size_t begin = 0, length = 0;
    while (peek(p, begin) == ' ' || peek(p, begin) == '\n') begin++;
    while (length < LONGEST_NAME && is_name(peek(p, begin + length))) length++;
    if (!length || peek(p, begin + length) != '=') {
        if (f->parameter < UINT8_MAX) f->parameter++;
        return f->parameter;
    }
    const uint8_t *text = p->text + p->at + begin;
    p->at += begin + length + 1;
    while (length && text[length - 1] == ' ') length--;
    while (peek(p, 0) == ' ') p->at++;
    if (length == 1 && is_digit(*text)) return (uint32_t)(*text - '0');
    if (AMONG(texts, text, length)) return f->seen & 1;
    return wrapper_of(f)->how & BLOCK && AMONG(origins, text, length);
}

void template_parameter(page *p, frame *f) {
    uint32_t number = parameter(p, f), bit = number < 8 ? number : 8;
    f->visible = number && (f->seen >> (bit - 1) & 1);
    if (wrapper_of(f)->how & FINAL && f->visible) take_back(p, f->start);
    if (f->visible && p->out > f->start) put_space(p);
    f->part = p->out;
    if (wrapper_of(f)->how & BLOCK && peek(p, 0) == '\n') {
        p->at++;
        p->begins_line = true;
    }
}

void template_end_parameter(page *p, frame *f) {
    if (!f->visible) {
        take_back(p, f->part);
    } else if (wrapper_of(f)->how & RANGE && f->parameter == 2 && p->out > f->part) {
        if (AMONG(ranges, p->text + f->part, p->out - f->part)) f->seen |= 0xC;
    }
    f->part = p->out;
}

void template_close(page *p, frame *f) {
    const struct wrapper *w = wrapper_of(f);
    if (f->wrapper) template_end_parameter(p, f);
    if (!f->wrapper || (w->how & NOTE && p->drop & POCKET_DROP_REFERENCES)) take_back(p, f->start);
    pop(p);
    if (w->how & BLOCK)
        put_break(p);
    else if (w == wrappers || w->how & NOTE)
        put_space(p);
}

/* Variants of a language: -{zh-hans:…; zh-hant:…}-. A reader sees one of them, and all are text. */

/* The length of "zh-hans:" and spaces before it at a place of what is written; 0 where there is
 * none. */
static size_t variant_code(const page *p, size_t at) {
    size_t begin = at, letters = 0, all = 0;
    while (at < p->out && (p->text[at] == ' ' || p->text[at] == '\n')) at++;
    while (at + all < p->out && all <= LONGEST_NAME &&
           (is_small(p->text[at + all]) || p->text[at + all] == '-')) {
        if (letters == all && p->text[at + all] != '-') letters++;
        all++;
    }
    if (letters < 2 || letters > 3 || at + all >= p->out || p->text[at + all] != ':') return 0;
    return at + all + 1 - begin;
}

bool variant_open(page *p) {
    if (p->innermost[VARIANT] || p->out <= least_out(p) || p->text[p->out - 1] != '-') return false;
    if (p->variant_end < p->at) {
        size_t at = p->at;
        while (p->end - at >= 2 && !(p->text[at] == '}' && p->text[at + 1] == '-')) at++;
        p->variant_end = p->end - at >= 2 ? at : p->end;
    }
    if (p->variant_end == p->end) return false;
    p->out--;
    frame *f = open_frame(p, VARIANT, TARGET);
    if (f) f->visible = true;
    return f != NULL;
}

/* | after flags: H and T have a rule or a title, which do not stand here. */
void variant_flags(page *p, frame *f) {
    p->at++;
    if (f->state == TARGET)
        for (size_t i = f->start; i < p->out; i++) {
            uint8_t c = p->text[i];
            if (!is_small(c | 0x20) && c != ';' && c != '-' && c != ' ') f->state = CONTENT;
            if (c == 'H' || c == 'T' || (c == '-' && p->out == f->start + 1)) f->visible = false;
        }
    if (f->state == CONTENT) {
        f->visible = true;
        put(p, '|');
        return;
    }
    take_back(p, f->start);
    f->state = CONTENT;
}

void variant_close(page *p, frame *f) {
    size_t from = f->start, to = f->start, code = variant_code(p, from);
    if (!f->visible) take_back(p, f->start);
    pop(p);
    if (!code) return;
    for (from += code; from < p->out; from++) {
        if (p->text[from] == ';' && (code = variant_code(p, from + 1))) {
            p->text[to++] = ' ';
            from += code;
        } else if (p->text[from] != ';' || from + 1 < p->out) {
            p->text[to++] = p->text[from];
        }
    }
    take_back(p, to);
}
