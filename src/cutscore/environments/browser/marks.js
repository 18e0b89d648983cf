// Collects what can be clicked and what can be read on a page, in document order. Runs in an isolated world.
// Returns {items: [[kind, tag, text, left, top, right, bottom, state]], left_out, width, height}; kind is 1 for what
// can be clicked. `full` adds what is hidden from the plain rules and takes away what nobody could see.
(full, maxItems, maxChars) => {
  const CLICKABLE = [
    "a[href]:not(:has(img))", "a[href] img", "button", 'input:not([type="hidden"])', "textarea", "select",
    '[tabindex]:not([tabindex="-1"])', '[contenteditable="true"]', '[draggable="true"]', ".btn",
    ...["button", "link", "checkbox", "menuitem", "tab"].map(role => `[role="${role}"]`),
    'a[href="/notifications"]', 'a[href="/submit"]', ".fa.fa-star.is-rating-item",
  ].join(",");
  const TEXT = ["p", "span", "div:not(:has(*))", "h1", "h2", "h3", "h4", "h5", "h6", "li", "article"];
  const READABLE = TEXT.map(tag => `:not(${CLICKABLE}):not(style) > ${tag}`).join(",");
  const BOTH = `${CLICKABLE},${READABLE}`;
  const SHARE = 0.8;  // of the viewport; larger boxes hold others
  const width = innerWidth, height = innerHeight, items = [];
  let leftOut = 0;

  const words = text => text.slice(0, 20 * maxChars).replace(/"/g, "").trim().replace(/[\n\t]/g, "").slice(0, maxChars);

  const describe = element => {
    const said = [];
    if (element.matches("input,textarea")) {
      const secret = element.type === "password";
      if (["checkbox", "radio"].includes(element.type)) said.push(element.checked ? "checked" : "not checked");
      else if (element.value) said.push(`value: ${secret ? "•".repeat(element.value.length) : words(element.value)}`);
      if (element.placeholder) said.push(`placeholder: ${words(element.placeholder)}`);
    }
    if (element.matches("select")) {
      const options = [...element.options].slice(0, 50).map(option => words(option.text));
      said.push(`options: ${options.join(" | ")}`, `value: ${words(element.selectedOptions[0]?.text || "")}`);
    }
    if (element.disabled) said.push("disabled");
    return said.join("; ");
  };

  const covered = (element, box, root) => {
    const x = (Math.max(0, box.left) + Math.min(width, box.right)) / 2;
    const y = (Math.max(0, box.top) + Math.min(height, box.bottom)) / 2;
    const top = root.elementFromPoint(x, y);
    if (!top || top === element) return false;
    return !(element.contains(top) || top.contains(element) || top.shadowRoot || element.getRootNode() !== top.getRootNode());
  };

  const add = (element, dx, dy, root) => {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const [left, top, right, bottom] = [box.left + dx, box.top + dy, box.right + dx, box.bottom + dy];
    if (bottom < 0 || top > height || right < 0 || left > width) return;
    if (box.width * box.height > SHARE * width * height) return;
    const clickable = element.matches(CLICKABLE);
    if (full && !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) return;
    if (full && clickable && !dx && !dy && covered(element, box, root)) return;
    if (items.length >= maxItems) { leftOut += 1; return; }
    const alt = element.tagName === "IMG" ? (element.getAttribute("alt") || "").replace(/"/g, "") : "";
    const own = full && element.matches("select,textarea") ? "" : words(element.textContent || "");
    const text = alt.slice(0, maxChars) + own || (full && element.getAttribute("aria-label")) || "";
    items.push([clickable ? 1 : 0, element.tagName, text, left, top, right, bottom, full ? describe(element) : ""]);
  };

  const walk = (root, dx, dy, depth) => {
    if (!full) {
      for (const element of root.querySelectorAll(BOTH)) add(element, dx, dy, root);
      return;
    }
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(BOTH)) add(element, dx, dy, root);
      if (element.shadowRoot && depth < 8) walk(element.shadowRoot, dx, dy, depth + 1);
      if (element.tagName === "IFRAME" && depth < 8) {
        let inner = null;
        try { inner = element.contentDocument; } catch { inner = null; }
        if (!inner) continue;
        const box = element.getBoundingClientRect();
        walk(inner, dx + box.left + element.clientLeft, dy + box.top + element.clientTop, depth + 1);
      }
    }
  };

  walk(document, 0, 0, 0);
  return {items, left_out: leftOut, width, height};
}
