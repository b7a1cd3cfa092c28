// Overlays of a stream: style values from the URL, and news shown for a time. Also the list of overlays, where a
// button copies a URL.
"use strict";

const STYLE_NAMES = ["color", "ground", "accent", "font", "size"];

function applyStyle() {
  const parameters = new URLSearchParams(location.search);
  for (const name of STYLE_NAMES) {
    let value = parameters.get(name);
    if (!value) continue;
    if (name === "size" && /^\d+$/.test(value)) value += "px";
    if (/^[0-9a-f]{3,8}$/i.test(value) && name !== "size" && name !== "font") value = `#${value}`;
    document.documentElement.style.setProperty(`--${name}`, value);
  }
}

const NEWS_DURATION = 12000; // ms, as long as the animation of overlay.css

let shownAt = null; // time at which each news item appeared; -Infinity for news older than the page

function showNews() {
  const main = document.querySelector(".news main");
  if (!main) return;
  const isFirstCall = shownAt === null;
  shownAt ??= new Map();
  const time = Date.now();
  let hasNews = false;
  for (const row of main.querySelectorAll("tbody tr")) {
    const text = row.textContent;
    if (!shownAt.has(text)) {
      shownAt.set(text, isFirstCall ? -Infinity : time);
      hasNews = hasNews || !isFirstCall;
    }
    row.hidden = time - shownAt.get(text) >= NEWS_DURATION;
  }
  if (!hasNews) return;
  main.classList.remove("visible");
  void main.offsetWidth; // restarts the animation
  main.classList.add("visible");
}

function copyUrl(event) {
  const field = event.target.closest(".copied button")?.previousElementSibling;
  if (!field) return;
  field.select();
  document.execCommand("copy"); // the newer API needs https
}

applyStyle();
showNews();
document.addEventListener("renewed", showNews);
document.addEventListener("click", copyUrl);
