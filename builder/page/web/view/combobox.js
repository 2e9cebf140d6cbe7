// A field that proposes titles as a visitor types: a combobox with a list box, as the ARIA
// Authoring Practices describe it. The focus stays in the field.

import { messages } from "../base/messages.js";
import { number } from "../base/numbers.js";
import { Problem } from "../base/problem.js";
import { element } from "./elements.js";
import { showProblem, showStatus } from "./state.js";

export const PROPOSED = 8; // at most

/**
 * name: of the collection, or "".
 * @typedef {{ title: string, name: string, document: number, place: number }} Proposal
 */

export class Combobox {
  /**
   * @param {HTMLInputElement} field
   * @param {HTMLElement} list
   * @param {(text: string) => Promise<Proposal[]>} propose
   * @param {(proposal: Proposal) => void} chosen
   */
  constructor(field, list, propose, chosen) {
    this.field = field;
    this.list = list;
    this.propose = propose;
    this.chosen = chosen;
    /** @type {Proposal[]} */
    this.options = [];
    this.active = -1;
    this.asked = 0; // only the last question is answered
    field.addEventListener("input", () => this.ask());
    field.addEventListener("blur", () => this.close());
    field.addEventListener("keydown", (event) => this.press(event));
    // The field keeps the focus.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  /** @param {number} i -1 for none */
  select(i) {
    const { field, list } = this;
    this.active = i;
    Array.from(list.children, (item, k) => item.setAttribute("aria-selected", String(k === i)));
    if (i >= 0) field.setAttribute("aria-activedescendant", list.children[i].id);
    else field.removeAttribute("aria-activedescendant");
    list.children[i]?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.asked++;
    this.options = [];
    this.list.replaceChildren();
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.select(-1);
  }

  /** @param {number} i */
  choose(i) {
    const option = this.options[i];
    this.close();
    if (!option) return;
    this.field.value = option.title;
    this.chosen(option);
  }

  /** @param {Proposal[]} found */
  show(found) {
    const { list } = this;
    const count = found.length;
    this.options = found;
    list.replaceChildren(...found.map((proposal, i) => this.item(proposal, i)));
    list.hidden = count === 0;
    this.field.setAttribute("aria-expanded", String(count > 0));
    this.select(-1);
    const more = count === PROPOSED ? " or more" : "";
    const told = `${number(count)}${more} ${count === 1 ? "title" : "titles"}`;
    showStatus(count > 0 ? told : messages.noTitle, count > 0);
  }

  /**
   * @param {Proposal} proposal
   * @param {number} i
   */
  item({ title, name }, i) {
    const properties = { role: "option", id: `${this.list.id}-${i}`, dir: "auto" };
    const item = element(
      "li",
      properties,
      element("bdi", {}, title),
      name && element("small", {}, " ", element("bdi", {}, name)),
    );
    item.addEventListener("click", () => this.choose(i));
    return item;
  }

  async ask() {
    const text = this.field.value;
    if (text.trim() === "") return this.close();
    const mine = ++this.asked;
    try {
      const found = await this.propose(text);
      if (mine !== this.asked) return;
      this.show(found);
      this.list.dataset.of = text; // for programs that drive the page
    } catch (problem) {
      if (mine !== this.asked) return;
      showProblem(problem instanceof Problem ? problem.message : String(problem));
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { active } = this;
    const last = this.options.length - 1;
    if (event.key === "Enter") {
      event.preventDefault();
      this.choose(Math.max(0, active));
    } else if (event.key === "Escape") {
      if (last < 0) this.field.value = "";
      this.close();
    } else if (last >= 0 && event.key === "ArrowDown") {
      event.preventDefault();
      this.select(active === last ? 0 : active + 1);
    } else if (last >= 0 && event.key === "ArrowUp") {
      event.preventDefault();
      this.select(active <= 0 ? last : active - 1);
    }
  }
}
