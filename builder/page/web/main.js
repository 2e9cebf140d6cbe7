// From what the visitor does to what is shown.

import { ALL } from "./ask/several.js";
import { messages } from "./base/messages.js";
import { Problem } from "./base/problem.js";
import { listenForShards } from "./bytes/shard_files.js";
import { byId, textField } from "./view/elements.js";
import { connectOrigin } from "./view/origin.js";
import { showLoading, showStatus } from "./view/state.js";
import { setText, showWordCount } from "./view/text_field.js";
import { addressedText, isLastAsked, isUnasked, remembered } from "./visit/address.js";
import { askLike } from "./visit/asking.js";
import { acceptAll, acceptPockets, choose, proposeTitles } from "./visit/choosing.js";
import { anyPlace, currentPlace, loadCore, openSearched, unreadable } from "./visit/places.js";
import { ask, hasWords, isSearch } from "./visit/question.js";
import { listenToReader, read, stopReading } from "./visit/reading_texts.js";
import { searchTyped, stopTyping } from "./visit/searching.js";
import { fail, nextTurn, showNothing } from "./visit/turn.js";

/**
 * Where it is loaded at once: begin when a visitor begins a text. Of several only what tells their
 * language. A search needs none of it.
 */
async function prepare() {
  if (hasWords() && (isSearch() || textField().value.trim() === "")) return;
  try {
    const collections = await openSearched();
    if (currentPlace() !== ALL) await collections[0].prepare(showLoading);
  } catch {
    showLoading(0, 0); // the query says it
  }
}

/**
 * Show what the address says. When a visitor comes back from a text, what was asked is still there.
 * @param {boolean} atStart has the page just been opened?
 */
function recall(atStart) {
  const addressed = addressedText();
  if (addressed) {
    read(addressed, atStart);
    return;
  }
  if (stopReading() && isLastAsked()) return;
  if (isUnasked()) {
    if (!atStart) askNothing();
    return;
  }
  const question = remembered();
  if (!question) return;
  const { text, document, place, probes, as } = question;
  if (place !== null) choose(place);
  if (text === null) {
    if (place === null) return fail(new Problem(messages.noCollection));
    askLike(document, Math.max(0, currentPlace()));
    return;
  }
  setText(text);
  ask({ probes, as });
}

/** The page is as it was before the first question. */
function askNothing() {
  stopTyping();
  nextTurn();
  setText("");
  showNothing();
}

function typed() {
  showWordCount();
  if (!hasWords()) return;
  searchTyped();
  prepare();
}

function listen() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  textField().addEventListener("input", typed);
  textField().addEventListener("focus", prepare, { once: true });
  textField().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (!event.ctrlKey && !event.metaKey && !isSearch()) return;
    event.preventDefault();
    ask();
  });
  proposeTitles();
  listenForFiles("file", acceptAll);
  listenForFiles("pocket", acceptPockets);
  listenForDrops();
  connectOrigin();
  listenToReader();
  addEventListener("popstate", () => recall(false));
}

/**
 * @param {string} id
 * @param {(files: FileList) => Promise<void>} accepted
 */
function listenForFiles(id, accepted) {
  /** @type {HTMLInputElement} */
  const field = byId(id);
  field.addEventListener("change", async () => {
    if (field.files) await accepted(field.files);
    field.value = "";
  });
}

function listenForDrops() {
  /** @param {boolean} is */
  const over = (is) => document.body.classList.toggle("over", is);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const files = event.dataTransfer?.files;
    const text = event.dataTransfer?.getData("text/plain");
    if (files && files.length > 0) {
      acceptAll(files);
    } else if (text) {
      setText(text);
      ask();
    }
  });
}

/**
 * Where the browser cannot do what the page needs, the line that names those which can is there
 * again.
 */
async function start() {
  byId("old").hidden = true;
  try {
    new DecompressionStream("deflate-raw"); // which came years after the other formats
    await loadCore();
  } catch {
    byId("old").hidden = false;
    return;
  }
  listenForShards();
  choose(anyPlace());
  listen();
  byId("ask").hidden = false;
  const unread = unreadable();
  if (unread) showStatus(messages.choose(unread.file ?? unread.name));
  recall(true);
}

start();
