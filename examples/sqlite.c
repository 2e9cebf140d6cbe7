/* A table-valued function for SQLite: the documents of a pocket file that are similar to a text.
 *
 *     make lib
 *     cc -std=c11 -O2 -fPIC -shared -Ibuild/lib examples/sqlite.c build/lib/pocket.c -pthread \
 *         -o pocket.so
 *     sqlite3
 *     sqlite> .load ./pocket sqlite3_pocket_init
 *     sqlite> SELECT similarity, id, title FROM pocket('docs.pocket', 'a whole text', 5);
 *
 * The third argument is the number of hits, 10 where it is left out. Joins work as well: each row
 * of another table can be the text. */
#include <string.h>

#include <sqlite3ext.h>

#include "pocket.h"

SQLITE_EXTENSION_INIT1

enum { ID, TITLE, URL, SIMILARITY, FILE_NAME, TEXT, TOP };
enum { MOST_HITS = 10000 };

/* The file that was asked last stays open for the next row of a join. */
typedef struct table {
    sqlite3_vtab base;
    char *path;
    pocket_index *index;
} table;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    pocket_hit *hits;
    uint32_t count, at;
    pocket_document *document; /* of the hit */
} cursor;

static int fail(table *t, const char *path, const pocket_error *error) {
    char what[512];
    pocket_describe(error, what, sizeof what);
    sqlite3_free(t->base.zErrMsg);
    t->base.zErrMsg = sqlite3_mprintf("%s: %s", path, what);
    return SQLITE_ERROR;
}

static int refuse(table *t, const char *what) {
    sqlite3_free(t->base.zErrMsg);
    t->base.zErrMsg = sqlite3_mprintf("%s", what);
    return SQLITE_ERROR;
}

/* ---- the table ---- */

static int connect(sqlite3 *db, void *unused, int count, const char *const *given,
                   sqlite3_vtab **out, char **error) {
    (void)unused, (void)count, (void)given, (void)error;
    int code = sqlite3_declare_vtab(db, "CREATE TABLE x(id TEXT, title TEXT, url TEXT, "
                                        "similarity REAL, file HIDDEN, text HIDDEN, top HIDDEN)");
    if (code != SQLITE_OK) return code;
    table *t = sqlite3_malloc64(sizeof *t);
    if (!t) return SQLITE_NOMEM;
    memset(t, 0, sizeof *t);
    *out = &t->base;
    return SQLITE_OK;
}

static void close_file(table *t) {
    pocket_close(t->index);
    sqlite3_free(t->path);
    t->index = NULL;
    t->path = NULL;
}

static int disconnect(sqlite3_vtab *base) {
    close_file((table *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

/* The arguments of the function are constraints on hidden columns. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    int argument[TOP + 1] = {0}, arguments = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        if (column < FILE_NAME || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
        argument[column] = i + 1;
    }
    if (!argument[FILE_NAME] || !argument[TEXT])
        return refuse((table *)base, "pocket() takes a file and a text: pocket('docs.pocket', "
                                     "'a whole text'), and then the number of hits");
    for (int column = FILE_NAME; column <= TOP; column++) {
        if (!argument[column]) continue;
        info->aConstraintUsage[argument[column] - 1].argvIndex = ++arguments;
        info->aConstraintUsage[argument[column] - 1].omit = 1;
    }
    info->estimatedCost = 1000;
    info->estimatedRows = 10;
    return SQLITE_OK;
}

/* ---- a query ---- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    (void)base;
    cursor *c = sqlite3_malloc64(sizeof *c);
    if (!c) return SQLITE_NOMEM;
    memset(c, 0, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static void clear(cursor *c) {
    pocket_document_free(c->document);
    sqlite3_free(c->hits);
    c->document = NULL;
    c->hits = NULL;
    c->count = c->at = 0;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    clear((cursor *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

static int open_file(table *t, const char *path) {
    pocket_error error;
    if (t->index && !strcmp(t->path, path)) return SQLITE_OK;
    close_file(t);
    t->path = sqlite3_mprintf("%s", path);
    if (!t->path) return SQLITE_NOMEM;
    if (!pocket_open_path(path, &t->index, &error)) return SQLITE_OK;
    int code = fail(t, path, &error);
    close_file(t);
    return code;
}

/* The document of the hit that the cursor stands on. */
static int load(cursor *c) {
    table *t = (table *)c->base.pVtab;
    pocket_error error;
    pocket_document_free(c->document);
    c->document = NULL;
    if (c->at == c->count) return SQLITE_OK;
    if (!pocket_document_get(t->index, c->hits[c->at].document, &c->document, &error))
        return SQLITE_OK;
    int code = fail(t, t->path, &error);
    close_file(t); /* a file that changed is opened again by the next query */
    return code;
}

static int ask(cursor *c, const uint8_t *text, uint64_t length) {
    table *t = (table *)c->base.pVtab;
    pocket_error error;
    if (!pocket_query(t->index, text, length, NULL, c->hits, &c->count, &error)) {
        c->count = pocket_more_than_chance(t->index, 0, 0, c->hits, c->count);
        return load(c);
    }
    if (error.status == POCKET_TEXT_TOO_SHORT) return SQLITE_OK; /* a row that has no hits */
    int code = fail(t, t->path, &error);
    close_file(t);
    return code;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *string, int count,
                  sqlite3_value **given) {
    (void)number, (void)string;
    cursor *c = (cursor *)base;
    table *t = (table *)base->pVtab;
    clear(c);
    const char *path = (const char *)sqlite3_value_text(given[0]);
    const uint8_t *text = sqlite3_value_text(given[1]);
    sqlite3_int64 top = count > 2 ? sqlite3_value_int64(given[2]) : 10;
    if (!path || !text) return SQLITE_OK; /* NULL is similar to nothing */
    if (top < 1 || top > MOST_HITS) return refuse(t, "pocket(): expected 1 .. 10000 hits");
    int code = open_file(t, path);
    if (code != SQLITE_OK) return code;
    c->count = (uint32_t)top;
    c->hits = sqlite3_malloc64(c->count * sizeof *c->hits);
    if (!c->hits) return SQLITE_NOMEM;
    return ask(c, text, (uint64_t)sqlite3_value_bytes(given[1]));
}

static int next(sqlite3_vtab_cursor *base) {
    cursor *c = (cursor *)base;
    c->at++;
    return load(c);
}

static int at_end(sqlite3_vtab_cursor *base) {
    return ((cursor *)base)->at >= ((cursor *)base)->count;
}

static int value_of(sqlite3_vtab_cursor *base, sqlite3_context *out, int column) {
    const cursor *c = (cursor *)base;
    const pocket_document *d = c->document;
    switch (column) {
    case ID: sqlite3_result_text(out, d->id, (int)d->id_length, SQLITE_TRANSIENT); break;
    case TITLE: sqlite3_result_text(out, d->title, (int)d->title_length, SQLITE_TRANSIENT); break;
    case URL: sqlite3_result_text(out, d->url, (int)d->url_length, SQLITE_TRANSIENT); break;
    case SIMILARITY: sqlite3_result_double(out, c->hits[c->at].similarity / 10000.0); break;
    default: sqlite3_result_null(out);
    }
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
    *out = ((cursor *)base)->at + 1;
    return SQLITE_OK;
}

/* Without xCreate the table is there by itself, under the name of the module. */
static const sqlite3_module module = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = at_end,
    .xColumn = value_of,
    .xRowid = row_number,
};

#ifdef _WIN32
__declspec(dllexport)
#endif
int sqlite3_pocket_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

int sqlite3_pocket_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
    (void)error;
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_module_v2(db, "pocket", &module, NULL, NULL);
}
