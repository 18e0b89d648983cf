// @ts-check
"use strict";

/*
 * The explorer: every sample of every run. Names and figures come with the page as columns of numbers (data/items.js,
 * data/samples.js), long texts after it (data/text-1.js …); a filter is one pass over the columns, and rows are written
 * only as far as somebody reads.
 */

/**
 * @typedef {{words: string[], column: number[]}} Words
 * @typedef {{benchmarks: {name: string, folder: string}[], benchmark: number[], ids: string[], stems: string[], start: string[], picture: Words, groups: Record<string, Words>}} Items
 * @typedef {{item: number[], epoch: number[], value: (number | null)[], text: string[], tone: number[], at: string[], time: (number | null)[], cost: (number | null)[], subject: Words, model: Words, status: Words, failure: Words, role: Words, texts: number}} Samples
 * @typedef {{item: number, row: number, questions: string[], answers: string[], reasons: string[]}} Texts
 * @typedef {{key: string, title: string, words: string[], says: string[], codes: Int32Array, chosen: number, field: HTMLSelectElement, label: HTMLElement}} Facet
 * @typedef {{key: string, title: string, kind: "text" | "number" | "word", shown: boolean, value: (row: number) => string | number | null}} Column
 */

/** Rows that are written at a time; more come when the reader gets there. */
const STEP = 40;
/** Pictures in a strip (`PICTURES` in report/preview.py). */
const PICTURES = 12;
/** Values of a group that can be chosen from; more are better found by typing. */
const MOST_VALUES = 100;
const CLASSES = { number: "num", text: "long", word: "short" };
const TONES = ["q0", "q1", "q2", "q3", "q4", "unscored", "stopped", "excluded"];

/** @param {number} n */
const figure = (n) => n.toLocaleString("en");

/**
 * @param {string} tag
 * @param {string} name Of its class.
 * @param {...(string | Node)} inside
 */
function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

/** @param {string} text */
function bdi(text) {
  return make("bdi", "", text);
}

/**
 * Round seconds to what tells samples apart: two figures, and whole seconds from ten on.
 * @param {number} seconds
 * @returns {number}
 */
const shortTime = (seconds) => (seconds < 10 ? Number(seconds.toPrecision(2)) : Math.round(seconds));

class Explorer {
  /**
   * @param {HTMLElement} box
   * @param {Items} items
   * @param {Samples} samples
   */
  constructor(box, items, samples) {
    this.box = box;
    this.items = items;
    this.samples = samples;
    this.size = samples.item.length;
    this.item = Int32Array.from(samples.item);
    this.isReference = Uint8Array.from(samples.role.column, (role) => Number(role > 0));
    /** @type {string[]} */
    this.questions = items.start.slice();
    /** @type {string[]} */
    this.answers = new Array(this.size).fill("");
    /** @type {string[]} */
    this.reasons = new Array(this.size).fill("");
    this.itemText = items.ids.map((_, item) => this.textOfItem(item));
    this.rowText = samples.item.map((_, row) => this.textOfRow(row));
    this.loaded = 0;
    this.body = /** @type {HTMLElement} */ (box.querySelector("tbody"));
    this.frame = /** @type {HTMLElement} */ (box.querySelector(".rows"));
    this.said = /** @type {HTMLOutputElement} */ (box.querySelector("output"));
    this.empty = /** @type {HTMLElement} */ (box.querySelector(".empty"));
    this.find = /** @type {HTMLInputElement} */ (box.querySelector('[data-find="text"]'));
    this.references = /** @type {HTMLInputElement} */ (box.querySelector('[data-find="references"]'));
    this.columns = this.makeColumns();
    this.usual = this.shownKeys();
    this.facets = this.makeFacets();
    this.sort = "";
    this.whole = false;
    /** @type {number[]} */
    this.found = [];
    /** @type {{words: string[], hit: Uint8Array} | null} */
    this.matched = null;
    this.written = 0;
    const alone = !this.isReference.includes(0) || !this.isReference.includes(1);
    this.references.closest("label")?.toggleAttribute("hidden", alone);
    this.always = !this.isReference.includes(0);
    this.listen();
    box.hidden = false;
    this.readAddress();
    void this.loadTexts();
  }

  /** @param {number} item */
  textOfItem(item) {
    const groups = Object.values(this.items.groups).map((words) => words.words[words.column[item] ?? 0]);
    return [this.items.ids[item], ...groups, this.questions[item]].join("\n").toLowerCase();
  }

  /** @param {number} row */
  textOfRow(row) {
    const { subject, model, status, failure } = this.samples;
    const words = [subject, model, status, failure].map((each) => each.words[each.column[row] ?? 0]);
    return [...words, this.answers[row], this.reasons[row]].join("\n").toLowerCase();
  }

  /** @returns {Column[]} */
  makeColumns() {
    const { samples, items } = this;
    /** @param {Words} words */
    const word = (words) => (/** @type {number} */ row) => words.words[words.column[row] ?? 0] ?? "";
    const some = (/** @type {(number | null)[]} */ column) => column.some((each) => each !== null && each !== 0);
    const several = (/** @type {Words} */ words) => words.words.filter(Boolean).length > 0;
    /** @type {(Column | false)[]} */
    const made = [
      { key: "item", title: "item", kind: "word", shown: true, value: (row) => items.ids[this.item[row] ?? 0] ?? "" },
      items.benchmarks.length > 1 && { key: "benchmark", title: "benchmark", kind: "word", shown: true, value: (row) => this.benchmark(row).name },
      { key: "question", title: "question", kind: "text", shown: true, value: (row) => this.questions[this.item[row] ?? 0] ?? "" },
      { key: "subject", title: "subject", kind: "word", shown: true, value: word(samples.subject) },
      several(samples.model) && { key: "model", title: "model", kind: "word", shown: false, value: word(samples.model) },
      { key: "score", title: "score", kind: "number", shown: true, value: (row) => samples.value[row] ?? null },
      { key: "status", title: "status", kind: "word", shown: false, value: word(samples.status) },
      several(samples.failure) && { key: "failure", title: "failure class", kind: "word", shown: false, value: word(samples.failure) },
      { key: "answer", title: "answer", kind: "text", shown: true, value: (row) => this.answers[row] ?? "" },
      { key: "reasons", title: "reasons", kind: "text", shown: true, value: (row) => this.reasons[row] ?? "" },
      samples.epoch.some((each) => each > 1) && { key: "epoch", title: "epoch", kind: "number", shown: true, value: (row) => samples.epoch[row] ?? null },
      some(samples.time) && { key: "time", title: "time, s", kind: "number", shown: true, value: (row) => samples.time[row] ?? null },
      some(samples.cost) && { key: "cost", title: "cost, $", kind: "number", shown: true, value: (row) => samples.cost[row] ?? null },
      ...Object.entries(items.groups).map(([name, words]) => (/** @type {Column} */ ({
        key: `group.${name}`, title: name, kind: "word", shown: false, value: (/** @type {number} */ row) => words.words[words.column[this.item[row] ?? 0] ?? 0] ?? "",
      }))),
    ];
    return /** @type {Column[]} */ (made.filter(Boolean));
  }

  /** @returns {Facet[]} */
  makeFacets() {
    const { samples, items } = this;
    /** @param {number[]} column By item. */
    const byItem = (column) => Int32Array.from(this.item, (item) => column[item] ?? 0);
    const place = /** @type {HTMLElement} */ (this.box.querySelector(".facets"));
    /** @type {[string, string, string[], string[], Int32Array][]} */
    const given = [
      ["benchmark", "Benchmark", items.benchmarks.map((each) => each.folder), items.benchmarks.map((each) => each.name), byItem(items.benchmark)],
      ...(/** @type {const} */ (["subject", "model", "status", "failure"])).map((key) => (/** @type {[string, string, string[], string[], Int32Array]} */ (
        [key, { subject: "Subject", model: "Model", status: "Status", failure: "Failure" }[key], samples[key].words, samples[key].words, Int32Array.from(samples[key].column)]))),
      ...Object.entries(items.groups).filter(([, words]) => words.words.length <= MOST_VALUES).map(([name, words]) => (/** @type {[string, string, string[], string[], Int32Array]} */ (
        [`group.${name}`, name, words.words, words.words, byItem(words.column)]))),
    ];
    return given.filter(([, , words]) => words.filter(Boolean).length > 1 || words.length > 1).map(([key, title, words, says, codes]) => {
      const field = document.createElement("select");
      field.dataset.find = key;
      const order = [...words.keys()].filter((code) => words[code]).sort((one, other) => (says[one] ?? "").localeCompare(says[other] ?? "", "en", { numeric: true }));
      field.append(new Option("all", ""), ...order.map((code) => new Option(says[code], words[code])));
      const label = make("label", "", `${title} `, field);
      place.append(label);
      return { key, title, words, says, codes, chosen: -1, field, label };
    });
  }

  listen() {
    this.box.addEventListener("input", (event) => {
      if (event.target instanceof Element && event.target.matches("[data-find], [data-column]")) this.changed();
    });
    this.box.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (!button) return;
      if (button.dataset.sort) {
        const key = button.dataset.sort;
        this.sort = this.sort === key ? `-${key}` : key;
        this.changed();
      } else if (button.dataset.do === "clear") {
        this.clear();
      } else if (button.dataset.do === "csv" || button.dataset.do === "json") {
        this.save(button.dataset.do);
      } else if (button.dataset.drop) {
        for (const each of this.facets) if (each.key === button.dataset.drop) each.field.value = "";
        if (button.dataset.drop === "text") this.find.value = "";
        this.changed();
      } else if (button.classList.contains("whole")) {
        this.unfold(button.closest("tr"));
      }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.readAddress());
    // On a phone the page scrolls, elsewhere the box of the rows does.
    const root = getComputedStyle(this.frame).overflowY === "visible" ? null : this.frame;
    new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) this.more(); }, { root, rootMargin: "600px" })
      .observe(/** @type {Element} */ (this.box.querySelector(".end")));
  }

  /** @param {HTMLTableRowElement | null | undefined} row */
  unfold(row) {
    const open = row?.classList.toggle("open") ?? false;
    row?.querySelector(".whole")?.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = document.activeElement?.closest("tbody tr");
    const inside = document.activeElement?.closest(".rows");
    if (event.key === "f") {
      this.find.focus();
    } else if (event.key === "x" && here instanceof HTMLTableRowElement) {
      this.unfold(here);
    } else if (event.key === "j" || event.key === "k" || (inside && (event.key === "ArrowDown" || event.key === "ArrowUp"))) {
      const down = event.key === "j" || event.key === "ArrowDown";
      const next = here ? (down ? here.nextElementSibling : here.previousElementSibling) : this.body.firstElementChild;
      const link = next?.querySelector("a:not(.thumb)");
      if (link instanceof HTMLElement) link.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** @param {number} row */
  benchmark(row) {
    return this.items.benchmarks[this.items.benchmark[this.item[row] ?? 0] ?? 0] ?? { name: "", folder: "" };
  }

  shownKeys() {
    return this.columns.filter((each) => each.shown).map((each) => each.key).join(",");
  }

  /** Load the long texts, one file after the other, and put each into the rows that are there. */
  async loadTexts() {
    for (let number = 1; number <= this.samples.texts; number += 1) {
      await new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = `data/text-${number}.js`;
        script.addEventListener("load", resolve);
        script.addEventListener("error", resolve);
        document.head.append(script);
      });
      const all = /** @type {{cutscore: Record<string, Texts | undefined>}} */ (/** @type {unknown} */ (globalThis)).cutscore;
      const came = all[`text${number}`];
      delete all[`text${number}`];
      if (came) this.take(came);
      this.loaded = number;
      if (this.find.value || /question|answer|reasons/.test(this.sort)) this.search();
      else this.tell();
    }
  }

  /** @param {Texts} came */
  take(came) {
    this.matched = null;
    for (const [at, text] of came.questions.entries()) {
      this.questions[came.item + at] = text;
      this.itemText[came.item + at] = this.textOfItem(came.item + at);
    }
    const end = came.row + came.answers.length;
    for (let row = came.row; row < end; row += 1) {
      this.answers[row] = came.answers[row - came.row] ?? "";
      this.reasons[row] = came.reasons[row - came.row] ?? "";
      this.rowText[row] = this.textOfRow(row);
    }
    for (const line of this.body.querySelectorAll("tr")) {
      const row = Number(line.dataset.row);
      if (row >= came.row && row < end && !line.contains(document.activeElement)) line.replaceWith(this.row(row));
    }
  }

  /** Set everything as the address says; the address may also name a place on the page, which is left alone. */
  readAddress() {
    const said = new URLSearchParams(location.hash.slice(1));
    const known = new Set(["text", "references", "sort", "columns", "whole", ...this.facets.map((each) => each.key)]);
    if (said.size && ![...said.keys()].some((key) => known.has(key))) return;
    this.find.value = said.get("text") ?? "";
    this.references.checked = said.has("references");
    for (const facet of this.facets) facet.field.value = said.get(facet.key) ?? "";
    this.sort = said.get("sort") ?? "";
    this.whole = said.has("whole");
    const columns = (said.get("columns") ?? this.usual).split(",");
    for (const column of this.columns) column.shown = column.key === "item" || columns.includes(column.key);
    this.head();
    this.search();
  }

  /** Follow the fields, and write down in the address what they say. */
  changed() {
    for (const field of this.box.querySelectorAll("[data-column]")) {
      const column = this.columns.find((each) => each.key === /** @type {HTMLInputElement} */ (field).dataset.column);
      if (column) column.shown = /** @type {HTMLInputElement} */ (field).checked;
      else this.whole = /** @type {HTMLInputElement} */ (field).checked;
    }
    const said = new URLSearchParams();
    if (this.find.value) said.set("text", this.find.value);
    for (const facet of this.facets) if (facet.field.value) said.set(facet.key, facet.field.value);
    if (this.references.checked) said.set("references", "1");
    if (this.sort) said.set("sort", this.sort);
    if (this.shownKeys() !== this.usual) said.set("columns", this.shownKeys());
    if (this.whole) said.set("whole", "1");
    history.replaceState(null, "", `#${said}`);
    this.head();
    this.search();
  }

  clear() {
    this.find.value = "";
    for (const facet of this.facets) facet.field.value = "";
    this.changed();
  }

  /** Write the headings and the choice of columns. */
  head() {
    const line = /** @type {HTMLElement} */ (this.box.querySelector("thead tr"));
    const [key, down] = [this.sort.replace(/^-/, ""), this.sort.startsWith("-")];
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    line.replaceChildren(...this.columns.filter((each) => each.shown).map((each) => {
      const button = make("button", "sort", each.title);
      button.dataset.sort = each.key;
      button.setAttribute("type", "button");
      const head = make("th", CLASSES[each.kind], button);
      head.setAttribute("scope", "col");
      if (each.key === key) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      return head;
    }));
    if (focused) /** @type {HTMLElement | null} */ (line.querySelector(`[data-sort="${CSS.escape(focused)}"]`))?.focus();
    const choice = /** @type {HTMLElement} */ (this.box.querySelector(".columns"));
    if (!choice.childElementCount) {
      choice.append(...[...this.columns.filter((each) => each.key !== "item"), { key: "", title: "whole texts" }].map((each) => {
        const field = document.createElement("input");
        field.type = "checkbox";
        field.dataset.column = each.key;
        return make("label", "check", field, ` ${each.title}`);
      }));
    }
    for (const field of choice.querySelectorAll("input")) {
      field.checked = this.columns.find((each) => each.key === field.dataset.column)?.shown ?? this.whole;
    }
    this.box.querySelector("table")?.classList.toggle("whole-texts", this.whole);
  }

  /**
   * Which samples have all the words, in their item's texts or in their own.
   * @returns {Uint8Array | null} Null where there are no words.
   */
  matches() {
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return null;
    // Who goes on typing can only lose samples.
    const goesOn = this.matched?.words.every((word, place) => words[place]?.startsWith(word));
    const hit = goesOn && this.matched ? this.matched.hit : new Uint8Array(this.size).fill(1);
    const inItem = new Uint8Array(this.itemText.length);
    for (const word of words) {
      for (let item = 0; item < inItem.length; item += 1) inItem[item] = Number(this.itemText[item]?.includes(word));
      for (let row = 0; row < this.size; row += 1) {
        if (hit[row] && !inItem[this.item[row] ?? 0] && !this.rowText[row]?.includes(word)) hit[row] = 0;
      }
    }
    this.matched = { words, hit };
    return hit;
  }

  /** Choose and order samples by what the fields say, count what each further choice would leave, write the first rows. */
  search() {
    const active = this.facets.filter((each) => !each.label.hidden || each.field.value);
    for (const facet of this.facets) facet.chosen = facet.field.value ? facet.words.indexOf(facet.field.value) : -1;
    const counts = active.map((each) => new Int32Array(each.words.length));
    const near = new Int32Array(active.length + 1);
    const hit = this.matches(), all = this.always || this.references.checked;
    this.found = [];
    this.asked = 0;
    const items = new Uint8Array(this.itemText.length);
    for (let row = 0; row < this.size; row += 1) {
      if (!all && this.isReference[row]) continue;
      this.asked += 1;
      let misses = 0, missed = -1;
      if (hit && !hit[row]) { misses = 1; missed = active.length; }
      for (let place = 0; place < active.length && misses < 2; place += 1) {
        const facet = /** @type {Facet} */ (active[place]);
        if (facet.chosen >= 0 && facet.codes[row] !== facet.chosen) { misses += 1; missed = place; }
      }
      if (misses === 0) {
        this.found.push(row);
        items[this.item[row] ?? 0] = 1;
        for (let place = 0; place < active.length; place += 1) {
          const count = /** @type {Int32Array} */ (counts[place]), code = active[place]?.codes[row] ?? 0;
          count[code] = (count[code] ?? 0) + 1;
        }
      } else if (misses === 1) {
        near[missed] = (near[missed] ?? 0) + 1;
        const count = counts[missed];
        if (count) {
          const code = active[missed]?.codes[row] ?? 0;
          count[code] = (count[code] ?? 0) + 1;
        }
      }
    }
    this.foundItems = items.reduce((sum, each) => sum + each, 0);
    this.order();
    this.label(active, counts);
    this.body.replaceChildren();
    this.written = 0;
    this.frame.scrollTop = 0;
    this.more();
    this.tell();
    this.explain(active, near);
  }

  /**
   * Write beside each choice how many samples it would leave. Groups are offered where one benchmark is looked at.
   * @param {Facet[]} active
   * @param {Int32Array[]} counts
   */
  label(active, counts) {
    for (const [place, facet] of active.entries()) {
      for (const option of facet.field.options) {
        if (!option.value) continue;
        const code = facet.words.indexOf(option.value), n = counts[place]?.[code] ?? 0;
        option.textContent = `${facet.says[code]} (${figure(n)})`;
        option.disabled = n === 0 && code !== facet.chosen;
      }
    }
    const one = this.items.benchmarks.length === 1 || (this.facets.find((each) => each.key === "benchmark")?.chosen ?? -1) >= 0;
    for (const facet of this.facets) {
      if (!facet.key.startsWith("group.")) continue;
      const first = facet.codes[this.found[0] ?? 0];
      facet.label.hidden = facet.chosen < 0 && !(one && this.found.some((row) => facet.codes[row] !== first));
    }
  }

  /** Say how many there are. */
  tell() {
    const waits = this.loaded < this.samples.texts ? `; long texts: ${this.loaded} of ${this.samples.texts} files are here` : "";
    this.said.textContent = `${figure(this.found.length)} of ${figure(this.asked ?? 0)} samples, ${figure(this.foundItems ?? 0)} items${waits}`;
    const filtered = this.find.value || this.facets.some((each) => each.field.value);
    this.box.querySelector('[data-do="clear"]')?.toggleAttribute("hidden", !filtered);
  }

  /**
   * Where nothing is found, say why: which single choice stands in the way.
   * @param {Facet[]} active
   * @param {Int32Array} near
   */
  explain(active, near) {
    this.empty.hidden = this.found.length > 0;
    if (this.found.length) return;
    const chosen = active.map((facet, place) => ({ name: `${facet.title}: ${facet.says[facet.chosen]}`, key: facet.key, left: near[place] ?? 0, on: facet.chosen >= 0 }));
    chosen.push({ name: `the words “${this.find.value}”`, key: "text", left: near[active.length] ?? 0, on: Boolean(this.find.value) });
    const ways = chosen.filter((each) => each.on && each.left).map((each) => {
      const button = make("button", "tool", `Without ${each.name}: ${figure(each.left)}`);
      button.dataset.drop = each.key;
      button.setAttribute("type", "button");
      return button;
    });
    const why = this.size === 0 ? "This report has no samples."
      : !chosen.some((each) => each.on) ? "There are references alone; tick “references” to see them."
        : `No sample has all of this: ${chosen.filter((each) => each.on).map((each) => each.name).join(", ")}.`;
    this.empty.replaceChildren(make("p", "", why), ...ways);
  }

  order() {
    const key = this.sort.replace(/^-/, ""), way = this.sort.startsWith("-") ? -1 : 1;
    const column = this.columns.find((each) => each.key === key);
    if (!column) return;
    if (column.kind === "number" || key === "item") {
      const values = Float64Array.from({ length: this.size }, (_, row) => (key === "item" ? this.item[row] : /** @type {number | null} */ (column.value(row))) ?? NaN);
      this.found.sort((one, other) => {
        const first = values[one] ?? NaN, second = values[other] ?? NaN;
        if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second)) || one - other;
        return way * (first - second) || one - other;
      });
      return;
    }
    // Words repeat, so they are compared once and then by rank.
    const words = new Map([...new Set(this.found.map((row) => String(column.value(row))))].sort((one, other) => one.localeCompare(other, "en", { numeric: true })).map((word, rank) => [word, rank]));
    const ranks = new Map(this.found.map((row) => [row, String(column.value(row)) ? words.get(String(column.value(row))) ?? 0 : Infinity]));
    this.found.sort((one, other) => {
      const first = ranks.get(one) ?? 0, second = ranks.get(other) ?? 0;
      if (first === second) return one - other;
      return first === Infinity || second === Infinity ? first - second : way * (first - second);
    });
  }

  /** Write the next rows. */
  more() {
    const rows = this.found.slice(this.written, this.written + STEP).map((row) => this.row(row));
    this.written += rows.length;
    this.body.append(...rows);
  }

  /**
   * @param {number} row
   * @returns {HTMLElement}
   */
  row(row) {
    const line = make("tr", "");
    line.dataset.row = String(row);
    for (const column of this.columns) {
      if (!column.shown) continue;
      const cell = column.key === "item" ? this.itemCell(row) : this.cell(row, column);
      cell.dataset.title = column.title;
      line.append(cell);
    }
    return line;
  }

  /** @param {number} row */
  href(row) {
    return `${this.benchmark(row).folder}/items/${this.items.stems[this.item[row] ?? 0]}.html#${this.samples.at[row]}`;
  }

  /** @param {number} row */
  itemCell(row) {
    const item = this.item[row] ?? 0;
    const cell = make("th", "");
    cell.setAttribute("scope", "row");
    const strip = this.items.picture.words[this.items.picture.column[item] ?? 0];
    if (strip) cell.append(thumb(this.href(row), strip));
    const link = /** @type {HTMLAnchorElement} */ (make("a", "", bdi(this.items.ids[item] ?? "")));
    link.href = this.href(row);
    const whole = make("button", "whole", "⤢");
    whole.setAttribute("type", "button");
    whole.setAttribute("aria-label", "Whole texts of this row");
    whole.setAttribute("aria-expanded", "false");
    cell.append(link, " ", whole);
    return cell;
  }

  /**
   * @param {number} row
   * @param {Column} column
   */
  cell(row, column) {
    const value = column.value(row);
    if (column.key === "score") {
      const link = /** @type {HTMLAnchorElement} */ (make("a", `cell ${TONES[this.samples.tone[row] ?? -1] ?? ""}`, this.samples.text[row] ?? ""));
      link.href = this.href(row);
      const how = this.samples.failure.words[this.samples.failure.column[row] ?? 0];
      return make("td", "num", link, ...(how ? [make("div", "mark", `failed: ${how}`)] : []));
    }
    if (column.kind === "number") return make("td", "num", value === null ? "–" : figure(column.key === "time" ? shortTime(Number(value)) : Number(Number(value).toPrecision(4))));
    const text = make("div", column.kind === "text" ? "clamp" : "", String(value));
    text.dir = "auto";
    return make("td", CLASSES[column.kind], text);
  }

  /**
   * Hand out what is shown: the samples that were found, in their order, with the columns that are there.
   * @param {"csv" | "json"} kind
   */
  save(kind) {
    const columns = this.columns.filter((each) => each.shown);
    const rows = this.found.map((row) => columns.map((each) => each.value(row)));
    const text = kind === "json"
      ? JSON.stringify(rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]?.key, value]))), null, 1)
      : [columns.map((each) => each.key), ...rows].map((row) => row.map(quote).join(",")).join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind === "json" ? "application/json" : "text/csv" }));
    link.download = `samples.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}

/**
 * Write a value for CSV. Text that a spreadsheet would take for a formula gets an apostrophe.
 * @param {string | number | null} value
 */
function quote(value) {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Give an item's picture. It leads where the name beside it leads, so neither keyboard nor screen reader needs it.
 * @param {string} to
 * @param {string} strip
 */
function thumb(to, strip) {
  const made = /** @type {HTMLAnchorElement} */ (make("a", "thumb"));
  made.href = to;
  made.tabIndex = -1;
  made.ariaHidden = "true";
  const picture = document.createElement("img");
  picture.loading = "lazy";
  picture.alt = "";
  picture.src = strip;
  made.append(picture);
  return made;
}

const came = /** @type {{cutscore?: {items?: Items, samples?: Samples}}} */ (/** @type {unknown} */ (globalThis)).cutscore;
const explorerBox = document.querySelector(".explorer");
if (explorerBox instanceof HTMLElement && came?.items && came.samples) new Explorer(explorerBox, came.items, came.samples);

// A picture is one of those in a strip from its film; the pointer leafs through them as it goes across.
document.addEventListener("pointermove", (event) => {
  const picture = event.target;
  if (!(picture instanceof HTMLImageElement) || !picture.closest(".thumb")) return;
  const across = Math.min(1, Math.max(0, event.offsetX / picture.clientWidth));
  picture.style.objectPosition = `${100 * Math.round(across * (PICTURES - 1)) / (PICTURES - 1)}% 50%`;
});
