/* The records of the documents section, for documents.c and verify.c. */
#ifndef POCKET_DOCUMENTS_FILE_H
#define POCKET_DOCUMENTS_FILE_H

#include "base/limits.h"
#include "file/stored/url_template.h"

enum { RECORD_WRONG, RECORD_READ, RECORD_CUT };
/* Room in which no record is cut: its three fields, two bytes between them, and what the unpacking
 * of a symbol may write behind. */
#define RECORD_ROOM (MOST_TITLE + MOST_ID + MOST_URL + 2u + SYMBOL_BYTES)

/* Unpack the record at *at, which moves behind it, to room for size bytes (SYMBOL_BYTES or more):
 * title, id and, if any, url with one byte between them, and SYMBOL_BYTES left over. RECORD_CUT:
 * more room is needed. */
uint32_t record_read(const pocket_index *x, const uint8_t **at, const uint8_t *end, uint8_t *room,
                     uint64_t size, record *r);

/* Whether the title, the id and the url of a record are UTF-8. */
int record_is_utf8(const record *r);

#endif
