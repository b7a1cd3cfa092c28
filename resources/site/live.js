// Keeps a page as it is now: the server tells when something has changed, and the page fetches itself again.
// On a projector it turns the leaves of a long list.
"use strict";

const LEAF = 8000; // ms that a leaf is shown
const POLL = 2000; // ms between two looks where the server cannot tell
const SPREAD = 400; // ms over which all phones of a room ask again

const AT = document.currentScript.src; // what the server says lies beside this

let known = null; // the version that is shown
let shown = null; // what was fetched last
let polling = null;

function part(of) {
  return of.querySelector("[data-live]") || of.querySelector("main");
}

async function renew() {
  let text;
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) return;
    text = await answer.text();
  } catch {
    return;
  }
  if (text === shown) return;
  shown = text;
  const fresh = part(new DOMParser().parseFromString(text, "text/html"));
  const old = part(document);
  if (!fresh || !old) return;
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
  if (known !== null && version !== known) setTimeout(renew, Math.random() * SPREAD);
  known = version;
}

async function look() {
  try {
    const answer = await fetch(new URL("version", AT), { cache: "no-store" });
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
  const source = new EventSource(new URL("live", AT));
  source.onmessage = (event) => {
    clearInterval(polling);
    polling = null;
    heard(event.data);
  };
  source.onerror = () => {
    if (polling === null) polling = setInterval(look, POLL);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 15000);
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

document.addEventListener("DOMContentLoaded", () => {
  listen();
  if (document.documentElement.classList.contains("screen")) {
    show();
    addEventListener("resize", show);
    document.addEventListener("renewed", show);
  }
});
