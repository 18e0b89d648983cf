// @ts-check
"use strict";

/*
 * Every place in time on an item's page is a plain link to the clip at that second (media fragment), which works
 * without this file. With it, the link moves the player on the page instead, and a page opened at a finding
 * (…/item.html#r2-f1) stands paused at the second which that finding speaks of.
 */

/**
 * Wait until a player knows its length, or has failed to.
 * @param {HTMLMediaElement} player
 * @returns {Promise<void>}
 */
function known(player) {
  if (player.readyState >= HTMLMediaElement.HAVE_METADATA || player.error) return Promise.resolve();
  return new Promise((resolve) => {
    player.addEventListener("loadedmetadata", () => resolve(), { once: true });
    player.addEventListener("error", () => resolve(), { once: true });
    if (player.networkState === HTMLMediaElement.NETWORK_EMPTY) player.load();
  });
}

/**
 * Say whether the player can go to a second.
 * @param {HTMLMediaElement} player
 * @param {number} at Seconds.
 * @returns {boolean}
 */
function reaches(player, at) {
  const ranges = player.seekable;
  const end = ranges.length ? ranges.end(ranges.length - 1) : 0;
  return end >= Math.min(at, player.duration);
}

/**
 * Load the whole clip: some web servers (`python -m http.server`) cannot send a part of a file, and then a
 * browser cannot seek in it.
 * @param {HTMLMediaElement} player
 * @returns {Promise<void>}
 */
async function loadWhole(player) {
  const reply = await fetch(player.currentSrc);
  if (!reply.ok) return;
  player.src = URL.createObjectURL(await reply.blob());
  await known(player);
}

/**
 * Show a second of a clip, paused.
 * @param {HTMLMediaElement} player
 * @param {number} at Seconds.
 * @returns {Promise<boolean>} Whether the player is there.
 */
async function show(player, at) {
  player.pause();
  await known(player);
  if (player.error) return false;
  if (!reaches(player, at)) await loadWhole(player);
  player.currentTime = at;
  return Math.abs(player.currentTime - at) < 0.5;
}

/**
 * Films that stand side by side are moved together (see review.js).
 * @typedef {{show(player: HTMLMediaElement, at: number): Promise<boolean>}} Steered
 * @type {WeakMap<Element, Steered>}
 */
const steered = new WeakMap();

/**
 * @param {HTMLMediaElement} player
 * @returns {Steered | undefined}
 */
function reviewOf(player) {
  const section = player.closest(".review");
  return section ? steered.get(section) : undefined;
}

/**
 * Follow a link to a second. The clip then sticks to the top of the screen while one reads on (see `.clip.now`).
 * @param {HTMLAnchorElement} link
 * @returns {Promise<void>}
 */
async function follow(link) {
  const player = document.getElementById(link.dataset.player ?? "");
  if (!(player instanceof HTMLMediaElement)) return;
  for (const other of document.querySelectorAll(".now")) other.classList.remove("now");
  link.classList.add("now");
  player.closest(".clip, .review")?.classList.add("now");
  const at = Number(link.dataset.start);
  const there = await (reviewOf(player)?.show(player, at) ?? show(player, at));
  player.scrollIntoView({ block: "nearest", inline: "nearest" });
  link.closest("li, p")?.scrollIntoView({ block: "nearest" });
  const status = document.querySelector(".live");
  const name = player.getAttribute("aria-label") ?? "clip";
  if (status) status.textContent = `${name}: ${there ? `now at ${link.textContent}` : "cannot be played here"}`;
}

/**
 * Follow the first such link inside the element that the address names.
 * @returns {void}
 */
function openAddressed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  target?.scrollIntoView();
  // A finding that is the same in another scoring mode stands in the line of the first.
  const link = (target?.closest("li") ?? target)?.querySelector(":scope > a[data-player], :scope > div a[data-player]");
  if (link instanceof HTMLAnchorElement) void follow(link);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[data-player]") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const place = link.closest("[id]:not(main)");
  history.replaceState(null, "", `#${place ? place.id : ""}`);
  void follow(link);
});

window.addEventListener("hashchange", openAddressed);
// After all scripts, so that films which stand side by side know of each other.
document.addEventListener("DOMContentLoaded", openAddressed);

/**
 * Sort a table by one of its columns: numbers from the highest, words from A; once more turns it round. What is
 * missing stays below.
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement} head
 */
function sortTable(table, head) {
  const place = head.cellIndex;
  const body = table.tBodies[0];
  if (!body) return;
  const lines = [...body.rows].map((row) => ({ row, said: row.cells[place]?.dataset.sort ?? "" }));
  const numeric = lines.every(({ said }) => !Number.isNaN(Number(said)));
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : numeric;
  lines.sort((one, other) => {
    if (!one.said || !other.said) return Number(!one.said) - Number(!other.said);
    const way = numeric ? Number(one.said) - Number(other.said) : one.said.localeCompare(other.said, "en", { numeric: true });
    return down ? -way : way;
  });
  body.append(...lines.map(({ row }) => row));
  for (const each of table.tHead?.rows[0]?.cells ?? []) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}

for (const button of document.querySelectorAll("table.sortable .sort")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = button.closest("table");
    if (head && table) sortTable(table, head);
  });
}

// A menu closes when one goes elsewhere, and on Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.removeAttribute("open");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  }
});
