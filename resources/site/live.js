// Keeps a page as it is now: the server tells when something has changed, and the page fetches itself again.
// On a projector it turns the leaves of a long list; there and in a stream nothing is cut.
"use strict";

const LEAF = 8000; // ms that a leaf is shown
const POLL = 2000; // ms between two looks where the server cannot tell
const SPREAD = 400; // ms over which all phones of a room ask again
const PATIENCE = 5000; // ms in which the server has to answer
const PAGE = 30000; // ms in which a page has to come
const SMALLEST = 0.3; // of the size of letters
const STEP = 0.04;
const SILENCE = 10000; // ms without a word, then the page may be old: the server says something every 4 seconds

const AT = document.currentScript.src; // what the server says lies beside this
const CODE = document.currentScript.dataset.code; // who has one is told more
const ASKED = CODE ? `?code=${encodeURIComponent(CODE)}` : "";

let known = null; // the version that is shown
let behind = !document.querySelector("main.enter"); // may be older than that; there each look is counted
let shown = part(document)?.innerHTML; // as it came
let polling = null;
let line = null; // to the server
let silence = null;
let asked = 0; // how often the page was fetched again
let newest = 0; // which of these fetches is shown

function makeButton(text, done) { // for the scripts of desks and of the featured table
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", done);
  return button;
}

function part(of) {
  return of.querySelector("[data-live]") || of.querySelector("main");
}

function within(ms) {
  return { cache: "no-cache", signal: AbortSignal.timeout(ms) };
}

async function renew() {
  const from = part(document);
  if (from && "kept" in from.dataset) { // an answer to what was typed stays until the next key
    behind = true;
    return;
  }
  const mine = ++asked;
  let text;
  try {
    const address = from?.dataset.live ? new URL(from.dataset.live, AT) : location.href;
    const answer = await fetch(address, within(PAGE));
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch {
    behind = true; // the next word of the server brings it
    return;
  }
  if (mine < newest) return; // it was under way for longer than one that was asked later
  newest = mine;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = part(page);
  const old = part(document);
  if (!fresh || !old || fresh.innerHTML === shown || "kept" in old.dataset) return;
  shown = fresh.innerHTML;
  document.title = page.title;
  const had = document.activeElement?.id;
  const typed = [...old.querySelectorAll("input[id]")].map((field) => [field.id, field.value, field.defaultValue]);
  old.replaceChildren(...fresh.childNodes);
  for (const [id, value, before] of typed) {
    const again = document.getElementById(id);
    if (!again || value === before) continue;
    again.value = value;
    again.closest("form").hidden = false;
  }
  if (had && document.activeElement?.id !== had) {
    const again = document.getElementById(had);
    if (again?.closest("form")) again.closest("form").hidden = false;
    again?.focus();
  }
  document.dispatchEvent(new Event("renewed"));
}

function heard(version) {
  document.querySelector("#stale").hidden = true;
  if (behind || version !== known) setTimeout(renew, Math.random() * SPREAD);
  behind = false;
  known = version;
}

async function look() {
  try {
    const answer = await fetch(new URL(`version${ASKED}`, AT), within(PATIENCE));
    if (!answer.ok) throw new Error(answer.statusText);
    heard(await answer.text());
  } catch {
    document.querySelector("#stale").hidden = false;
  }
}

function listen() {
  if (document.documentElement.classList.contains("overlay")) { // a scene has more of them than open lines
    look();
    polling = setInterval(look, POLL);
    return;
  }
  hangUp();
  const mine = line = new EventSource(new URL(`live${ASKED}`, AT));
  const wait = () => {
    clearTimeout(silence);
    silence = setTimeout(() => { document.querySelector("#stale").hidden = false; poll(); listen(); }, SILENCE);
  };
  wait();
  mine.onmessage = (event) => {
    wait();
    clearInterval(polling);
    polling = null;
    heard(event.data);
  };
  mine.onerror = () => {
    poll();
    if (mine === line && mine.readyState === EventSource.CLOSED) {
      clearTimeout(silence);
      silence = setTimeout(listen, 15000);
    }
  };
}

function poll() {
  if (polling === null) polling = setInterval(look, POLL);
}

function hangUp() { // a page that is left would keep one of the few lines of a browser
  line?.close();
  clearTimeout(silence);
}

// --- leaves of a projector

let leaf = 0;
let turning = null;

function split(rows) { // leaves of about one length; a long name takes two lines
  const heights = rows.map((row) => row.getBoundingClientRect().height);
  const room = innerHeight * 0.98 - rows[0].getBoundingClientRect().top;
  const sum = heights.reduce((one, other) => one + other);
  for (let count = Math.max(1, Math.ceil(sum / room)); ; count++) {
    const leaves = fill(rows, heights, Math.min(room, sum / count + Math.max(...heights) / 2));
    if (leaves.length <= count) return leaves;
  }
}

function fill(rows, heights, most) {
  const leaves = [];
  let used = Infinity;
  rows.forEach((row, at) => {
    used += heights[at];
    if (used > most) {
      leaves.push([]);
      used = heights[at];
    }
    leaves.at(-1).push(row);
  });
  return leaves;
}

function turn(by) {
  const rows = [...document.querySelectorAll("tbody tr")];
  if (rows.length === 0) return;
  for (const row of rows) row.hidden = false;
  const leaves = split(rows);
  leaf = (leaf + by) % leaves.length;
  for (const row of rows) row.hidden = !leaves[leaf].includes(row);
  document.querySelector("#leaf").textContent = leaves.length > 1 ? `${leaf + 1} / ${leaves.length}` : "";
  const bar = document.querySelector("#bar");
  bar.classList.remove("runs");
  void bar.offsetWidth; // lets it begin anew
  if (leaves.length > 1) bar.classList.add("runs");
}

function shrink(parts, fits) { // until everything is seen
  for (let size = 1; size > SMALLEST; size -= STEP) {
    for (const part of parts) part.style.zoom = size;
    if (fits()) return;
  }
}

function fitOverlay() {
  const root = document.documentElement;
  shrink(document.querySelectorAll("main"), () => root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight);
}

function keepWidths(table) { // the same on each leaf
  const heads = [...table.querySelectorAll("thead th")];
  const widths = heads.map((head) => `${100 * head.offsetWidth / table.offsetWidth}%`);
  heads.forEach((head, at) => { head.style.width = widths[at]; });
  table.style.tableLayout = "fixed";
}

function show() {
  const tables = [...document.querySelectorAll("table")];
  for (const row of document.querySelectorAll("tbody tr")) row.hidden = false;
  for (const one of document.querySelectorAll("table, thead th")) one.removeAttribute("style");
  shrink(tables, () => tables.every((one) => one.getBoundingClientRect().right <= innerWidth));
  tables.forEach(keepWidths);
  clearInterval(turning);
  turn(0);
  turning = setInterval(() => turn(1), LEAF);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); }); // out of a pocket
addEventListener("online", look);
addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
document.addEventListener("DOMContentLoaded", () => {
  listen();
  if (document.documentElement.classList.contains("screen")) {
    show();
    addEventListener("resize", show);
    document.addEventListener("renewed", show);
  }
  if (document.documentElement.matches(".overlay:not(.ticker)")) {
    fitOverlay();
    addEventListener("resize", fitOverlay);
    document.addEventListener("renewed", fitOverlay);
  }
});
