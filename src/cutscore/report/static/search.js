// @ts-check
"use strict";

/* Search over the items of all benchmarks, from any page: key `/`. What it knows of them is loaded when it is opened. */

/**
 * @typedef {{benchmarks: {name: string, folder: string}[], benchmark: number[], ids: string[], stems: string[], start: string[]}} Names
 */

const MOST_FOUND = 40;

{
  const root = /** @type {HTMLScriptElement} */ (document.currentScript).dataset.root ?? "";
  const opener = document.getElementById("search-open");
  /** @type {HTMLDialogElement | null} */
  let dialog = null;
  /** @type {string[] | null} */
  let lines = null;

  /** @returns {Names | undefined} */
  const names = () => /** @type {{cutscore?: {items?: Names}}} */ (/** @type {unknown} */ (globalThis)).cutscore?.items;

  /** @returns {Promise<void>} */
  const load = () => new Promise((resolve, reject) => {
    if (names()) {
      resolve();
      return;
    }
    const script = document.createElement("script");
    script.src = `${root}data/items.js`;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("data/items.js cannot be loaded")));
    document.head.append(script);
  });

  /**
   * @param {string} tag
   * @param {string} name
   * @param {string} [text]
   */
  const made = (tag, name, text = "") => {
    const element = document.createElement(tag);
    element.className = name;
    element.textContent = text;
    return element;
  };

  const build = () => {
    const box = document.createElement("dialog");
    box.className = "search";
    box.setAttribute("aria-label", "Search all items");
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "Search all items by name or question";
    field.setAttribute("aria-label", field.placeholder);
    field.autocomplete = "off";
    field.spellcheck = false;
    const said = made("p", "note");
    said.setAttribute("role", "status");
    const list = made("ol", "hits");
    box.append(field, said, list);
    document.body.append(box);
    const find = () => {
      const all = names();
      if (!all) return;
      lines ??= all.ids.map((id, item) => `${id} ${all.benchmarks[all.benchmark[item] ?? 0]?.name} ${all.start[item]}`.toLowerCase());
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const hits = words.length ? [...lines.keys()].filter((item) => words.every((word) => lines?.[item]?.includes(word))) : [];
      // Items whose name has the words come before those whose question has them.
      hits.sort((one, other) => Number(inName(all, other, words)) - Number(inName(all, one, words)) || one - other);
      list.replaceChildren(...hits.slice(0, MOST_FOUND).map((item) => hit(all, item)));
      const more = hits.length > MOST_FOUND ? `, the first ${MOST_FOUND} are shown` : "";
      said.textContent = words.length ? `${hits.length.toLocaleString("en")} of ${lines.length.toLocaleString("en")} items${more}` : `${lines.length.toLocaleString("en")} items`;
    };
    field.addEventListener("input", find);
    box.addEventListener("keydown", (event) => {
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.findIndex((each) => each === document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
      } else if (event.key === "Enter" && at <= 0) {
        list.querySelector("a")?.click();
      }
    });
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
    load().then(find, (fault) => { said.textContent = String(fault); });
    return box;
  };

  /**
   * @param {Names} all
   * @param {number} item
   * @param {string[]} words
   */
  const inName = (all, item, words) => words.every((word) => all.ids[item]?.toLowerCase().includes(word));

  /**
   * @param {Names} all
   * @param {number} item
   */
  const hit = (all, item) => {
    const line = document.createElement("li");
    const link = document.createElement("a");
    const bench = all.benchmarks[all.benchmark[item] ?? 0];
    link.href = `${root}${bench?.folder}/items/${all.stems[item]}.html`;
    link.append(made("bdi", "subject", all.ids[item]), " ", made("bdi", "mark", bench?.name), " ", made("bdi", "quiet", all.start[item]));
    line.append(link);
    return line;
  };

  const open = () => {
    dialog ??= build();
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input")?.select();
  };

  if (opener) {
    opener.hidden = false;
    opener.addEventListener("click", open);
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    open();
  });
}
