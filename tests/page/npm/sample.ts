// Compiled, not run: everything that the package exports, with its types.
import { Index, open, PocketError, TextTooShort } from "pocketindex";
import type { Document, Filter, Found, Similar, Sources } from "pocketindex";
import type { PocketSearch } from "pocketindex/pocket-search";

export async function sample(file: File): Promise<string[]> {
  const index: Index = await open(file, { name: "mine" });
  const similar: Similar = await index.query("a whole text", { top: 3, exhaustive: true });
  const sources: Sources = await index.sources("a whole text", { cold: true });
  const found: Found = await index.search("two words", { prefix: true, titles: true });
  const filter: Filter = found.filters[0];
  const document: Document | null = await index.document("id");
  const spans: Array<[number, number]> = index.marks("a text", "text");
  const titles = await index.titles("be", { top: 5 });
  try {
    await index.like(7);
  } catch (error) {
    if (error instanceof TextTooShort) return [error.message];
    if (error instanceof PocketError) return [error.code];
    throw error;
  }
  await index.close();
  const first = similar.hits[0];
  const share: number = sources.sources[0].passages[0].edited + first.similarity;
  // @ts-expect-error: there is no such option
  await index.query("text", { most: 3 });
  // @ts-expect-error: an Index comes from open
  new Index();
  return [first.title, found.words[0].word, document?.text ?? "", titles[0].title, `${share} ${spans} ${filter.near}`];
}

export function opened(page: ParentNode): PocketSearch | null {
  const element = page.querySelector("pocket-search");
  element?.open("two words");
  return element;
}
