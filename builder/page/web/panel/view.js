// What stands under the field: a line about the answer, the filters beside the pages, and the keys.

import { element } from "../base/element.js";
import { heading, notes } from "./answers.js";
import { filtersView } from "./filters.js";
import { hitItem } from "./hits.js";
import { firstLink, linksOf } from "./moving.js";
import { ownItem } from "./own_hit.js";
import { languageName } from "./say.js";
import { sortsView } from "./sorts.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./asked.js").Asked} Asked */
/** @typedef {import("./hits.js").Hit} Hit */
/** @typedef {import("./say.js").Say} Say */

/**
 * What a visitor wants: other filters, another order, more pages.
 * @typedef {object} Wishes
 * @property {(filters: import("./asked.js").Filters) => void} filter
 * @property {(sort: import("./asked.js").Sort) => void} sort
 * @property {() => void} more
 * @property {(code: string) => void} language
 */

export class View {
  /**
   * @param {import("../field/opening.js").Opened} opened
   * @param {Say} say
   * @param {string} locale
   * @param {Wishes} wishes
   */
  constructor({ host, shell }, say, locale, wishes) {
    this.host = host;
    this.shell = shell;
    this.say = say;
    this.wishes = wishes;
    this.locale = locale;
    this.images = host.hasAttribute("images");
    this.filters = filtersView(say, locale, wishes.filter);
    /** @type {ReturnType<typeof sortsView>} */
    this.sorts = null;
    this.fold = this.button("fold", "filters", () => this.unfold());
    this.clear = this.button("clear", "clear", () => wishes.filter({}));
    this.more = this.button("more", "more", wishes.more);
    this.notes = element("p", { part: "notes", hidden: true });
    this.list = element("ol", { part: "hits" });
    this.elsewhere = element("p", { part: "languages", hidden: true });
    this.bar = element("div", { className: "bar" }, shell.status, this.fold, this.clear);
    this.found = element("div", { className: "found" }, this.notes, this.list, this.more);
    this.found.append(this.elsewhere);
    const columns = element("div", { className: "columns" }, this.filters.shown, this.found);
    const keys = element("p", { part: "keys" }, say("keys"));
    shell.panel.append(this.bar, columns, keys);
  }

  /**
   * A button that is hidden at first.
   * @param {string} part
   * @param {string} text
   * @param {() => void} does
   */
  button(part, text, does) {
    const made = element("button", { part, type: "button", hidden: true }, this.say(text));
    made.addEventListener("click", does);
    return made;
  }

  unfold() {
    const open = this.filters.shown.classList.toggle("unfolded");
    this.fold.setAttribute("aria-expanded", String(open));
  }

  /** @param {string[]} keys that pages can be sorted by */
  offerSorts(keys) {
    this.sorts = sortsView(this.say, keys, this.wishes.sort);
    if (this.sorts) this.bar.append(this.sorts.shown);
  }

  /** @param {string} text */
  showProblem(text) {
    this.shell.status.textContent = text;
    this.notes.hidden = this.more.hidden = true;
    this.showHits([], 0);
  }

  /**
   * @param {Answer} answer
   * @param {Asked} asked
   */
  show(answer, asked) {
    const { say, shell } = this;
    const ticked = Object.values(asked.filters).flat().length;
    this.filters.update(answer.ticked, asked.filters);
    this.fold.hidden = this.filters.isEmpty();
    shell.panel.classList.toggle("filtered", !this.filters.isEmpty());
    this.fold.textContent = ticked > 0 ? say("filtersSet", { n: ticked }) : say("filters");
    this.clear.hidden = ticked === 0;
    this.sorts?.update(asked.sort, answer.total > 1);
    this.showHits(answer.hits, answer.total);
    const first = firstLink(this.list);
    const idle = !asked.text && ticked === 0;
    const opens = first ? say("first", { title: first.textContent ?? "" }) : "";
    const unseen = element("span", { className: "unseen" }, ` ${opens}`);
    shell.status.replaceChildren(idle ? say("hint") : heading(answer, ticked > 0, say), unseen);
    const lines = notes(answer, say, this.locale);
    this.notes.textContent = lines.join(" ");
    this.notes.hidden = lines.length === 0;
    shell.panel.scrollTop = 0;
  }

  /**
   * Show these hits alone, of so many.
   * @param {Hit[]} hits
   * @param {number} total
   */
  showHits(hits, total) {
    for (const own of this.host.querySelectorAll(":scope > [slot]")) own.remove();
    this.elsewhere.hidden = true;
    this.list.replaceChildren();
    this.addHits(hits, total);
  }

  /**
   * @param {Hit[]} hits
   * @param {number} total
   */
  addHits(hits, total) {
    const { say, images, list, host } = this;
    const template = host.querySelector("template");
    for (const hit of hits) {
      if (template) {
        const { item, filled } = ownItem(template, hit, `hit-${list.childElementCount}`);
        host.append(filled);
        list.append(item);
      } else list.append(hitItem(hit, say, images));
    }
    this.more.hidden = list.childElementCount >= total;
    this.more.textContent = say("more", { n: total - list.childElementCount });
  }

  /**
   * Offer the pages of other languages, by a button for each.
   * @param {import("./index.js").Elsewhere[]} found
   */
  showElsewhere(found) {
    const buttons = found.map(({ code, total }) => {
      const label = this.say("language", { n: total, language: languageName(code, this.locale) });
      const button = element("button", { type: "button", part: "language" }, label);
      button.addEventListener("click", () => {
        this.shell.field.focus(); // the button goes
        this.wishes.language(code);
      });
      return button;
    });
    this.elsewhere.replaceChildren(`${this.say("elsewhere")} `, ...buttons);
    this.elsewhere.hidden = found.length === 0;
  }

  /**
   * Go to the first link of the hit that stands at a place.
   * @param {number} place
   */
  goTo(place) {
    const item = this.list.children[place];
    if (item instanceof HTMLElement) linksOf(item)[0]?.focus();
  }
}
