/**
 * The search of a website as a web component. Importing this module in a browser defines it:
 *
 *     import "pocketindex/pocket-search";
 *     <pocket-search base="/_pocketindex/"></pocket-search>
 *
 * `base` is the address of the folder that `pocketindex site` has written.
 */
export interface PocketSearch extends HTMLElement {
  /** Open the dialog, or go to the field. text: what to search for. */
  open(text?: string): void;
  /** Close the dialog, or empty the field. */
  close(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "pocket-search": PocketSearch;
  }
}
