// Overlays of a stream: their looks from the words of the address, the news that come and go; and the page that
// lists them, with a button that copies an address.
"use strict";

const LOOKS = ["color", "ground", "accent", "font", "size"];

function dress() {
  const asked = new URLSearchParams(location.search);
  for (const name of LOOKS) {
    let value = asked.get(name);
    if (!value) continue;
    if (name === "size" && /^\d+$/.test(value)) value += "px";
    if (/^[0-9a-f]{3,8}$/i.test(value) && name !== "size" && name !== "font") value = `#${value}`;
    document.documentElement.style.setProperty(`--${name}`, value);
  }
}

const TOLD = 12000; // ms that news are shown, as long as the animation of overlay.css

let told = null; // when each piece of news was told, long ago for what was there when the page was opened

function tell() {
  const main = document.querySelector(".news main");
  if (!main) return;
  const opened = told === null;
  told ??= new Map();
  const now = Date.now();
  let fresh = false;
  for (const row of main.querySelectorAll("tbody tr")) {
    const text = row.textContent;
    if (!told.has(text)) {
      told.set(text, opened ? -Infinity : now);
      fresh = fresh || !opened;
    }
    row.hidden = now - told.get(text) >= TOLD;
  }
  if (!fresh) return;
  main.classList.remove("told");
  void main.offsetWidth; // lets it begin anew
  main.classList.add("told");
}

function copy(event) {
  const field = event.target.closest(".copied button")?.previousElementSibling;
  if (!field) return;
  field.select();
  document.execCommand("copy"); // the newer way needs https
}

dress();
tell();
document.addEventListener("renewed", tell);
document.addEventListener("click", copy);
