// From what stands in the field to what is shown under it.

import { textsOf } from "../field/texts.js";
import { addressWith, askedIn, filtersIn, sortIn } from "./asked.js";
import { PANEL_TEXTS } from "./given.js";
import { NoIndex, openIndex } from "./index.js";
import { firstLink, moveByKeys } from "./moving.js";
import { localeOf, sayer } from "./say.js";
import { View } from "./view.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./asked.js").Asked} Asked */

const PAUSE = 120; // milliseconds after a key
const PAGES = 5; // shown at first: the texts of each are loaded
const MORE = 10; // at a time
const FEW = 5; // pages, below which other languages are asked, too

export class Searching {
  /** @param {import("../field/opening.js").Opened} opened */
  constructor(opened) {
    const { host, shell, language } = opened;
    this.opened = opened;
    /** The language whose pages are asked: the page's own until a visitor takes another one. */
    this.language = language;
    const locale = localeOf(language);
    this.say = sayer(textsOf(PANEL_TEXTS, language, host), locale, PANEL_TEXTS.en);
    this.view = new View(opened, this.say, locale, {
      filter: (filters) => this.answer({ ...this.asked, filters }),
      sort: (sort) => this.answer({ ...this.asked, sort }),
      more: () => this.showMore(),
      language: (code) => {
        this.language = code;
        this.answer(this.asked);
      },
    });
    const filters = filtersIn(new URLSearchParams(host.getAttribute("filters") ?? ""), "");
    const sort = sortIn(host.getAttribute("sort") ?? "");
    const addressed = askedIn(new URLSearchParams(location.search));
    /** The question that is answered, or soon will be. */
    this.asked =
      addressed && addressed.text === shell.field.value ? addressed : { text: "", filters, sort };
    this.turn = 0;
    /** @type {ReturnType<Searching["open"]> | undefined} */
    this.index = undefined;
    moveByKeys(shell.all, shell.field, this.view.found);
    shell.panel.addEventListener("click", (event) => this.leave(event));
  }

  /** Ask with what stands in the field, soon. */
  ask() {
    const text = this.opened.shell.field.value.trim();
    if (this.answered && this.index && text === this.asked.text) return;
    const isFirst = !this.answered;
    this.asked = { ...this.asked, text };
    clearTimeout(this.timer);
    if (isFirst) this.answer(this.asked);
    else this.timer = setTimeout(() => this.answer(this.asked), PAUSE);
  }

  /** @param {Asked} asked */
  answer(asked) {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.asked = asked;
    this.answered = this.show(++this.turn);
  }

  /**
   * Show the answer to the question, unless there is a newer one by then.
   * @param {number} turn
   */
  async show(turn) {
    const { all } = this.opened.shell;
    const { asked, view } = this;
    all.classList.add("busy");
    try {
      const answer = await this.search(0, PAGES);
      if (turn !== this.turn) return;
      view.show(answer, asked);
      this.address(asked);
      this.tell("pocket-results", { ...asked, ...answer });
      const isOther = this.language !== this.opened.language;
      if (asked.text && (isOther || answer.total < FEW)) this.lookElsewhere(turn);
    } catch (problem) {
      if (turn !== this.turn) return;
      this.index = undefined;
      view.showProblem(this.sentence(problem));
    }
    all.classList.remove("busy");
  }

  /**
   * Offer the pages of other languages.
   * @param {number} turn
   */
  async lookElsewhere(turn) {
    try {
      const index = await this.index;
      if (!index || index.languages.length < 2) return;
      const found = await index.elsewhere(this.asked.text, this.how());
      if (turn === this.turn) this.view.showElsewhere(found);
    } catch {
      // What was found in the page's language stands.
    }
  }

  /** How the question is asked. */
  how() {
    const { filters, sort } = this.asked;
    const any = Object.entries(filters).map(([key, values]) => [key, { any: values }]);
    return { filters: Object.fromEntries(any), sort, language: this.language };
  }

  /**
   * @param {number} from a place among the pages that were found
   * @param {number} top how many of them
   */
  async search(from, top) {
    const { text } = this.asked;
    const how = { ...this.how(), from, top };
    this.index ??= this.open();
    return (await this.index).search(text, how);
  }

  async open() {
    const index = await openIndex(this.opened);
    this.view.offerSorts(index.sortKeys);
    return index;
  }

  async showMore() {
    const { turn, view } = this;
    const shown = view.list.childElementCount;
    const { hits, total } = await this.search(shown, MORE);
    if (turn !== this.turn) return;
    view.addHits(hits, total);
    view.goTo(shown);
  }

  /** Open the first page that the text in the field finds. */
  async go() {
    this.ask();
    if (this.timer) this.answer(this.asked);
    const { turn } = this;
    await this.answered;
    if (turn === this.turn) firstLink(this.view.list)?.click();
  }

  /** The dialog was closed, or the field emptied. */
  clear() {
    this.address(null);
    this.language = this.opened.language;
    if (!this.opened.shell.dialog) this.ask();
  }

  /**
   * Say the question in the address of the page, so that it can be shared and gone back to. A page
   * opened from a folder may have an address that cannot be changed.
   * @param {Asked | null} asked
   */
  address(asked) {
    const isOpen = this.opened.shell.dialog?.open ?? true;
    const isEmpty = !asked?.text && Object.keys(asked?.filters ?? {}).length === 0;
    const address = addressWith(location.href, isOpen && !isEmpty ? asked : null);
    if (address === location.href) return;
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // The question is not in the address then.
    }
  }

  /**
   * A link is followed. The page hears of it first, and may do it in another way.
   * @param {MouseEvent} event
   */
  leave(event) {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (!(link instanceof HTMLAnchorElement)) return;
    const { text } = this.asked;
    if (!this.tell("pocket-select", { url: link.href, title: link.textContent, text })) {
      event.preventDefault();
    }
    const isHere = link.pathname === location.pathname && link.host === location.host;
    if (isHere && !event.ctrlKey && !event.metaKey && !event.shiftKey)
      setTimeout(this.opened.close);
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  tell(name, detail) {
    const event = new CustomEvent(name, { detail, bubbles: true, cancelable: true });
    return this.opened.host.dispatchEvent(event);
  }

  /** @param {unknown} problem */
  sentence(problem) {
    if (problem instanceof NoIndex) return this.say(problem.reason);
    // Of the engine: there is an index, so a file that is missing is a part of it.
    const { reason } = /** @type {{ reason?: string }} */ (problem ?? {});
    if (reason === "wasm") return this.say(reason);
    if (reason) return this.say("damaged");
    return this.say("wrong", { problem: String(problem) });
  }
}
