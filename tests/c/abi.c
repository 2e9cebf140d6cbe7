/* The sizes and places that a program compiled against libpocket.so.1 has in it (docs/embedding.md,
 * "ABI"). One that differs needs a new number in the Makefile. For 64 bits. */
#include <stddef.h>

#include "pocket.h"

_Static_assert(sizeof(pocket_error) == 48 && offsetof(pocket_error, field) == 32 &&
                   offsetof(pocket_error, allowed) == 40 && offsetof(pocket_error, block) == 8,
               "pocket_error");
_Static_assert(sizeof(pocket_hit) == 24 && offsetof(pocket_hit, similarity) == 4 &&
                   offsetof(pocket_hit, tables) == 8 && offsetof(pocket_hit, order) == 20,
               "pocket_hit");
_Static_assert(sizeof(pocket_report) == 32 && offsetof(pocket_report, probes) == 8 &&
                   offsetof(pocket_report, capped) == 20 && offsetof(pocket_report, texts) == 28,
               "pocket_report");
_Static_assert(sizeof(pocket_open_options) == 8 &&
                   offsetof(pocket_open_options, no_signal_handler) == 4,
               "pocket_open_options");
_Static_assert(sizeof(pocket_query_options) == 24 && offsetof(pocket_query_options, probes) == 4 &&
                   offsetof(pocket_query_options, report) == 8,
               "pocket_query_options");
_Static_assert(sizeof(pocket_summary) == 160 && offsetof(pocket_summary, major) == 24 &&
                   offsetof(pocket_summary, scans) == 80 &&
                   offsetof(pocket_summary, run_terms) == 96 &&
                   offsetof(pocket_summary, frequent_runs) == 112 &&
                   offsetof(pocket_summary, words) == 120 &&
                   offsetof(pocket_summary, words_heaviest) == 136 &&
                   offsetof(pocket_summary, words_room) == 148 &&
                   offsetof(pocket_summary, words_counted) == 152,
               "pocket_summary");
_Static_assert(sizeof(pocket_section) == 32 && offsetof(pocket_section, offset) == 8 &&
                   offsetof(pocket_section, blocks) == 28,
               "pocket_section");
_Static_assert(sizeof(pocket_table) == 32 && offsetof(pocket_table, parts) == 16 &&
                   offsetof(pocket_table, components) == 24,
               "pocket_table");
_Static_assert(sizeof(pocket_class) == 16 && offsetof(pocket_class, number) == 8 &&
                   offsetof(pocket_class, value) == 12,
               "pocket_class");
_Static_assert(sizeof(pocket_document) == 40 && offsetof(pocket_document, url) == 16 &&
                   offsetof(pocket_document, url_length) == 32,
               "pocket_document");
_Static_assert(sizeof(pocket_text) == 16 && offsetof(pocket_text, length) == 8 &&
                   offsetof(pocket_text, kept) == 12,
               "pocket_text");
_Static_assert(sizeof(pocket_title) == 16 && offsetof(pocket_title, length) == 8 &&
                   offsetof(pocket_title, document) == 12,
               "pocket_title");
_Static_assert(sizeof(pocket_sources_options) == 12 &&
                   offsetof(pocket_sources_options, most) == 4 &&
                   offsetof(pocket_sources_options, cold) == 8,
               "pocket_sources_options");
_Static_assert(sizeof(pocket_passage) == 56 && offsetof(pocket_passage, end) == 8 &&
                   offsetof(pocket_passage, document_start) == 16 &&
                   offsetof(pocket_passage, document_end) == 24 &&
                   offsetof(pocket_passage, first) == 32 && offsetof(pocket_passage, last) == 36 &&
                   offsetof(pocket_passage, edited) == 40 &&
                   offsetof(pocket_passage, documents) == 44 &&
                   offsetof(pocket_passage, verified) == 48,
               "pocket_passage");
_Static_assert(sizeof(pocket_source) == 24 && offsetof(pocket_source, coverage) == 4 &&
                   offsetof(pocket_source, added) == 8 && offsetof(pocket_source, evidence) == 12 &&
                   offsetof(pocket_source, first) == 16 && offsetof(pocket_source, count) == 20,
               "pocket_source");
_Static_assert(sizeof(pocket_words_only) == 24 && offsetof(pocket_words_only, end) == 8 &&
                   offsetof(pocket_words_only, document) == 16 &&
                   offsetof(pocket_words_only, documents) == 20,
               "pocket_words_only");
_Static_assert(sizeof(pocket_sources_found) == 88 &&
                   offsetof(pocket_sources_found, passages) == 8 &&
                   offsetof(pocket_sources_found, count) == 16 &&
                   offsetof(pocket_sources_found, all) == 24 &&
                   offsetof(pocket_sources_found, terms) == 28 &&
                   offsetof(pocket_sources_found, coverage) == 32 &&
                   offsetof(pocket_sources_found, capped) == 36 &&
                   offsetof(pocket_sources_found, words_only) == 40 &&
                   offsetof(pocket_sources_found, frequent) == 64 &&
                   offsetof(pocket_sources_found, examples) == 72 &&
                   offsetof(pocket_sources_found, frequent_count) == 80,
               "pocket_sources_found");
_Static_assert(sizeof(pocket_search_options) == 64 && offsetof(pocket_search_options, most) == 4 &&
                   offsetof(pocket_search_options, prefix) == 8 &&
                   offsetof(pocket_search_options, cold) == 12 &&
                   offsetof(pocket_search_options, exact) == 16 &&
                   offsetof(pocket_search_options, titles) == 20 &&
                   offsetof(pocket_search_options, replace) == 24 &&
                   offsetof(pocket_search_options, having) == 32 &&
                   offsetof(pocket_search_options, all) == 40 &&
                   offsetof(pocket_search_options, filters) == 48 &&
                   offsetof(pocket_search_options, filters_length) == 56,
               "pocket_search_options");
_Static_assert(sizeof(pocket_word_hit) == 12 && offsetof(pocket_word_hit, words) == 4 &&
                   offsetof(pocket_word_hit, score) == 8,
               "pocket_word_hit");
_Static_assert(sizeof(pocket_asked_word) == 32 && offsetof(pocket_asked_word, documents) == 16 &&
                   offsetof(pocket_asked_word, flags) == 24,
               "pocket_asked_word");
_Static_assert(sizeof(pocket_asked_filter) == 48 &&
                   offsetof(pocket_asked_filter, documents) == 16 &&
                   offsetof(pocket_asked_filter, flags) == 24 &&
                   offsetof(pocket_asked_filter, near_labels) == 36,
               "pocket_asked_filter");
_Static_assert(sizeof(pocket_search_found) == 96 && offsetof(pocket_search_found, words) == 8 &&
                   offsetof(pocket_search_found, count) == 16 &&
                   offsetof(pocket_search_found, all) == 24 &&
                   offsetof(pocket_search_found, capped) == 32 &&
                   offsetof(pocket_search_found, unchecked) == 36 &&
                   offsetof(pocket_search_found, ignored) == 40 &&
                   offsetof(pocket_search_found, pieces) == 44 &&
                   offsetof(pocket_search_found, replacements) == 48 &&
                   offsetof(pocket_search_found, text) == 56 &&
                   offsetof(pocket_search_found, text_length) == 64 &&
                   offsetof(pocket_search_found, replacement_count) == 72,
               "pocket_search_found");
_Static_assert(sizeof(pocket_block) == 24 && offsetof(pocket_block, section) == 16 &&
                   offsetof(pocket_block, number) == 20,
               "pocket_block");
_Static_assert(POCKET_NOT_FOUND == 1 && POCKET_BAD_ARGUMENT == 4 && POCKET_NO_PASSAGES == 7 &&
                   POCKET_FILE_CHANGED == 12 && POCKET_INTERRUPTED == 14 && POCKET_NEEDS_CMPH == 22,
               "statuses");
_Static_assert(POCKET_DAMAGED_HEADER == 30 && POCKET_DAMAGED_FIELD == 33 &&
                   POCKET_EXHAUSTIVE == 0xFFFFFFFF,
               "statuses");

int main(void) { return 0; }
