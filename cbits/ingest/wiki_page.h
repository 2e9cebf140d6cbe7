/* A page of wikitext while its markup is taken away. Everything happens in one array: what is kept
 * is written where what is dropped stood, so out never passes at. Signs of lines may be longer than
 * the marks that they stand for, so the page begins as far behind as they can take. What turns out
 * to be dropped when it ends (a template, the target of a link) is written first and taken back
 * then; so no place is looked at twice, and what was never closed stays. */
#ifndef POCKET_WIKI_PAGE_H
#define POCKET_WIKI_PAGE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ingest/markup.h"

/* What can be open. A closing mark reaches its opening one across lower kinds, which then were
 * never closed, and not across higher ones. */
typedef enum kind {
    EXTERNAL,
    LINK,
    TABLE,
    HTML_TABLE,
    VARIANT,
    TEMPLATE,
    GALLERY,
    REFERENCE,
    KINDS
} kind;

typedef enum state {
    CONTENT,
    TARGET,     /* of a link, a line of a gallery, or a variant: before the first | */
    FILE_PART,  /* of a file: between two | */
    CATEGORY,   /* of a link: all of it is dropped */
    ATTRIBUTES, /* of a table: the rest of the line is dropped */
    CELL,       /* of a table: one | in this line ends attributes */
} state;

typedef struct frame {
    size_t start,
        part; /* where its text, and the cell or part under way, begin in what is written */
    uint16_t previous; /* the frame of its kind below it, as in innermost */
    uint8_t kind, state;
    bool visible; /* of a link: as if it led to a page; of a table: this line has header cells; of a
                     template: the parameter under way is seen; of a variant: it is */
    uint8_t wrapper, parameter, seen; /* of a template: wikitext_templates.c; seen, of a table: this
                                         row has a cell */
} frame;

#define MOST_FRAMES 1024u

typedef struct page {
    uint8_t *text;
    size_t at, end, out;
    const char *files, *categories; /* names of these name spaces, each with a line feed after it */
    size_t line, line_at; /* where the line began, in what is written and in what is read */
    size_t comment_end; /* the first "-->" from some place before at on; 0 when not looked for, end
                           when there is none */
    size_t variant_end; /* the same of "}-" */
    size_t closing[MARKUP_TAGS]; /* and of each tag's closing tag */
    uint64_t lost;               /* templates that found no room in frames */
    uint32_t drop;
    bool begins_line, heading;
    uint16_t depth, innermost[KINDS]; /* numbers of frames count from 1, 0 is none */
    frame frames[MOST_FRAMES];
} page;

static inline uint8_t peek(const page *p, size_t ahead) {
    return ahead < p->end - p->at ? p->text[p->at + ahead] : 0;
}

static inline void put(page *p, uint8_t byte) {
    assert(p->out < p->at);
    p->text[p->out++] = byte;
}

/* The last of the three bytes of the sign that a line begins with: U+2004 and so on. */
typedef enum sign { CODE_SIGN = 0x84, HEADING_SIGN, ITEM_SIGN } sign;
#define SIGN_BYTES 3u

static inline void put_sign(page *p, sign which) {
    put(p, 0xE2);
    put(p, 0x80);
    put(p, (uint8_t)which);
}

static inline bool behind_sign(const page *p) {
    const uint8_t *end = p->text + p->out;
    return p->out >= SIGN_BYTES && end[-1] >= CODE_SIGN && end[-1] <= ITEM_SIGN &&
           end[-2] == 0x80 && end[-3] == 0xE2;
}

static inline bool begins_line(const page *p) {
    return p->out == 0 || p->text[p->out - 1] == '\n' || behind_sign(p);
}

static inline bool behind_space(const page *p) {
    return begins_line(p) || p->text[p->out - 1] == ' ' || p->text[p->out - 1] == '\t';
}

/* Words on both sides of what was dropped stay two. */
static inline void put_space(page *p) {
    if (!behind_space(p)) put(p, ' ');
}

static inline void take_back(page *p, size_t to) {
    if (p->out > to) p->out = to;
}

static inline frame *top(page *p) { return p->depth ? &p->frames[p->depth - 1] : NULL; }

/* What was written before the innermost open part stays: parts end where they began. */
static inline size_t least_out(page *p) { return p->depth ? top(p)->part : 0; }

/* A sign without a line is none. */
static inline void drop_sign(page *p) {
    if (behind_sign(p) && p->out - SIGN_BYTES >= least_out(p)) p->out -= SIGN_BYTES;
}

static inline void put_break(page *p) {
    while (p->out > least_out(p) && p->text[p->out - 1] == ' ') p->out--;
    drop_sign(p);
    if (p->out > 0 && p->text[p->out - 1] != '\n') put(p, '\n');
}

/* Between two cells of a row. */
static inline void put_tab(page *p) {
    while (p->out > least_out(p) && p->text[p->out - 1] == ' ') p->out--;
    if (!begins_line(p)) put(p, '\t');
}

static inline bool top_is(page *p, kind k) { return p->depth && p->frames[p->depth - 1].kind == k; }

static inline frame *open_frame(page *p, kind k, state s) {
    if (p->depth == MOST_FRAMES) return NULL;
    frame *f = &p->frames[p->depth++];
    *f = (frame){p->out, p->out, p->innermost[k], (uint8_t)k, (uint8_t)s, false, 0, 0, 0};
    p->innermost[k] = p->depth;
    return f;
}

static inline void pop(page *p) {
    frame *f = &p->frames[--p->depth];
    p->innermost[f->kind] = f->previous;
}

/* The innermost frame of a kind where a closing mark can reach it, now the top; else NULL. */
static inline frame *reach(page *p, kind k) {
    uint16_t number = p->innermost[k];
    for (uint32_t higher = (uint32_t)k + 1; higher < KINDS; higher++)
        if (p->innermost[higher] > number) return NULL;
    if (!number) return NULL;
    while (p->depth > number) pop(p);
    return &p->frames[number - 1];
}

/* wikitext_links.c: [[, [, |, ] and : where they stand for links; each consumes at least one byte.
 */
void link_open(page *p);
void link_close(page *p);
void link_pipe(page *p, frame *f);
void link_url(page *p);
/* The end of a gallery's line. */
void link_end_picture(page *p, frame *f);

/* wikitext_templates.c. Behind {{: what the template is, and its first parameter; at | a parameter
 * ends and the next begins; }} ends it all. */
void template_name(page *p, frame *f);
void template_end_parameter(page *p, frame *f);
void template_parameter(page *p, frame *f);
void template_close(page *p, frame *f);
/* At {, of which - stands before; | and }- of a variant. */
bool variant_open(page *p);
void variant_flags(page *p, frame *f);
void variant_close(page *p, frame *f);

/* wikitext_tags.c: <, <!-- and &. */
void tag_mark(page *p);
void comment_mark(page *p);
void reference_mark(page *p);

#endif
