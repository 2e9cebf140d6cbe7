/* Every status of the library: name, number, sentence. Numbers come in families with gaps: a new
 * one never renumbers an old one. 5 was one that is gone. */
#ifndef POCKET_STATUS_H
#define POCKET_STATUS_H

#define POCKET_STATUSES(X) \
    X(POCKET_OK, 0, "Success.") \
    X(POCKET_NOT_FOUND, 1, "The file does not have what was asked for.") \
    X(POCKET_TEXT_TOO_SHORT, 2, "The text has too few terms for a sketch.") \
    X(POCKET_TEXT_TOO_LONG, 3, "The text is longer than 268435456 bytes.") \
    X(POCKET_BAD_ARGUMENT, 4, "An argument is outside its documented range.") \
    X(POCKET_NO_TABLES, 6, \
      "The file was built without tables: it answers by comparing with every sketch alone.") \
    X(POCKET_NO_PASSAGES, 7, "The file was built without passages.") \
    X(POCKET_NO_WORDS, 8, "The file was built without words.") \
    X(POCKET_NO_MEMORY, 10, "Memory ran out.") \
    X(POCKET_IO, 11, "The file cannot be opened or read.") \
    X(POCKET_FILE_CHANGED, 12, "The file was changed while it was open.") \
    X(POCKET_NOT_AT_HAND, 13, "A block of the file has to be lent first.") \
    X(POCKET_INTERRUPTED, 14, "The caller ended the call.") \
    X(POCKET_NOT_POCKET, 20, "This is not a pocket file.") \
    X(POCKET_TOO_NEW, 21, "The file needs a newer reader.") \
    X(POCKET_NEEDS_CMPH, 22, "The file's perfect hash needs libcmph.") \
    X(POCKET_DAMAGED_HEADER, 30, "The header or the section table is damaged.") \
    X(POCKET_DAMAGED_LENGTH, 31, "The file is shorter or longer than its header says.") \
    X(POCKET_DAMAGED_CHECKSUM, 32, "A checksum does not agree with the bytes it covers.") \
    X(POCKET_DAMAGED_FIELD, 33, "A field has a value that the format does not allow.") \
    X(POCKET_DUPLICATE_KEY, 40, "A key occurs twice.") \
    X(POCKET_HASH_FAILED, 41, "No perfect hash was found for these keys.")

#define POCKET_X(name, number, sentence) name = number,
typedef enum pocket_status { POCKET_STATUSES(POCKET_X) } pocket_status;
#undef POCKET_X

#endif
