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
 * text up to out_ends[i]; as UTF-8 whatever bytes come in (ill-formed ones become U+FFFD), never
 * longer than they are then, so out has room where it has three times as many bytes. files,
 * categories: the names of these name spaces in small ASCII letters, each with a line feed after
 * it. drop: what is left out, or'ed. POCKET_TEXT_TOO_LONG where a page is, and nothing is written
 * then. Takes time in proportion to length, whatever the text. */
enum { POCKET_DROP_TABLES = 1, POCKET_DROP_REFERENCES = 2 };
pocket_status pocket_wikitext(const uint8_t *texts, const uint64_t *ends, size_t count,
                              const char *files, const char *categories, uint32_t drop,
                              uint8_t *out, uint64_t *out_ends);
/* cdef: end */

#endif
