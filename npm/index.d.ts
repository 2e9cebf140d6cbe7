/**
 * Search a pocket file: find the documents that are most similar to a text, the documents that its
 * passages come from, the documents that contain some words, titles, and documents by their ids.
 */

/**
 * Open a pocket file. From a file on a server, a search loads only the parts that it needs, with
 * byte ranges. If the server does not support these, a file of up to 64 MB is loaded as a whole.
 *
 * @param what an http(s) address, which may be relative in a browser; outside of browsers, the path
 *   of a file; a File or Blob; or the bytes of a file, which are copied.
 * @throws PocketError, as all functions of an Index do.
 */
export function open(
  what: string | URL | Blob | ArrayBuffer | Uint8Array,
  options?: OpenOptions,
): Promise<Index>;

export interface OpenOptions {
  /** The name of the file in messages; by default its address, path or name. */
  name?: string;
}

/** An open file. It never changes, so any number of calls may run at the same time. */
export class Index {
  private constructor();

  readonly name: string;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The number of documents. */
  readonly documents: number;
  /** Whether the file keeps the whole texts of its documents. */
  readonly keepsTexts: boolean;
  /** The optional parts that the file was built with. */
  readonly has: { readonly passages: boolean; readonly words: boolean; readonly titles: boolean };

  /**
   * Find the documents that are most similar to a text, best first. The text should be a whole
   * document. Hits that may be due to chance are left out unless `all` is set.
   * @throws TextTooShort if the text has too few words and no document is a copy of it.
   */
  query(text: string, options?: QueryOptions): Promise<Similar>;

  /**
   * Find the documents that are most similar to a stored document, given by its id or number. Only
   * sketches are compared.
   */
  like(asked: string | number, options?: QueryOptions): Promise<Similar>;

  /** Find the documents that passages of a text come from. */
  sources(text: string, options?: SourcesOptions): Promise<Sources>;

  /**
   * Find the documents that contain some words, best first. Words in quotation marks have to be
   * next to each other, and documents with a word after a minus are left out. label:earn and
   * lang:de find only documents with that label or language.
   */
  search(words: string, options?: SearchOptions): Promise<Found>;

  /** Find the words of a search in a text: the start and end of each place, in rising order. */
  marks(text: string, words: string, options?: { prefix?: boolean }): Array<[number, number]>;

  /** Find the titles that begin with a text, followed by those that have all of its words. */
  titles(
    beginning: string,
    options?: { top?: number },
  ): Promise<Array<{ document: number; title: string }>>;

  /** Read a document by its id or number; null if the file has no such document. */
  document(asked: string | number): Promise<Document | null>;

  /** Free the memory of the file. No other call may be running, and none may follow. */
  close(): Promise<void>;
}

/** The number, id, title and url of a document. */
export interface Named {
  /** Its number in the file. */
  document: number;
  id: string;
  title: string;
  url: string;
}

export interface Document extends Named {
  /** The text or snippet that the file keeps; null if it keeps none. */
  text: string | null;
  labels: string[];
}

export interface QueryOptions {
  /** The most hits; 10. */
  top?: number;
  /** The number of keys to look up in each table, up to 65,536; by default that of the file. */
  probes?: number;
  /** Compare with every document. */
  exhaustive?: boolean;
  /**
   * Give a first answer for which few blocks are loaded. By default, this is done for a file on a
   * server; `false` looks up as much as for a file on a disk.
   */
  cold?: boolean;
  /** Include hits that may be due to chance. */
  all?: boolean;
  /** Use only sketches, even if words and texts could decide better which documents are similar. */
  sketchesAlone?: boolean;
}

export interface Similar {
  hits: Array<Named & { similarity: number }>;
  /** The number of terms of the text that were compared. */
  terms: number;
  /** The number of documents that were compared. */
  candidates: number;
  /** Whether a limit was reached, so that hits may be missing. */
  capped: boolean;
}

export interface SourcesOptions {
  /** The most sources; 100. */
  top?: number;
  /**
   * Look up less, which still finds passages that were copied word for word. By default, this is
   * done for a file on a server.
   */
  cold?: boolean;
}

/** A part of the given text: text.slice(start, end). */
export interface Span {
  start: number;
  end: number;
}

export interface Passage extends Span {
  /** Whether it was found in the document's text; otherwise it is an estimate. */
  verified: boolean;
  /** The share of its words that the document does not have there. */
  edited: number;
  /** The number of documents in which a sentence of it was found word for word. */
  documents: number;
}

export interface Sources {
  /** The source that explains most of the text comes first. */
  sources: Array<Named & { coverage: number; added: number; passages: Passage[] }>;
  /** The number of all sources, including those beyond `top`. */
  all: number;
  /** The share of the text that passages of all sources cover. */
  coverage: number;
  terms: number;
  /** Whether a limit was reached, so that sources may be missing. */
  capped: boolean;
  /** The longest sentence whose words are all in a document, in an unknown order. */
  wordsOnly: (Span & { documents: number; example: Named }) | null;
  /** Passages that are in so many documents that none of them is named as the source. */
  frequent: Array<Span & { documents: number; verified: boolean; examples: number[] }>;
}

export interface SearchOptions {
  /** The most hits, up to 1,000; 10. */
  top?: number;
  /** The last word also matches longer words that begin with it. */
  prefix?: boolean;
  /** Consider all documents of common words, also for a file on a server. */
  deep?: boolean;
  /** Do not search for other forms of the words. */
  exact?: boolean;
  /** Find only documents that have all words in their titles. */
  titles?: boolean;
  /** Replace words that no document has, or few, by similar ones; true. */
  replace?: boolean;
}

export interface Found {
  hits: Array<Named & { words: number; score: number }>;
  /** The words that were searched for, each with the number of documents that have it. */
  words: Array<{
    word: string;
    documents: number;
    excluded: boolean;
    quoted: boolean;
    prefix: boolean;
    /** Whether only some of its documents were considered; `deep` considers all of them. */
    partial: boolean;
    /** Whether documents with other forms of the word were looked for, too. */
    forms: boolean;
  }>;
  /** The number of documents that have all words, except for words that no document has. */
  all: number;
  /** The number of documents that have at least one of the words. */
  any: number;
  /** Whether a limit was reached, so that hits may be missing. */
  capped: boolean;
  /** Whether quotes were not searched for, because the file keeps no whole texts. */
  unchecked: boolean;
  /** Whether quotation marks and minus signs had no effect, as the text has eight words or more. */
  ignored: boolean;
  /** Whether `all` counts documents that only have parts of words in scripts without spaces. */
  pieces: boolean;
  /** The text after replacements, which was searched for. */
  asked: string;
  /** The words of the text that no document has, or few, and what was searched for instead. */
  replacements: Array<{ word: string; instead: string }>;
  /** The filters of the text, such as label:earn and lang:de. */
  filters: Filter[];
  /** The number of documents that match the filters. */
  allowed: number;
  /** The filters that need what the file does not keep: those by label, those by language, or both. */
  unlabelled: Array<"label" | "lang">;
}

/** A filter of a search. */
export interface Filter {
  value: string;
  /** Whether it is a language; otherwise it is a label. */
  language: boolean;
  /** Whether a minus precedes it. */
  excluded: boolean;
  /** The number of documents that have a label or language to which it refers. */
  documents: number;
  /** The number of these labels or languages. */
  labels: number;
  /** If there is none, up to three labels with a similar spelling. */
  near: string[];
}

/** An error of pocketindex. The message names the file, what is wrong, and what to do. */
export class PocketError extends Error {
  /** The kind of error: notPocket, tooNew, damagedChecksum, notFound, noWords, textTooShort, io … */
  readonly code: string;
}

/** The text has too few words to be compared with documents. */
export class TextTooShort extends PocketError {}
