// Search by name, and from disk or any web server the view for a frame. Everything else works without it.
"use strict";

const EMBED = new URLSearchParams(location.search).has("embed");
document.documentElement.classList.toggle("embed", EMBED);

const LETTERS = { "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij", "ŋ": "n", "ß": "ss" };

function folded(text) {
  let plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  plain = plain.replace(/['’]/g, "");
  for (const [letter, instead] of Object.entries(LETTERS)) plain = plain.replaceAll(letter, instead);
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function search() {
  const form = document.querySelector(".find");
  if (!form) return;
  const wanted = folded(form.querySelector("input").value).split(" ").filter(Boolean);
  let found = 0;
  for (const row of document.querySelectorAll("[data-key]")) {
    const fits = wanted.every((part) => row.dataset.key.includes(part));
    row.hidden = !fits;
    found += fits ? 1 : 0;
  }
  form.querySelector(".none").hidden = found > 0;
}

function stayInFrame() {
  for (const link of EMBED ? document.querySelectorAll("a[href]") : []) {
    if (link.getAttribute("href").endsWith(".html")) link.search = "embed";
  }
}

function showCurrent() { // in a line of links that scrolls sideways
  for (const link of document.querySelectorAll("[aria-current]")) {
    const line = link.closest("ul");
    if (line) line.scrollLeft = link.offsetLeft - line.offsetLeft - (line.clientWidth - link.offsetWidth) / 2;
  }
}

function offerSearch() {
  const form = document.querySelector(".find");
  if (form) form.hidden = false;
}

document.addEventListener("input", (event) => { if (event.target.id === "find") search(); });
document.addEventListener("submit", (event) => {
  if (event.target.matches(".find")) { event.preventDefault(); search(); }
});
document.addEventListener("DOMContentLoaded", () => { stayInFrame(); offerSearch(); showCurrent(); });
document.addEventListener("renewed", () => { offerSearch(); search(); showCurrent(); });
