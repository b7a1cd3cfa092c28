// Keeps a page as it is now: the server tells when something has changed, and the page fetches itself again.
// On a projector it turns the leaves of a long list.
"use strict";

const LEAF = 8000; // ms that a leaf is shown
const POLL = 2000; // ms between two looks where the server cannot tell
const SPREAD = 400; // ms over which all phones of a room ask again
const PATIENCE = 5000; // ms in which the server has to answer
const PAGE = 30000; // ms in which a page has to come
const SILENCE = 35000; // ms without a word on a line: the server says something every 15 seconds

const AT = document.currentScript.src; // what the server says lies beside this
const CODE = document.currentScript.dataset.code; // who has one is told more
const ASKED = CODE ? `?code=${encodeURIComponent(CODE)}` : "";

let known = null; // the version that is shown
let behind = !document.querySelector("main.enter"); // may be older than that; there each look is counted
let shown = part(document)?.innerHTML; // as it came
let polling = null;
let asked = 0; // how often the page was fetched again
let newest = 0; // which of these fetches is shown

function part(of) {
  return of.querySelector("[data-live]") || of.querySelector("main");
}

function within(ms) {
  return { cache: "no-cache", signal: AbortSignal.timeout(ms) };
}

async function renew() {
  const mine = ++asked;
  let text;
  try {
    const answer = await fetch(location.href, within(PAGE));
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
  if (!fresh || !old || fresh.innerHTML === shown) return;
  shown = fresh.innerHTML;
  document.title = page.title;
  const field = document.querySelector("#find");
  const typed = field ? field.value : "";
  const had = field !== null && document.activeElement === field;
  old.replaceChildren(...fresh.childNodes);
  const again = document.querySelector("#find");
  if (again) {
    again.value = typed;
    if (had) { again.closest("form").hidden = false; again.focus(); }
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
  const source = new EventSource(new URL(`live${ASKED}`, AT));
  const poll = () => { if (polling === null) polling = setInterval(look, POLL); };
  const stalled = () => { source.close(); poll(); listen(); };
  let silence = setTimeout(stalled, SILENCE);
  source.onmessage = (event) => {
    clearTimeout(silence);
    silence = setTimeout(stalled, SILENCE);
    clearInterval(polling);
    polling = null;
    heard(event.data);
  };
  source.onerror = () => {
    poll();
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(silence);
    setTimeout(listen, 15000);
  };
}

// --- leaves of a projector

let leaf = 0;
let turning = null;

function turn(by) {
  const rows = [...document.querySelectorAll("tbody tr")];
  if (rows.length === 0) return;
  for (const row of rows) row.hidden = false;
  const room = innerHeight - rows[0].getBoundingClientRect().top - innerHeight * 0.02;
  const fitting = Math.max(1, Math.floor(room / Math.max(...rows.map((row) => row.offsetHeight))));
  const leaves = Math.ceil(rows.length / fitting);
  const most = Math.ceil(rows.length / leaves); // leaves of one length
  leaf = (leaf + by) % leaves;
  rows.forEach((row, at) => { row.hidden = Math.floor(at / most) !== leaf; });
  document.querySelector("#leaf").textContent = leaves > 1 ? `${leaf + 1} / ${leaves}` : "";
  const bar = document.querySelector("#bar");
  bar.classList.remove("runs");
  void bar.offsetWidth; // lets it begin anew
  if (leaves > 1) bar.classList.add("runs");
}

function show() {
  clearInterval(turning);
  turn(0);
  turning = setInterval(() => turn(1), LEAF);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); }); // out of a pocket
addEventListener("online", look);
document.addEventListener("DOMContentLoaded", () => {
  listen();
  if (document.documentElement.classList.contains("screen")) {
    show();
    addEventListener("resize", show);
    document.addEventListener("renewed", show);
  }
});
