// @ts-check
"use strict";

/* Light, dark, or what the system says. Loaded before the page is drawn, so that nothing flashes. */

const THEME = "cutscore-theme";

/**
 * Read what was chosen; nothing where a browser keeps nothing for pages like this.
 * @returns {string}
 */
function chosenTheme() {
  try {
    return localStorage.getItem(THEME) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} theme */
function useTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

useTheme(chosenTheme());

document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("theme");
  const field = box?.querySelector("select");
  if (!box || !field) return;
  box.hidden = false;
  field.value = chosenTheme();
  field.addEventListener("change", () => {
    useTheme(field.value);
    try {
      localStorage.setItem(THEME, field.value);
    } catch {
      // The choice holds for this page alone.
    }
  });
});
