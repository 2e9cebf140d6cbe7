/**
 * Ask a pocket file: find the documents that are most similar to a text, the sources of its passages,
 * documents that have some words, titles, and documents by their ids.
 */

/**
 * Open a pocket file. Of a file on a server only the parts are loaded that a question needs, by
 * ranges; where the server sends none, a file of up to 64 MB is loaded as a whole.
 *
 * @param what an http(s) address, in a browser also a relative one; elsewhere the path of a file; a
 *   File or Blob; or the bytes of a file. Bytes are copied.
 * @throws PocketError, as every function of an Index.
 */
export function open(
  what: string | URL | Blob | ArrayBuffer | Uint8Array,
  options?: OpenOptions,
): Promise<Index>;

export interface OpenOptions {
  /** What messages call the file; its address, path or name otherwise. */
  name?: string;
}

/** An open file. It never changes: any number of questions may be asked at once. */
export class Index {
  private constructor();

  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
  /** The number of documents. */
  readonly documents: number;
  /** Whether the file keeps the whole texts of its documents. */
  readonly keepsTexts: boolean;
  /** What the file was built with. */
  readonly has: { readonly passages: boolean; readonly words: boolean; readonly titles: boolean };

  /**
   * Find the documents most similar to a text, best first. What may be chance is left out unless
   * `all` is given. The text is a whole document: the longer, the better.
   * @throws TextTooShort where the text has too few words, and no document is a copy of it.
   */
  query(text: string, options?: QueryOptions): Promise<Similar>;

  /** Find the documents most similar to a stored one, by its id or number, by its sketch alone. */
  like(asked: string | number, options?: QueryOptions): Promise<Similar>;

  /** Find the documents that passages of a text come from. */
  sources(text: string, options?: SourcesOptions): Promise<Sources>;

  /** Find the documents that have a few words, "quoted ones", and no -excluded ones, best first. */
  search(words: string, options?: SearchOptions): Promise<Found>;

  /** Find where words of a search stand in a text: start and end of each place, rising. */
  marks(text: string, words: string, options?: { prefix?: boolean }): Array<[number, number]>;

  /** Find titles that begin with a text, then those that have all its words. */
  titles(
    beginning: string,
    options?: { top?: number },
  ): Promise<Array<{ document: number; title: string }>>;

  /** Read a document by its id or number; null where the file has no such document. */
  document(asked: string | number): Promise<Document | null>;

  /** Free the memory of the file. No other call may be running, and none may follow. */
  close(): Promise<void>;
}

/** Who a document is. */
export interface Named {
  /** Its number in the file. */
  document: number;
  id: string;
  title: string;
  url: string;
}

export interface Document extends Named {
  /** The text or the snippet that the file keeps; null where it keeps none. */
  text: string | null;
  labels: string[];
}

export interface QueryOptions {
  /** The most hits; 10. */
  top?: number;
  /** Keys looked up in each table, up to 65,536; the file's default otherwise. */
  probes?: number;
  /** Compare with every document. */
  exhaustive?: boolean;
  /** A first answer that loads few blocks. */
  cold?: boolean;
  /** Also what may be chance. */
  all?: boolean;
  /** Ask neither words nor texts where the sketches leave it in doubt what is similar. */
  sketchesAlone?: boolean;
}

export interface Similar {
  hits: Array<Named & { similarity: number }>;
  /** Terms of the text that were compared. */
  terms: number;
  /** Documents that were looked at. */
  candidates: number;
  /** Whether more had to be looked at than the limits allow, so that hits may be missing. */
  capped: boolean;
}

export interface SourcesOptions {
  /** The most sources; 10. */
  top?: number;
  /** Fewer look-ups, which find passages that were copied word by word. */
  cold?: boolean;
}

/** A part of the text that was asked: text.slice(start, end). */
export interface Span {
  start: number;
  end: number;
}

export interface Passage extends Span {
  /** Whether it was found in the document's text; otherwise it is an estimate. */
  verified: boolean;
  /** The share of its words that the document does not have there. */
  edited: number;
  /** How many documents were seen to have a sentence of it word for word. */
  documents: number;
}

export interface Sources {
  /** The one that explains most first. */
  sources: Array<Named & { coverage: number; added: number; passages: Passage[] }>;
  /** The number of all sources, including those beyond `top`. */
  all: number;
  /** The share of the text that passages of all sources cover. */
  coverage: number;
  terms: number;
  /** Whether more had to be looked at than the limits allow, so that sources may be missing. */
  capped: boolean;
  /** The longest sentence all of whose words documents have, in an order that is not known. */
  wordsOnly: (Span & { documents: number; example: Named }) | null;
  /** Passages that so many documents have that none of them is their source. */
  frequent: Array<Span & { documents: number; verified: boolean; examples: number[] }>;
}

export interface SearchOptions {
  /** The most hits, up to 1,000; 10. */
  top?: number;
  /** The last word may be the beginning of one. */
  prefix?: boolean;
  /** Read all of a common word, also from a server. */
  deep?: boolean;
  /** No other forms of the words. */
  exact?: boolean;
  /** Hits have all words in their titles. */
  titles?: boolean;
  /** Ask other words instead of those that no document has. */
  replace?: boolean;
}

export interface Found {
  hits: Array<Named & { words: number; score: number }>;
  /** What each word was taken as, and how many documents have it. */
  words: Array<{
    word: string;
    documents: number;
    excluded: boolean;
    quoted: boolean;
    prefix: boolean;
    /** Not all of its documents were read: `deep` reads them. */
    partial: boolean;
  }>;
  /** How many documents have all words that a document has, and one of them. */
  all: number;
  any: number;
  /** Hits may be missing: more had to be looked at than the limits allow. */
  capped: boolean;
  /** Quotes were not looked for: the file keeps no whole texts. */
  unchecked: boolean;
  /** Quotation marks or a minus were not heeded: the text has eight words or more. */
  ignored: boolean;
  /** `all` counts documents with the pieces of words of scripts without spaces. */
  pieces: boolean;
  /** What was asked in the end, with `replace`. */
  asked: string;
  replacements: Array<{ word: string; instead: string }>;
}

/** Whatever pocketindex refuses: the message names the file, what is wrong, and what to do. */
export class PocketError extends Error {
  /** Such as notPocket, tooNew, damagedChecksum, notFound, noWords, textTooShort, io. */
  readonly code: string;
}

export class TextTooShort extends PocketError {}
