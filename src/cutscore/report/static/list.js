// @ts-check
"use strict";

/*
 * The list of items: find, filter and sort all of them at once. The page has a part of the list without this file; the
 * whole of it comes as data (items.js), and rows are written only as far as somebody reads.
 */

/**
 * @typedef {{name: string, text: string[], tone: number[], value: (number | null)[], at: string[]}} Subject
 * @typedef {{items: string[], stems: string[], groups: Record<string, string[]>, subjects: Subject[]}} Catalogue
 */

/** Rows that are written at a time; more come when the reader gets there. */
const PAGE = 200;
const TONES = ["q0", "q1", "q2", "q3", "q4", "unscored", "stopped"];

/**
 * What separates the best from the worst on an item; -1 where fewer than two were marked.
 * @param {Catalogue} all
 * @param {number} item
 * @returns {number}
 */
function spread(all, item) {
  let low = Infinity, high = -Infinity, marked = 0;
  for (const subject of all.subjects) {
    const value = subject.value[item];
    if (value === null || value === undefined) continue;
    marked += 1;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return marked > 1 ? high - low : -1;
}

/** The list and the three fields above it. */
class Finder {
  /**
   * @param {HTMLElement} box
   * @param {Catalogue} all
   */
  constructor(box, all) {
    this.box = box;
    this.all = all;
    this.body = /** @type {HTMLElement} */ (document.querySelector(".matrix tbody"));
    this.heads = all.items.map((name, item) => [name, ...Object.values(all.groups).map((values) => values[item])].join(" \u0000 ").toLowerCase());
    const sort = /** @type {HTMLSelectElement} */ (this.field("sort"));
    for (const [place, subject] of all.subjects.entries()) sort.add(new Option(`score of ${subject.name}`, String(place)));
    /** @type {number[]} */
    this.found = [];
    this.written = 0;
    box.addEventListener("input", () => this.find());
    new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) this.more(); }).observe(this.end());
    box.hidden = false;
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement | HTMLSelectElement}
   */
  field(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (this.box.querySelector(`[data-find="${name}"]`));
  }

  /** Give what stands behind the list, and comes into sight when it was read to its end. */
  end() {
    const end = document.createElement("p");
    end.className = "note";
    this.body.closest(".scroll")?.after(end);
    return end;
  }

  /** Choose and order items by what the fields say, and write the first of them. */
  find() {
    const words = this.field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const keep = this.kept(this.field("kind").value);
    this.found = [];
    for (let item = 0; item < this.heads.length; item += 1) {
      const head = this.heads[item] ?? "";
      if (words.every((word) => head.includes(word)) && keep(item)) this.found.push(item);
    }
    this.order(this.field("sort").value);
    this.body.replaceChildren();
    this.written = 0;
    this.more();
    for (const pager of document.querySelectorAll(".pager")) pager.toggleAttribute("hidden", true);
    const said = /** @type {HTMLOutputElement} */ (this.box.querySelector("output"));
    said.textContent = `${this.found.length.toLocaleString("en")} of ${this.heads.length.toLocaleString("en")} items`;
  }

  /**
   * @param {string} kind
   * @returns {(item: number) => boolean}
   */
  kept(kind) {
    const { subjects } = this.all;
    if (kind === "differ") return (item) => spread(this.all, item) > 0;
    if (kind === "unscored") return (item) => subjects.some((subject) => (subject.tone[item] ?? -1) >= 5);
    if (kind === "low") {
      const worst = subjects.map((subject) => subject.value.reduce((/** @type {number} */ low, value) => Math.min(low, value ?? Infinity), Infinity));
      return (item) => subjects.some((subject, place) => subject.value[item] === worst[place]);
    }
    return () => true;
  }

  /** @param {string} by */
  order(by) {
    if (!by) return;
    const values = by === "spread" ? this.heads.map((_, item) => -spread(this.all, item)) : this.all.subjects[Number(by)]?.value ?? [];
    this.found.sort((one, other) => (values[one] ?? Infinity) - (values[other] ?? Infinity) || one - other);
  }

  /** Write the next rows. */
  more() {
    const rows = this.found.slice(this.written, this.written + PAGE).map((item) => this.row(item));
    this.written += rows.length;
    this.body.append(...rows);
  }

  /**
   * @param {number} item
   * @returns {HTMLElement}
   */
  row(item) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.append(link(`items/${this.all.stems[item]}.html`, this.all.items[item] ?? ""));
    const groups = Object.values(this.all.groups).map((values) => values[item]).filter(Boolean).join(", ");
    if (groups) head.append(" ", quiet(groups));
    row.append(head);
    for (const subject of this.all.subjects) {
      const cell = document.createElement("td");
      cell.className = "num";
      const tone = TONES[subject.tone[item] ?? -1];
      if (tone) cell.append(link(`items/${this.all.stems[item]}.html#${subject.at[item]}`, subject.text[item] ?? "", `cell ${tone}`));
      else cell.append(quiet("not asked"));
      row.append(cell);
    }
    return row;
  }
}

/**
 * @param {string} to
 * @param {string} text
 * @param {string} [name] Of its class.
 */
function link(to, text, name = "") {
  const made = document.createElement("a");
  made.href = to;
  if (name) made.className = name;
  const bdi = document.createElement("bdi");
  bdi.textContent = text;
  made.append(bdi);
  return made;
}

/** @param {string} text */
function quiet(text) {
  const made = document.createElement("span");
  made.className = "quiet";
  const bdi = document.createElement("bdi");
  bdi.textContent = text;
  made.append(bdi);
  return made;
}

const box = document.querySelector(".finder");
const all = /** @type {{cutscoreItems?: Catalogue}} */ (/** @type {unknown} */ (globalThis)).cutscoreItems;
// A handful of items is found by looking.
if (box instanceof HTMLElement && all && all.items.length > 8) new Finder(box, all);
