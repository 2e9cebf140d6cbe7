/* Bounds of docs/format.md that more than one room keeps, in bytes. */
#ifndef POCKET_LIMITS_H
#define POCKET_LIMITS_H

#define MOST_TEXT 268435456u /* of a text, whether it is asked or kept */
#define MOST_ID 1024u
#define MOST_TITLE 8192u
#define MOST_URL 8192u
#define MOST_LABEL 1024u
#define MOST_LABELS 255u /* of a document */

#endif
