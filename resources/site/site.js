// Search by name, and pages embedded in a frame, also from disk or from any web server. All else works without it.
"use strict";

const EMBED = new URLSearchParams(location.search).has("embed");
document.documentElement.classList.toggle("embed", EMBED);

const LETTERS = { "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij", "ŋ": "n", "ß": "ss" };

function foldText(text) {
  let plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  plain = plain.replace(/['’]/g, "");
  for (const [letter, replacement] of Object.entries(LETTERS)) plain = plain.replaceAll(letter, replacement);
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function search() {
  const form = document.querySelector(".find");
  if (!form) return;
  const words = foldText(form.querySelector("input").value).split(" ").filter(Boolean);
  let count = 0;
  for (const row of document.querySelectorAll("[data-key]")) {
    const isMatch = words.every((word) => row.dataset.key.includes(word));
    row.hidden = !isMatch;
    count += isMatch ? 1 : 0;
  }
  form.querySelector(".none").hidden = count > 0;
}

function keepEmbedding() {
  for (const link of EMBED ? document.querySelectorAll("a[href]") : []) {
    if (link.getAttribute("href").endsWith(".html")) link.search = "embed";
  }
}

function scrollToCurrentLinks() { // in rows of links that scroll sideways
  for (const link of document.querySelectorAll("[aria-current]")) {
    const list = link.closest("ul");
    if (list) list.scrollLeft = link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
  }
}

function showSearchForm() {
  const form = document.querySelector(".find");
  if (form) form.hidden = false;
}

document.addEventListener("input", (event) => { if (event.target.id === "find") search(); });
document.addEventListener("submit", (event) => {
  if (event.target.matches(".find")) { event.preventDefault(); search(); }
});
document.addEventListener("DOMContentLoaded", () => { keepEmbedding(); showSearchForm(); scrollToCurrentLinks(); });
document.addEventListener("renewed", () => { showSearchForm(); search(); scrollToCurrentLinks(); });
