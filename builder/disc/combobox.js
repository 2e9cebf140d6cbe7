// A field that proposes titles as a visitor types: a combobox with a list box, as the ARIA Authoring Practices describe it. The focus stays in the field.

const PROPOSED = 8;

// propose(text) -> Promise of [{title, name, ..}], name: of the collection or ""; chosen(proposal). Returns a function that closes the list.
function combobox(field, list, propose, chosen) {
  let options = [];
  let active = -1;
  let asked = 0; // only the last question is answered

  const select = (i) => {
    active = i;
    Array.from(list.children, (item, k) => item.setAttribute("aria-selected", String(k === i)));
    if (i >= 0) field.setAttribute("aria-activedescendant", list.children[i].id);
    else field.removeAttribute("aria-activedescendant");
    list.children[i]?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    asked++;
    options = [];
    list.replaceChildren();
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    select(-1);
  };
  const take = (i) => {
    const option = options[i];
    close();
    if (!option) return;
    field.value = option.title;
    chosen(option);
  };
  const show = (found) => {
    options = found;
    const items = found.map(({ title, name }, i) => element("li", { role: "option", id: `${list.id}-${i}`, dir: "auto" }, title, name && element("small", {}, ` ${name}`)));
    items.forEach((item, i) => item.addEventListener("click", () => take(i)));
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    field.setAttribute("aria-expanded", String(items.length > 0));
    select(-1);
    view.status(items.length ? `${number(items.length)}${items.length === PROPOSED ? " or more" : ""} ${items.length === 1 ? "title" : "titles"}` : words.noTitle, items.length > 0);
  };
  const ask = async () => {
    if (field.value.trim() === "") return close();
    const mine = ++asked;
    try {
      const text = field.value;
      const found = await propose(text);
      if (mine !== asked) return;
      show(found);
      list.dataset.of = text; // for programs that drive the page
    } catch (problem) {
      if (mine === asked) view.problem(problem instanceof Problem ? problem.message : String(problem));
    }
  };

  field.addEventListener("input", ask);
  field.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  field.addEventListener("keydown", (event) => {
    const last = options.length - 1;
    if (event.key === "Enter") {
      event.preventDefault();
      take(Math.max(0, active));
    } else if (event.key === "Escape") {
      if (last < 0) field.value = "";
      close();
    } else if (last >= 0 && event.key === "ArrowDown") {
      event.preventDefault();
      select(active === last ? 0 : active + 1);
    } else if (last >= 0 && event.key === "ArrowUp") {
      event.preventDefault();
      select(active <= 0 ? last : active - 1);
    }
  });
  return close;
}
