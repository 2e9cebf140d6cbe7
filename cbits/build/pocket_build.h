/* The building side of the core: what builder/ calls through cffi. Not part of the public header;
 * applications that only read do not need it. */
#ifndef POCKET_BUILD_H
#define POCKET_BUILD_H

#include "pocket.h"

/* cdef: begin */
/* ask: as of pocket_on_interrupt, with the argument NULL, or NULL for never; a call that it ends
 * returns POCKET_INTERRUPTED. */

uint64_t pocket_murmur(const uint8_t *bytes, size_t length);
void pocket_murmur_many(const uint8_t *bytes, const uint64_t *ends, size_t count, uint64_t *hashes);
uint32_t pocket_crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

/* The terms of a text in a stream (1 `folded`, 2 `interop`, 5 `marked`; 3 and 6: 1 and 5 with every
 * word a term, numbers too; 4: the words of docs/format.md 6.4), each followed by a line feed;
 * *out_length becomes their bytes. out has room for capacity bytes: POCKET_BAD_ARGUMENT where they
 * are more, so NULL and 0 ask for the size. */
pocket_status pocket_terms_write(const uint8_t *text, uint64_t length, uint32_t stream,
                                 uint8_t *out, uint64_t capacity, uint64_t *out_length);

/* Distinct words, numbered from 0 on as they come, each with a sum and the texts that it is in.
 * NULL where there is no memory. */
typedef struct pocket_word_table pocket_word_table;
pocket_word_table *pocket_word_table_new(void);
void pocket_word_table_free(pocket_word_table *table);
/* What is added from now on is in these texts: a bit for each, at first none. */
void pocket_word_table_in(pocket_word_table *table, uint8_t texts);
/* Add the words of a text (docs/format.md 6.4), and weight to the sum of each for every time that
 * it is there; a sum stays below 2^32. *total becomes how many words the text has. */
pocket_status pocket_word_table_weigh(pocket_word_table *table, const uint8_t *text,
                                      uint64_t length, uint32_t weight, uint64_t *total);
/* The number of each of some words with a line feed behind each. New ones are added, with the
 * weights, which are added to the sums; where weights is NULL, they have the number UINT32_MAX. */
pocket_status pocket_word_table_numbers(pocket_word_table *table, const uint8_t *lines,
                                        uint64_t size, const uint32_t *weights, uint32_t *numbers);
/* The words in the order of their numbers, with a line feed behind each, and their sums; both stay
 * until one is added. */
const uint8_t *pocket_word_table_lines(const pocket_word_table *table, uint64_t *size);
const uint32_t *pocket_word_table_sums(const pocket_word_table *table, uint32_t *count);
/* Write which texts each word is in, a byte a word. */
void pocket_word_table_texts(const pocket_word_table *table, uint8_t *out);

/* The dictionary of a website in pieces (docs/format.md 13.3), from words of known numbers, with a
 * line feed behind each, which stay where they are. NULL where there is no memory. Pages come by
 * rising slots, all of them with count, and again with put for each run of pieces that is taken;
 * POCKET_BAD_ARGUMENT where they have a number that no word has. */
typedef struct pocket_dictionary pocket_dictionary;
pocket_dictionary *pocket_dictionary_new(const uint8_t *lines, uint64_t size);
void pocket_dictionary_free(pocket_dictionary *dictionary);
/* The words of a page, by number; several: whether it has several texts. */
pocket_status pocket_dictionary_count(pocket_dictionary *dictionary, uint32_t slot,
                                      const uint32_t *numbers, uint32_t count, int several);
/* Sort the words that pages have by their bytes: *used becomes how many, and *size how many bytes
 * pocket_dictionary_words writes, a line feed behind each. */
pocket_status pocket_dictionary_sort(pocket_dictionary *dictionary, uint32_t *used, uint64_t *size);
void pocket_dictionary_words(const pocket_dictionary *dictionary, uint8_t *out);
/* Cut the words into pieces. bases: plain words in the order of their bytes, and their stems, a
 * line feed behind each; both stay where they are. POCKET_BAD_ARGUMENT for a word or stem of more
 * than 255 bytes, or fewer stems. */
pocket_status pocket_dictionary_cut(pocket_dictionary *dictionary, const uint8_t *bases,
                                    uint64_t bases_size, const uint8_t *stems, uint64_t stems_size,
                                    uint32_t *pieces);
/* Take the pieces from one on that have at most so many bytes, and at least one: up to *upto. A
 * piece is taken once. */
pocket_status pocket_dictionary_take(pocket_dictionary *dictionary, uint32_t from, uint64_t most,
                                     uint32_t *upto);
/* What a page says of its words. texts: NULL where it has one. POCKET_BAD_ARGUMENT where it is not
 * what was counted. */
pocket_status pocket_dictionary_put(pocket_dictionary *dictionary, uint32_t slot,
                                    const uint32_t *numbers, const uint32_t *weights,
                                    const uint8_t *places, const uint8_t *texts, uint32_t count);
/* The bytes of a piece that is taken, and its first word; NULL unless all pages have come. */
const uint8_t *pocket_dictionary_piece(const pocket_dictionary *dictionary, uint32_t number,
                                       uint64_t *size, const uint8_t **first, uint32_t *length);

/* The words of a text (docs/format.md 6.4), each followed by a line feed, and of each three
 * numbers: where it begins and ends in the text, and its kind (0 whole, 1 compound, 2 part). out
 * has room for capacity bytes, numbers for *count; *out_length and *count become what they take:
 * POCKET_BAD_ARGUMENT where that is more. */
pocket_status pocket_words_places(const uint8_t *text, uint64_t length, uint8_t *out,
                                  uint64_t capacity, uint64_t *out_length, uint32_t *numbers,
                                  uint32_t *count);
/* The words that a text asks for (docs/format.md, section 10), each followed by a line feed; in
 * numbers how many there are and of each four: where it begins and ends in the text, its role (0
 * wanted, 1 excluded, 2 of a negative quote alone) and whether it has neither compound nor parts.
 * Behind them the quotes: 0, or 1 for a run, or 2 for a negative one, then how many words it has,
 * and their places among those asked. Room as above. */
pocket_status pocket_asked_write(const uint8_t *text, uint64_t length, uint8_t *out,
                                 uint64_t capacity, uint64_t *out_length, uint32_t *numbers,
                                 uint32_t *count);

/* The title key of a text (docs/format.md 6.2): at most 255 bytes to key; returns how many. */
uint32_t pocket_title_key(const uint8_t *text, uint64_t length, uint8_t *key);

/* Of count documents whose heads are such, head i up to ends[i], the records (docs/format.md 5),
 * one after the other, not packed yet: never longer than the heads. out_ends: where each ends. */
void pocket_document_records(const uint8_t *heads, const uint64_t *ends, size_t count, uint8_t *out,
                             uint64_t *out_ends);
/* The symbols for records, learned from count of them, that lie so: their lengths, then their
 * bytes, to table, which has room for 2,286. */
pocket_status pocket_symbols_learn(const uint8_t *records, const uint64_t *ends, size_t count,
                                   uint8_t *table, uint32_t *symbols);
/* Records packed with such a table, in room for 2 bytes a byte and 1 a record. */
pocket_status pocket_records_pack(const uint8_t *table, uint32_t symbols, const uint8_t *records,
                                  const uint64_t *ends, size_t count, uint8_t *out,
                                  uint64_t *out_ends);

/* The heads of count documents out of their packed records, which lie one after the other; labels:
 * of each, up to label_ends. out has room for 8 bytes a byte and 10 a document, and for the labels;
 * hashes: of the ids. POCKET_DAMAGED_FIELD where they are no such records. */
pocket_status pocket_document_heads(const uint8_t *table, uint32_t symbol_count,
                                    const uint8_t *packed, uint64_t length, const uint8_t *labels,
                                    const uint64_t *label_ends, size_t count, uint8_t *out,
                                    uint64_t *out_ends, uint64_t *hashes);

/* A profile by itself: what the builder sketches with before there is a file. */
typedef struct pocket_profile pocket_profile;
pocket_status pocket_profile_open(const uint8_t *bytes, uint64_t length, pocket_profile **profile,
                                  pocket_error *error);
void pocket_profile_close(pocket_profile *profile);
void pocket_profile_summarize(const pocket_profile *profile, pocket_summary *summary);

/* Sketch many texts that lie one after the other, text i up to ends[i]. sketches: count records of
 * the stride for these identity bits; keys: count x tables, row by row; terms: count;
 * steps: count x components (docs/format.md 4.2), or NULL. A text with too few terms has its number
 * of terms there, and zeros elsewhere but in copies: POCKET_SHORT and its copy key
 * (docs/format.md 4.3), POCKET_WITHOUT_TEXT where it has none. */
#define POCKET_SHORT 549755813888         /* 2^39 */
#define POCKET_WITHOUT_TEXT 1099511627776 /* 2^40 */
pocket_status pocket_sketch_many(const pocket_profile *profile, const uint8_t *texts,
                                 const uint64_t *ends, size_t count, uint32_t identity_bits,
                                 uint8_t *sketches, uint64_t *keys, uint32_t *terms, int8_t *steps,
                                 uint64_t *copies, pocket_interrupt ask);
/* The sub-keys of count stored sketches, one every stride bytes: count x tables, row by row.
 * POCKET_DAMAGED_FIELD where a digit is out of range. */
pocket_status pocket_keys_of_sketches(const pocket_profile *profile, const uint8_t *sketches,
                                      uint64_t stride, size_t count, uint64_t *keys);
/* The nearest of cells with such centroids (docs/format.md 4.2) for each of count rows of steps. */
pocket_status pocket_nearest_cells(const uint8_t *centroids, uint32_t cells, uint32_t components,
                                   const int8_t *steps, size_t count, uint32_t *nearest);
/* Copy count pieces, piece i from starts[i] up to ends[i] to where targets[i] says. */
void pocket_copy_pieces(const uint8_t *from, const uint64_t *starts, const uint64_t *ends,
                        size_t count, uint8_t *to, const uint64_t *targets);
/* The prefix bin (below bins, a power of two) of each of count folded terms that lie one after the
 * other, term i up to ends[i]. */
pocket_status pocket_prefix_bins(const uint8_t *terms, const uint64_t *ends, size_t count,
                                 uint32_t prefix, uint32_t bins, uint32_t *out);

/* A distinct term of a text: the murmur hashes of the whole term and of its prefix, and how often
 * it occurs. */
typedef struct pocket_term_row {
    uint64_t whole, prefix;
    uint32_t count, reserved;
} pocket_term_row;
/* The distinct terms of many texts, text i's up to row_ends[i], in order of first occurrence.
 * stream: as of pocket_terms_write; prefix: code points, 0 for the whole term. *rows is malloc'ed:
 * free it with pocket_release. */
pocket_status pocket_count_terms(const uint8_t *texts, const uint64_t *ends, size_t count,
                                 uint32_t stream, uint32_t prefix, uint64_t *row_ends,
                                 pocket_term_row **rows, pocket_interrupt ask);

/* The terms of texts 0, 1, ...: text i's from starts[i] up to starts[i + 1]. slots: of each term,
 * rising within a text, below the number of weights; counts: how often it occurs. steps: the least
 * counts that damped are POCKET_DAMPED_ONE + 1, + 2, ... */
#define POCKET_DAMPED_ONE 16
typedef struct pocket_text_terms {
    const uint64_t *starts;
    const uint32_t *slots, *counts;
    const uint16_t *weights;
    const uint32_t *steps;
    uint32_t step_count;
} pocket_text_terms;
/* Of each pair of texts the sum of count * count * weight^2 over the terms that both have, and the
 * same of damped counts. */
void pocket_term_products(const pocket_text_terms *texts, const uint32_t *firsts,
                          const uint32_t *seconds, size_t count, uint64_t *plain, uint64_t *damped);

/* The keys of the passages section for many texts (docs/format.md 6.3), text i's up to key_ends[i],
 * rising. stream: of the profile; terms: of a shingle; window: shingles of a window. *keys is
 * malloc'ed: free it with pocket_release. */
pocket_status pocket_shingle_keys(const uint8_t *texts, const uint64_t *ends, size_t count,
                                  uint32_t stream, uint32_t terms, uint32_t window,
                                  uint64_t *key_ends, uint64_t **keys, pocket_interrupt ask);

/* The shingle sets of many texts, text i's up to set_ends[i]: the hashes of its shingles of `size`
 * terms (every word is one, numbers too), rising, each once. Signs of arithmetic between numbers or
 * single letters belong to the term after them. A text of fewer terms has one shingle, of all of
 * them; one without terms has none. terms: how many each text has. *sets is malloc'ed: free it with
 * pocket_release. */
pocket_status pocket_shingle_sets(const uint8_t *texts, const uint64_t *ends, size_t count,
                                  uint32_t size, uint64_t *set_ends, uint32_t *terms,
                                  uint64_t **sets, pocket_interrupt ask);

/* The sets of texts 0, 1, ...: text i's lie from starts[i] up to ends[i]. Two are near by the share
 * of the hashes of both, or of the smaller set, that both have: `least` of POCKET_SHARES. Sets have
 * fewer than 2^31 hashes, and there are fewer than 2^31 of them. */
#define POCKET_SHARES 1000000
#define POCKET_JACCARD 0
#define POCKET_CONTAINMENT 1
typedef struct pocket_sets {
    const uint64_t *starts, *ends, *hashes;
    uint32_t count, measure, least;
} pocket_sets;
/* How many hashes the sets of each pair of texts have in common. */
void pocket_sets_common(const pocket_sets *sets, const uint32_t *firsts, const uint32_t *seconds,
                        size_t count, uint32_t *common);
/* Count the hashes of texts from .. to - 1 in 2^bits slots, up to 255. */
void pocket_sets_count(const pocket_sets *sets, uint32_t from, uint32_t to, uint32_t bits,
                       uint8_t *counts);
/* The hashes by which near sets are found, of texts from .. to - 1: keys, and the text << 1 with a
 * bit for those by which larger sets find it. There is room for all their hashes; returns how
 * many. */
size_t pocket_sets_prefixes(const pocket_sets *sets, uint32_t from, uint32_t to,
                            const uint8_t *counts, uint32_t bits, uint64_t *keys, uint32_t *texts);
/* Set marked[slot] to 1 for each of these hashes; there are 2^bits slots. */
void pocket_hashes_mark(const uint64_t *hashes, size_t count, uint32_t bits, uint8_t *marked);
/* Which sets may be near to one of those whose hashes are marked: may[i] is 1 if as many of the
 * hashes of set i are marked as it has to share with such a set, the smallest of which has
 * `smallest`, and else 0. */
void pocket_sets_overlap(const pocket_sets *sets, const uint8_t *marked, uint32_t bits,
                         uint64_t smallest, uint8_t *may);
/* Sets that are looked for, and those that were added. Of each text up to entry_ends the groups of
 * sets that have one of its keys: the number << 1 with that bit. All arrays stay the caller's until
 * the end. */
typedef struct pocket_join pocket_join;
pocket_status pocket_join_begin(const pocket_sets *sets, const uint64_t *entry_ends,
                                const uint32_t *entries, uint32_t groups, pocket_join **join);
void pocket_join_end(pocket_join *join);
/* Take texts in this order: one that is near to none that was added is added, and its keeper is
 * itself, as of the first ones, `given` of them, in any case; the keeper of another is the one
 * added that it is nearest to, and common the hashes that they share. */
pocket_status pocket_join_keep(pocket_join *join, const uint32_t *texts, size_t count, size_t given,
                               uint32_t *keepers, uint32_t *common, pocket_interrupt ask);
/* Find for each text those added before that are near, and add it, until `most` pairs or all texts,
 * *looked of them. *pairs has the other text and the hashes in common, text i's up to pair_ends[i];
 * free it with pocket_release. */
pocket_status pocket_join_pairs(pocket_join *join, const uint32_t *texts, size_t count,
                                uint32_t most, size_t *looked, uint64_t *pair_ends,
                                uint32_t **pairs, pocket_interrupt ask);

/* The words of a chunk of documents (docs/format.md 6.4), in the order of their bytes: word i ends
 * at word_ends[i] of bytes, its postings at posting_ends[i]. A posting: the document's place in the
 * chunk << 16 | 32768 if its title has the word | how often it has the word. lengths: of the
 * documents, in terms, and above 28 bits the different words of the title, eight at most. having:
 * of each word the documents that it is counted in, or NULL. first: the number of the first
 * document. Words of a chunk without documents are in the file for their classes alone. */
typedef struct pocket_chunk_words {
    const uint8_t *bytes;
    const uint32_t *word_ends, *posting_ends, *postings, *lengths, *having;
    uint32_t words, documents, first;
} pocket_chunk_words;

/* Words being collected, document by document; free them with pocket_words_free. */
typedef struct pocket_words pocket_words;
/* title_weight: how often a word of a title counts; 0 for not at all. stream: of the profile. ask:
 * in the calls below. */
pocket_status pocket_words_begin(uint32_t title_weight, uint32_t stream, pocket_interrupt ask,
                                 pocket_words **words);
/* Add documents, 65,536 in all at most: their texts and titles, which lie so one after the other.
 */
pocket_status pocket_words_add(pocket_words *words, const uint8_t *texts, const uint64_t *ends,
                               const uint8_t *titles, const uint64_t *title_ends, size_t count);
/* Fill *chunk with what was collected; the arrays are those of words. Call it once. */
pocket_status pocket_words_finish(pocket_words *words, pocket_chunk_words *chunk);
void pocket_words_free(pocket_words *words);

/* documents: of the collection; average: their length, in 1/256 terms; heaviest: words of a
 * document that count, 0 for all; room: bytes of a block; counted: documents that words are counted
 * of, to choose the heaviest. */
typedef struct pocket_words_settings {
    uint32_t documents, average, heaviest, room, counted;
} pocket_words_settings;

/* Count the documents that have each word of each chunk: having[c] has room for chunk c's words.
 * old: a file with the heaviest words of each document, from which the counts come; NULL to count
 * the chunks. */
pocket_status pocket_words_having(const pocket_chunk_words *chunks, uint32_t count,
                                  const pocket_index *old, uint32_t *const *having,
                                  pocket_interrupt ask, pocket_error *error);
/* Tell whether two files with the heaviest words of each document have the same counts. */
pocket_status pocket_words_same_counts(const pocket_index *one, const pocket_index *other,
                                       uint32_t *same, pocket_error *error);
/* The postings of the heaviest words of each document; words may be left without one. posting_ends
 * and postings have room for those of the chunk. */
pocket_status pocket_words_heaviest(const pocket_chunk_words *chunk,
                                    const pocket_words_settings *settings, uint32_t *posting_ends,
                                    uint32_t *postings, pocket_interrupt ask);

/* The blocks of the words section, written one by one. */
typedef struct pocket_words_writer pocket_words_writer;
/* numbers: of the documents in the file, or NULL where they come in order. Chunks, settings and
 * numbers stay the caller's until the end. */
pocket_status pocket_words_writer_begin(const pocket_chunk_words *chunks, uint32_t count,
                                        const pocket_words_settings *settings,
                                        const uint32_t *numbers, pocket_words_writer **writer);
/* Take along the words of a file that has as many of each document, with their levels: kept says
 * which number in the new file a document of it has, POCKET_GONE where it is left out; NULL takes
 * the counts of its words alone. Both stay the caller's; call it before anything is written, file
 * by file in the order of the documents. */
#define POCKET_GONE 4294967295
pocket_status pocket_words_writer_take(pocket_words_writer *writer, const pocket_index *old,
                                       const uint32_t *kept, pocket_error *error);
/* Write the next block to block, which has the settings' room; *length is 0 at the end. */
pocket_status pocket_words_write(pocket_words_writer *writer, uint8_t *block, uint64_t *length,
                                 uint64_t *first);
/* Read the next words instead of writing them, room of them at most, for whose bytes there is 128
 * each: word i ends at ends[i], and has having[i] postings. *count is less than
 * room at the end. */
pocket_status pocket_words_writer_names(pocket_words_writer *writer, uint8_t *bytes, uint64_t *ends,
                                        uint32_t *having, uint32_t room, uint32_t *count);
/* Put the words into classes: of each, in order, the number of the ending that makes the next one
 * of its class of it, 0 for none. Where that is is_spelled, the next one of spelled stands for it:
 * bytes dropped, bytes that follow, and these. Both stay the caller's; call it before anything is
 * written. */
void pocket_words_writer_forms(pocket_words_writer *writer, const uint32_t *endings,
                               uint32_t is_spelled, const uint8_t *spelled);
/* Free the writer, and say how many words and postings it wrote. */
void pocket_words_writer_end(pocket_words_writer *writer, uint64_t *words, uint64_t *postings);

/* What a part's building needs and tells: evictions and reseeds are the hash's effort (regression
 * metrics). */
typedef struct pocket_part_settings {
    uint32_t mph;
    uint32_t checksum_bits;
    uint32_t posting_bits;
    uint32_t keys_per_bucket_tenths;
} pocket_part_settings;

typedef struct pocket_effort {
    uint64_t buckets, evictions, reseeds;
} pocket_effort;

/* Build one part. keys: n of them, rising; starts: n + 1, the postlist of key i is
 * postings[starts[i]] .. postings[starts[i + 1] - 1], rising, but under `quotient` for
 * the last one. hash: the bytes of a foreign hash
 * (cmph) with the slot of every key in slots, or NULL for `pilot` and `quotient`. *out is malloc'd:
 * free it with pocket_release. */
pocket_status pocket_part_build(const pocket_part_settings *settings, const uint64_t *keys,
                                uint32_t n, const uint64_t *starts, const uint32_t *postings,
                                const uint8_t *hash, uint32_t hash_length, const uint32_t *slots,
                                uint8_t **out, uint64_t *out_length, pocket_effort *effort);
/* Only the hash (docs/format.md 3.2) of n distinct keys in any order. */
pocket_status pocket_pilot_build(const uint64_t *keys, uint32_t n, uint32_t keys_per_bucket_tenths,
                                 uint8_t **out, uint64_t *out_length, pocket_effort *effort);
/* Slots of count keys under a `pilot` hash of n keys. */
pocket_status pocket_pilot_slots(const uint8_t *hash, uint64_t length, uint32_t n,
                                 const uint64_t *keys, size_t count, uint32_t *slots);

void pocket_release(void *memory);
/* cdef: end */

#endif
