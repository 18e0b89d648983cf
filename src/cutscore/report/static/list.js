// @ts-check
"use strict";

/*
 * The list of items: find, filter and sort all of them at once. The page has a part of the list without this file; the
 * whole of it comes as data (items.js), and rows are written only as far as somebody reads.
 */

/**
 * @typedef {{name: string, text: string[], tone: number[], value: (number | null)[], at: string[], failure: string[]}} Subject
 * @typedef {{items: string[], stems: string[], pictures: string[], picture: number[], groups: Record<string, string[]>, subjects: Subject[]}} Catalogue
 */

/** Rows that are written at a time; more come when the reader gets there. */
const PAGE = 200;
/** Pictures in a strip (`PICTURES` in report/preview.py). */
const PICTURES = 12;
const TONES = ["q0", "q1", "q2", "q3", "q4", "unscored", "stopped", "excluded"];

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

/** The list and the fields above it. What they say is in the address, so that a list can be sent as one sees it. */
class Finder {
  /**
   * @param {HTMLElement} box
   * @param {Catalogue} all
   */
  constructor(box, all) {
    this.box = box;
    this.all = all;
    this.table = /** @type {HTMLElement} */ (document.querySelector(".matrix"));
    this.body = /** @type {HTMLElement} */ (this.table.querySelector("tbody"));
    this.heads = all.items.map((name, item) => [name, ...Object.values(all.groups).map((values) => values[item])].join(" \u0000 ").toLowerCase());
    const sort = this.field("sort");
    for (const [place, subject] of all.subjects.entries()) sort?.append(new Option(`score of ${subject.name}`, String(place)));
    /** @type {number[]} */
    this.found = [];
    this.written = 0;
    box.addEventListener("input", () => this.changed());
    window.addEventListener("hashchange", () => this.readAddress());
    new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) this.more(); }).observe(this.end());
    box.hidden = false;
    this.readAddress();
  }

  /** @returns {(HTMLInputElement | HTMLSelectElement)[]} */
  fields() {
    return [...this.box.querySelectorAll("[data-find]")].map((each) => /** @type {HTMLInputElement | HTMLSelectElement} */ (each));
  }

  /**
   * Set the fields as the address says. The page as it came is left alone while the address says nothing, and so is the
   * list when the address names a place on the page.
   */
  readAddress() {
    const said = new URLSearchParams(location.hash.slice(1));
    const wanted = this.fields().some((each) => said.has(each.dataset.find ?? ""));
    if (said.size && !wanted) return;
    for (const field of this.fields()) field.value = said.get(field.dataset.find ?? "") ?? "";
    if (wanted || this.found.length) this.find();
  }

  /** Write down in the address what the fields say, and follow them. */
  changed() {
    const said = new URLSearchParams(this.fields().filter((each) => each.value).map((each) => [each.dataset.find ?? "", each.value]));
    history.replaceState(null, "", `#${said}`);
    this.find();
  }

  /**
   * @param {string} name
   * @returns {HTMLInputElement | HTMLSelectElement | undefined}
   */
  field(name) {
    return this.fields().find((each) => each.dataset.find === name);
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
    const words = (this.field("text")?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const keep = this.kept(this.field("kind")?.value);
    this.found = [];
    for (let item = 0; item < this.heads.length; item += 1) {
      const head = this.heads[item] ?? "";
      if (words.every((word) => head.includes(word)) && keep(item)) this.found.push(item);
    }
    this.order(this.field("sort")?.value);
    this.table.classList.toggle("pictures", this.field("view")?.value === "pictures");
    this.body.replaceChildren();
    this.written = 0;
    this.more();
    for (const pager of document.querySelectorAll(".pager")) pager.toggleAttribute("hidden", true);
    const said = /** @type {HTMLOutputElement} */ (this.box.querySelector("output"));
    said.textContent = `${this.found.length.toLocaleString("en")} of ${this.heads.length.toLocaleString("en")} items`;
  }

  /**
   * @param {string} [kind]
   * @returns {(item: number) => boolean}
   */
  kept(kind) {
    const { subjects } = this.all;
    if (kind === "differ") return (item) => spread(this.all, item) > 0;
    if (kind === "unscored") return (item) => subjects.some((subject) => [5, 6].includes(subject.tone[item] ?? -1));
    if (kind?.startsWith("failed")) {
      const wanted = kind.split(" ")[1];
      return (item) => subjects.some((subject) => (wanted ? subject.failure[item] === wanted : Boolean(subject.failure[item])));
    }
    if (kind === "low") {
      const worst = subjects.map((subject) => subject.value.reduce((/** @type {number} */ low, value) => Math.min(low, value ?? Infinity), Infinity));
      return (item) => subjects.some((subject, place) => subject.value[item] === worst[place]);
    }
    return () => true;
  }

  /** @param {string} [by] */
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
    const page = `items/${this.all.stems[item]}.html`;
    const strip = this.all.pictures[this.all.picture[item] ?? -1];
    if (strip) head.append(thumb(page, strip));
    head.append(link(page, this.all.items[item] ?? ""));
    const groups = Object.values(this.all.groups).map((values) => values[item]).filter(Boolean).join(", ");
    if (groups) head.append(" ", quiet(groups));
    row.append(head);
    for (const subject of this.all.subjects) {
      const cell = document.createElement("td");
      cell.className = "num";
      cell.dataset.who = subject.name;
      const tone = TONES[subject.tone[item] ?? -1];
      if (tone) cell.append(link(`${page}#${subject.at[item]}`, subject.text[item] ?? "", `cell ${tone}`));
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

/**
 * Give an item's picture. It leads where the name beside it leads, so neither keyboard nor screen reader needs it.
 * @param {string} to
 * @param {string} strip
 */
function thumb(to, strip) {
  const made = document.createElement("a");
  made.href = to;
  made.className = "thumb";
  made.tabIndex = -1;
  made.ariaHidden = "true";
  const picture = document.createElement("img");
  picture.loading = "lazy";
  picture.alt = "";
  picture.src = `../${strip}`;
  made.append(picture);
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
if (box instanceof HTMLElement && all && all.items.length > 1) new Finder(box, all);

// A picture is one of those in a strip from its film; the pointer leafs through them as it goes across.
document.addEventListener("pointermove", (event) => {
  const picture = event.target;
  if (!(picture instanceof HTMLImageElement) || !picture.closest(".thumb")) return;
  const across = Math.min(1, Math.max(0, event.offsetX / picture.clientWidth));
  picture.style.objectPosition = `${100 * Math.round(across * (PICTURES - 1)) / (PICTURES - 1)}% 50%`;
});
