// Made by builder/page/make_layout.py from the headers in cbits/: do not edit it.

export const STATUS = {
  ok: 0,
  notFound: 1,
  textTooShort: 2,
  textTooLong: 3,
  badArgument: 4,
  noTables: 6,
  noPassages: 7,
  noWords: 8,
  noMemory: 10,
  io: 11,
  fileChanged: 12,
  notAtHand: 13,
  interrupted: 14,
  notPocket: 20,
  tooNew: 21,
  needsCmph: 22,
  damagedHeader: 30,
  damagedLength: 31,
  damagedChecksum: 32,
  damagedField: 33,
  duplicateKey: 40,
  hashFailed: 41,
};

// The kinds of sections.
export const KIND = {
  profile: 1,
  tables: 2,
  sketches: 3,
  documents: 4,
  ids: 5,
  texts: 6,
  titles: 7,
  cells: 8,
  passages: 9,
  words: 10,
  labels: 11,
  copies: 12,
};

export const SCHEME = {
  ff: 1,
  rff: 2,
  plsh: 3,
  minhash: 4,
  wminhash: 5,
  simhash: 6,
};

export const EXHAUSTIVE = 4294967295;
export const COLD = 4294967294;
export const WHOLE = 1;
export const BY_WORDS = 1;
export const BY_TEXT = 2;
export const IS_ENOUGH = 4;
export const IS_AGAINST = 8;
export const SNIPPET = 2;
export const MOST_LABELS = 255;
export const LABEL_BYTES = 1024;
export const ASKED_EXCLUDED = 1;
export const ASKED_QUOTED = 2;
export const ASKED_PREFIX = 4;
export const ASKED_PARTIAL = 8;
export const ASKED_FORMS = 16;
export const FILTER_EXCLUDED = 1;
export const FILTER_LANGUAGE = 2;
export const FILTER_OPTION = 4;
export const REPLACED_JOINED = 1;
export const REPLACED_PARTED = 2;
export const REPLACED_SPELLED = 3;
export const REPLACED_FORM = 4;
export const HEADER_BYTES = 32;
export const ENTRY_BYTES = 40;
export const DIRECTORY_BYTES = 20;
export const MOST_SECTIONS = 64;
export const MOST_SOURCES = 1000;
export const DEFAULT_SOURCES = 100;
export const LEAST_ADDED = 5;
export const LEAST_EDITED = 9;
export const SEGMENT_TERMS = 4096;

export const MAGIC = [137, 80, 67, 75, 84, 13, 10, 26];

// Sizes of structs.
export const BYTES = {
  error: 40,
  hit: 24,
  report: 32,
  openOptions: 8,
  queryOptions: 16,
  summary: 160,
  section: 32,
  table: 32,
  class: 16,
  block: 24,
  document: 24,
  text: 12,
  title: 12,
  sourcesOptions: 12,
  passage: 56,
  span: 8,
  source: 24,
  wordsOnly: 24,
  frequentPassage: 40,
  sourcesFound: 72,
  searchOptions: 56,
  wordHit: 12,
  askedWord: 32,
  askedFilter: 48,
  replacement: 40,
  searchFound: 80,
};

// pocket_error.
export const ERROR = {
  status: 0,
  section: 4,
  block: 8,
  expected: 16,
  found: 24,
  field: 32,
  allowed: 36,
};

// pocket_hit.
export const HIT = {
  document: 0,
  similarity: 4,
  tables: 8,
  evidence: 16,
  words: 18,
  order: 20,
};

// pocket_report.
export const REPORT = {
  terms: 0,
  probes: 8,
  parts: 12,
  candidates: 16,
  capped: 20,
  words: 24,
  texts: 28,
};

// pocket_open_options.
export const OPEN_OPTIONS = {
  size: 0,
  noSignalHandler: 4,
};

// pocket_query_options.
export const QUERY_OPTIONS = {
  size: 0,
  probes: 4,
  report: 8,
  sketchesAlone: 12,
};

// pocket_summary.
export const SUMMARY = {
  fileSize: 0,
  documents: 8,
  profileFingerprint: 16,
  major: 24,
  minor: 28,
  scheme: 32,
  stream: 36,
  tables: 40,
  components: 44,
  mph: 48,
  checksumBits: 52,
  postingBits: 56,
  defaultProbes: 60,
  stride: 64,
  identityBits: 68,
  leastTerms: 72,
  classes: 76,
  scans: 80,
  cells: 84,
  cellsAsked: 88,
  cellsCold: 92,
  runTerms: 96,
  runWindow: 100,
  runDocuments: 104,
  frequentRuns: 112,
  words: 120,
  wordPostings: 128,
  wordsHeaviest: 136,
  wordAverage: 140,
  wordTitleWeight: 144,
  wordsRoom: 148,
  wordsCounted: 152,
  sketched: 156,
};

// pocket_section.
export const SECTION = {
  kind: 0,
  flags: 4,
  offset: 8,
  length: 16,
  parameters: 24,
  blocks: 28,
};

// pocket_table.
export const TABLE = {
  keys: 0,
  postings: 8,
  parts: 16,
  firstComponent: 20,
  components: 24,
};

// pocket_class.
export const CLASS = {
  hash: 0,
  number: 8,
  value: 12,
};

// pocket_block.
export const BLOCK = {
  offset: 0,
  length: 8,
  section: 16,
  number: 20,
};

// pocket_document.
export const DOCUMENT = {
  id: 0,
  title: 4,
  url: 8,
  idLength: 12,
  titleLength: 16,
  urlLength: 20,
};

// pocket_text.
export const TEXT = {
  bytes: 0,
  length: 4,
  kept: 8,
};

// pocket_title.
export const TITLE = {
  bytes: 0,
  length: 4,
  document: 8,
};

// pocket_sources_options.
export const SOURCES_OPTIONS = {
  size: 0,
  most: 4,
  cold: 8,
};

// pocket_passage.
export const PASSAGE = {
  start: 0,
  end: 8,
  documentStart: 16,
  documentEnd: 24,
  first: 32,
  last: 36,
  edited: 40,
  documents: 44,
  verified: 48,
};

// pocket_span.
export const SPAN = {
  first: 0,
  last: 4,
};

// pocket_source.
export const SOURCE = {
  document: 0,
  coverage: 4,
  added: 8,
  evidence: 12,
  first: 16,
  count: 20,
};

// pocket_words_only.
export const WORDS_ONLY = {
  start: 0,
  end: 8,
  document: 16,
  documents: 20,
};

// pocket_frequent_passage.
export const FREQUENT_PASSAGE = {
  start: 0,
  end: 8,
  first: 16,
  last: 20,
  documents: 24,
  verified: 28,
  firstExample: 32,
  exampleCount: 36,
};

// pocket_sources_found.
export const SOURCES_FOUND = {
  sources: 0,
  passages: 4,
  count: 8,
  passageCount: 12,
  all: 16,
  terms: 20,
  coverage: 24,
  capped: 28,
  wordsOnly: 32,
  frequent: 56,
  examples: 60,
  frequentCount: 64,
};

// pocket_search_options.
export const SEARCH_OPTIONS = {
  size: 0,
  most: 4,
  prefix: 8,
  cold: 12,
  exact: 16,
  titles: 20,
  replace: 24,
  having: 28,
  all: 32,
  filters: 40,
  filtersLength: 48,
};

// pocket_word_hit.
export const WORD_HIT = {
  document: 0,
  words: 4,
  score: 8,
};

// pocket_asked_word.
export const ASKED_WORD = {
  start: 0,
  end: 8,
  documents: 16,
  flags: 24,
  reserved: 28,
};

// pocket_asked_filter.
export const ASKED_FILTER = {
  start: 0,
  end: 8,
  documents: 16,
  flags: 24,
  labels: 28,
  nearCount: 32,
  nearLabels: 36,
};

// pocket_replacement.
export const REPLACEMENT = {
  start: 0,
  end: 8,
  newStart: 16,
  newEnd: 24,
  how: 32,
  documents: 36,
};

// pocket_search_found.
export const SEARCH_FOUND = {
  hits: 0,
  words: 4,
  count: 8,
  wordCount: 12,
  all: 16,
  any: 20,
  capped: 24,
  unchecked: 28,
  ignored: 32,
  pieces: 36,
  replacements: 40,
  text: 44,
  textLength: 48,
  replacementCount: 56,
  filterCount: 60,
  filters: 64,
  allowed: 68,
  unlabelled: 72,
};

/**
 * What the core exports. A pointer is a number, a uint64_t a bigint.
 * @typedef {object} Calls
 * @property {WebAssembly.Memory} memory
 * @property {(index: number, text: number, length: bigint, classes: number,
 *   count: number) => number} pocket_classes
 * @property {(index: number) => void} pocket_close
 * @property {(index: number, document: number, digits: number,
 *   error: number) => number} pocket_digits
 * @property {(document: number) => void} pocket_document_free
 * @property {(index: number, number: number, document: number,
 *   error: number) => number} pocket_document_get
 * @property {(index: number, numbers: number, count: number, documents: number,
 *   error: number) => number} pocket_documents_get
 * @property {(index: number, id: number, length: number, number: number,
 *   error: number) => number} pocket_find
 * @property {(at: number) => void} pocket_free
 * @property {(given: number, text: number, options: number, found: number,
 *   error: number) => number} pocket_given_found
 * @property {(given: number) => void} pocket_given_free
 * @property {(given: number, document: number, text: number, length: bigint,
 *   error: number) => number} pocket_given_look
 * @property {(index: number, texts: number, lengths: number, count: number, given: number,
 *   error: number) => number} pocket_given_new
 * @property {(index: number, documents: number, count: number, groups: number,
 *   error: number) => number} pocket_group
 * @property {(index: number, bytes: number, error: number) => number} pocket_hash_bytes
 * @property {(index: number, term: number, influences: number) => number} pocket_influences
 * @property {(index: number) => number} pocket_label_count
 * @property {(index: number, number: number, label: number, length: number,
 *   error: number) => number} pocket_label_name
 * @property {(index: number, document: number, numbers: number, count: number,
 *   error: number) => number} pocket_labels_get
 * @property {(index: number, section: number, block: number, bytes: number) => number} pocket_lend
 * @property {(length: number) => number} pocket_malloc
 * @property {(text: number, length: bigint, asked: number, askedLength: bigint, prefix: number,
 *   places: number, count: number) => number} pocket_mark_words
 * @property {(index: number, section: number) => number} pocket_miss
 * @property {(index: number, blocks: number, count: number) => void} pocket_missed
 * @property {(index: number, documents: bigint, stored: number, hits: number,
 *   count: number) => number} pocket_more_than_chance
 * @property {(bytes: number, length: bigint, index: number, error: number) => number} pocket_open
 * @property {(heads: number, length: bigint, index: number,
 *   error: number) => number} pocket_open_pieces
 * @property {(spans: number, ends: number, count: number, least: number, most: number,
 *   order: number, added: number, error: number) => number} pocket_order_sources
 * @property {(index: number, name: number) => number} pocket_profile_name
 * @property {(index: number, text: number, length: bigint, options: number, hits: number,
 *   count: number, error: number) => number} pocket_query
 * @property {(index: number, document: number, options: number, hits: number, count: number,
 *   error: number) => number} pocket_query_document
 * @property {(index: number, text: number, length: bigint, options: number, found: number,
 *   error: number) => number} pocket_search
 * @property {(found: number) => void} pocket_search_free
 * @property {(index: number) => number} pocket_section_count
 * @property {(index: number, number: number, section: number) => number} pocket_section_get
 * @property {(status: number) => number} pocket_sentence
 * @property {(index: number, text: number, length: bigint, digits: number, weights: number,
 *   keys: number, report: number) => number} pocket_sketch
 * @property {(index: number, text: number, length: bigint, options: number, found: number,
 *   error: number) => number} pocket_sources
 * @property {(found: number) => void} pocket_sources_free
 * @property {(index: number, summary: number) => void} pocket_summarize
 * @property {(index: number, number: number, table: number) => number} pocket_table_get
 * @property {(text: number, length: bigint, stream: number, out: number, capacity: bigint,
 *   outLength: number) => number} pocket_terms_write
 * @property {(text: number) => void} pocket_text_free
 * @property {(index: number, number: number, text: number,
 *   error: number) => number} pocket_text_get
 * @property {(index: number) => number} pocket_text_kept
 * @property {(index: number) => number} pocket_title_count
 * @property {(index: number, text: number, length: bigint, titles: number, count: number,
 *   error: number) => number} pocket_titles_find
 * @property {(titles: number) => void} pocket_titles_free
 * @property {(index: number, error: number) => number} pocket_verify
 */
