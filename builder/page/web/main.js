// From what the visitor does to what is shown.

import { ALL } from "./ask/several.js";
import { say } from "./base/language.js";
import { Problem } from "./base/problem.js";
import { listenForShards } from "./bytes/shard_files.js";
import { asksFor } from "./texts/few_words.js";
import { byId, textField } from "./view/elements.js";
import { connectOrigin } from "./view/origin.js";
import { showLoading, showStatus } from "./view/state.js";
import { setText, showText } from "./view/text_field.js";
import { addressedView, isLastAsked, isUnasked, remembered } from "./visit/address.js";
import { askLike } from "./visit/asking.js";
import { openRandom, showStart } from "./visit/browsing.js";
import { acceptAll, acceptPockets, choose } from "./visit/choosing.js";
import { goToBox, goToLink, isAtEnd, isLink } from "./visit/moving.js";
import { startOffline } from "./visit/offline.js";
import {
  anyPlace,
  currentPlace,
  loadCore,
  openFirst,
  openSearched,
  searched,
  unreadable,
} from "./visit/places.js";
import { ask, hasWords } from "./visit/question.js";
import { listenToReader, read, stopReading } from "./visit/reading_texts.js";
import { saveReport } from "./visit/report.js";
import { sayPage } from "./visit/said.js";
import { searchTyped, stopTyping } from "./visit/searching.js";
import { fail, nextTurn, showNothing } from "./visit/turn.js";

/**
 * Where it is loaded at once: begin when a visitor begins a text. Of several only what tells their
 * language. A search needs none of it.
 */
async function prepare() {
  const text = textField().value;
  if (text.trim() === "" || (hasWords() && asksFor(text) !== "text")) return;
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
  const addressed = addressedView();
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
    if (place === null) return fail(new Problem(say("noCollection")));
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
  showText();
  searchTyped();
  prepare();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    ask();
  } else if (event.key === "ArrowDown" && isAtEnd(textField()) && goToLink(1)) {
    event.preventDefault();
  }
}

/**
 * Keys that lead to the box from everywhere, and from one hit to the next.
 * @param {KeyboardEvent} event
 */
function pressedAnywhere(event) {
  const { key, target } = event;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!plain || !(target instanceof HTMLElement)) return;
  const inField = target.matches("input:not([type=radio]), textarea, select");
  if (key === "/" && !inField) goToBox();
  else if (key === "Escape" && isLink(target)) goToBox();
  else if (key === "ArrowDown" && isLink(target)) goToLink(1);
  else if (key === "ArrowUp" && isLink(target)) goToLink(-1) || goToBox();
  else return;
  event.preventDefault();
}

function listen() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  textField().addEventListener("input", typed);
  textField().addEventListener("keydown", pressed);
  addEventListener("keydown", pressedAnywhere);
  listenForFiles("file", acceptAll);
  listenForFiles("pocket", acceptPockets);
  listenForDrops();
  connectOrigin();
  byId("save").addEventListener("click", () =>
    saveReport(
      searched()
        .map(({ name }) => name)
        .join(", "),
    ),
  );
  byId("print").addEventListener("click", () => print());
  listenToReader();
  byId("random").addEventListener("click", openRandom);
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
  sayPage();
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
  byId("files").hidden = false;
  showStart();
  textField().focus({ preventScroll: true });
  openFirst();
  const unread = unreadable();
  if (unread) showStatus(say("choose", { file: unread.file ?? unread.name }));
  recall(true);
  startOffline();
}

start();
