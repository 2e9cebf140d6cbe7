/* Codes of packed records (docs/format.md, section 5). */
#ifndef POCKET_SYMBOLS_H
#define POCKET_SYMBOLS_H

/* A code below SYMBOLS is a symbol of up to SYMBOL_BYTES bytes; SYMBOL_LITERAL goes before a byte
 * that stands for itself; SYMBOL_END ends a record, and is no other code and no byte of a record,
 * so that records are counted without being read. */
enum { SYMBOLS = 254, SYMBOL_BYTES = 8, SYMBOL_LITERAL = 254, SYMBOL_END = 255 };
/* Between the fields of a record: no byte of UTF-8. */
enum { FIELD_END = 0xFE };

#endif
