/* What builder/inputs/ calls through cffi: records of sources read, markup taken away. It needs
 * nothing of a pocket file. */
#ifndef POCKET_INGEST_H
#define POCKET_INGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* cdef: begin */
/* Documents of JSON Lines, on their way into the builder's spool. bytes: length of whole lines;
 * names: of the fields that are a document's id, title, text, url, language, date, which is only
 * looked at, and labels, and name_lengths their bytes: of none, where one is not looked for. What
 * is read goes on at byte `at`, and is added: texts one after the other (room for length), heads
 * the same (room for 4 x length and 128 a line, and 2^18 a line will do): bytes of id, title, url,
 * language and labels, 2 each, then these, each label with its bytes, 2, before it; where each
 * ends, and the hash of each id (room for as many as there are lines). lines: passed. A document
 * without an id has the number of its line: first is that of the first line, and `before`, of 24
 * bytes at most, stands before it. With needs_id only a null is no id; a line without the field is
 * not plain. */
typedef struct pocket_json_lines {
    const uint8_t *bytes;
    const uint8_t *names[7];
    size_t name_lengths[7];
    uint64_t length, at, lines, count, texts_length, heads_length;
    uint8_t *texts, *heads;
    uint64_t *text_ends, *head_ends, *hashes;
    const uint8_t *before;
    size_t before_length;
    uint64_t first;
    uint64_t numbered; /* where the first line begins that has no id, and 1; 0 for none */
    uint32_t needs_id;
    uint32_t
        parts; /* bit i: some line that was read has a value for part i, in the order of names */
} pocket_json_lines;
/* Read to the end, or up to a line that is not plain: ill-formed, with a field of another type,
 * without id or text, or beyond a bound of docs/format.md 5. */
void pocket_read_json_lines(pocket_json_lines *lines);

/* The texts of wiki pages without their markup, one after the other, page i up to ends[i] and its
 * text up to out_ends[i]; as UTF-8 whatever bytes come in (ill-formed ones become U+FFFD). A line
 * begins with U+2005 in headings, U+2006 in items, U+2004 in code; a tab parts the cells of a row.
 * out has room where it has four times as many bytes, and three more for each page. files,
 * categories: the names of these name spaces in small ASCII letters, each with a line feed after
 * it. drop: what is left out, or'ed. POCKET_TEXT_TOO_LONG where a page is, and nothing is written
 * then. Takes time in proportion to length, whatever the text. */
enum { POCKET_DROP_TABLES = 1, POCKET_DROP_REFERENCES = 2 };
pocket_status pocket_wikitext(const uint8_t *texts, const uint64_t *ends, size_t count,
                              const char *files, const char *categories, uint32_t drop,
                              uint8_t *out, uint64_t *out_ends);

/* What the names of HTML say, or'ed. Of elements: LINE, each is a block; KEPT, it keeps its white
 * space; CELL, of a row; APART, from the words beside it; LOOK, its place in the tree is looked at;
 * BOX, it is navigation by its class, id or role; VOID, it has no end tag. Of words in attributes:
 * NAVIGATION, and ROLE, the attribute, by which any element may be navigation. HEADING and ITEM, of
 * elements: what its lines are. */
enum {
    POCKET_HTML_LINE = 1,
    POCKET_HTML_KEPT = 2,
    POCKET_HTML_CELL = 4,
    POCKET_HTML_APART = 8,
    POCKET_HTML_LOOK = 16,
    POCKET_HTML_BOX = 32,
    POCKET_HTML_VOID = 64,
    POCKET_HTML_NAVIGATION = 128,
    POCKET_HTML_ROLE = 256,
    POCKET_HTML_HEADING = 512,
    POCKET_HTML_ITEM = 1024,
};
#define POCKET_HTML_NAME 24   /* bytes of the longest, and a zero */
#define POCKET_HTML_NAMES 400 /* at most; what is beyond is not looked at */
#define POCKET_HTML_MARKS 18  /* bytes that the marks of a tag have, at most */
typedef struct pocket_html_name {
    char name[24]; /* in small letters */
    uint32_t kinds;
} pocket_html_name;
/* Where a block begins or ends, a cell begins (a page has it as "&#13;", which becomes this in its
 * tree), what keeps its white space begins and ends, and where a heading and an item begin. These
 * stand three times each, which is room for what they become; one HEADING_MARK ends both. */
enum {
    POCKET_HTML_BLOCK = 12,
    POCKET_HTML_CELL_MARK = 13,
    POCKET_HTML_KEPT_BEGIN = 28,
    POCKET_HTML_KEPT_END = 29,
    POCKET_HTML_HEADING_MARK = 31,
    POCKET_HTML_ITEM_MARK = 11,
};
/* The source of a page, UTF-8 without form feeds and carriage returns, with these marks at its tags
 * and an attribute "look-here" in those that are looked at. xml: an empty element of XML ("<p/>")
 * gets an end tag. out has room for 2 * length and POCKET_HTML_MARKS for each "<". Gives the number
 * of bytes. */
size_t pocket_html_marked(const uint8_t *source, size_t length, const pocket_html_name *names,
                          size_t count, uint32_t xml, uint8_t *out);
/* Text in which tags are text, as it stood before pocket_html_marked; out has room for length. */
size_t pocket_html_unmarked(const uint8_t *text, size_t length, const pocket_html_name *names,
                            size_t count, uint8_t *out);
/* The text of a tree with marks: a line for each block, one space for other white space, a tab
 * between the cells of a row, what keeps its white space as it is; soft hyphens are left out. The
 * first line of a heading begins with U+2005, that of an item with U+2006, and each line of what
 * keeps its white space with U+2004. out has room for 4 * length; words: their number. */
size_t pocket_html_lines(const uint8_t *text, size_t length, uint8_t *out, uint64_t *words);

/* What the names of elements say where a site is read, or'ed. JOINED: words go on through it;
 * EMPTY: it has no end tag; TOLD: its tags are; NAMED: they are where it has an id or a name;
 * UNREAD: nobody reads its content; BREAK: white space; LINK: to a heading, perhaps. */
enum {
    POCKET_HTML_JOINED = 1,
    POCKET_HTML_EMPTY = 2,
    POCKET_HTML_TOLD = 4,
    POCKET_HTML_NAMED = 8,
    POCKET_HTML_UNREAD = 16,
    POCKET_HTML_BREAK = 32,
    POCKET_HTML_LINK = 64,
};
/* What parts texts from tags, and blocks of text. */
enum { POCKET_HTML_TAG_MARK = 29, POCKET_HTML_APART_MARK = 30 };
/* A page, UTF-8 as a parser has written it: each tag closed, attributes in double quotes. Gives
 * texts and tags in turn, the first and the last a text, with a TAG_MARK between them. A text has
 * its references resolved, one space for white space, nothing without width, and an APART_MARK
 * where blocks are apart. A tag is "/name" or "name" and its attributes as they are written; those
 * that mean nothing are left out, as are comments and links that show nothing but the sign of a
 * heading. A tag means something by its name, or by an attribute whose name begins with
 * data-pagefind-. open has room for length / 24 + 1 bytes, out for length + 2. Gives the number of
 * bytes. */
size_t pocket_html_tokens(const uint8_t *written, size_t length, const pocket_html_name *names,
                          size_t count, uint8_t *open, uint8_t *out);
/* cdef: end */

#endif
