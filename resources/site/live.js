// Keeps a page up to date: the server notifies it of changes, and the page loads its content again.
// On a projector it shows a long list page by page. There and in a stream it shrinks the content until it fits.
"use strict";

const PAGE_DURATION = 8000; // ms that a page of the projector is shown
const POLL_INTERVAL = 2000; // ms between two requests if the server cannot notify
const MAX_DELAY = 400; // ms over which the phones of a venue spread their requests
const TIMEOUT = 5000; // ms in which the server must answer
const CONTENT_TIMEOUT = 30000; // ms in which a page must arrive
const MIN_ZOOM = 0.3;
const ZOOM_STEP = 0.04;
const SILENCE_LIMIT = 10000; // ms without a message; the server sends one every 4 seconds
const RECONNECT_DELAY = 15000; // ms until a refused connection is tried again

const SCRIPT_URL = document.currentScript.src; // the other URLs are relative to it
const CODE = document.currentScript.dataset.code; // with a code the server notifies of more changes
const QUERY = CODE ? `?code=${encodeURIComponent(CODE)}` : "";

let shownVersion = null;
// whether the content may be older than that version; not on an entry form, whose loads the server counts
let isOutdated = !document.querySelector("main.enter");
let shownContent = findRegion(document)?.innerHTML; // as the server sent it
let pollTimer = null;
let eventSource = null;
let silenceTimer = null;
let loadCount = 0;
let newestLoad = 0; // number of the load whose content is shown

function makeButton(text, onClick) { // for the scripts of desks and of the featured table
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", onClick);
  return button;
}

function findRegion(page) {
  return page.querySelector("[data-live]") || page.querySelector("main");
}

function makeFetchOptions(timeout) {
  return { cache: "no-cache", signal: AbortSignal.timeout(timeout) };
}

async function reloadContent() {
  const region = findRegion(document);
  if (region && "kept" in region.dataset) { // a notice stays until the next key
    isOutdated = true;
    return;
  }
  const load = ++loadCount;
  let text;
  try {
    const address = region?.dataset.live ? new URL(region.dataset.live, SCRIPT_URL) : location.href;
    const answer = await fetch(address, makeFetchOptions(CONTENT_TIMEOUT));
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch {
    isOutdated = true; // loaded at the next message of the server
    return;
  }
  if (load < newestLoad) return; // a later load was faster
  newestLoad = load;
  const page = new DOMParser().parseFromString(text, "text/html");
  const newRegion = findRegion(page);
  const oldRegion = findRegion(document);
  if (!newRegion || !oldRegion || newRegion.innerHTML === shownContent || "kept" in oldRegion.dataset) return;
  shownContent = newRegion.innerHTML;
  document.title = page.title;
  const focusedId = document.activeElement?.id;
  const typedValues = [...oldRegion.querySelectorAll("input[id]")].map((field) => [field.id, field.value, field.defaultValue]);
  oldRegion.replaceChildren(...newRegion.childNodes);
  for (const [id, value, defaultValue] of typedValues) {
    const field = document.getElementById(id);
    if (!field || value === defaultValue) continue;
    field.value = value;
    field.closest("form").hidden = false;
  }
  if (focusedId && document.activeElement?.id !== focusedId) {
    const element = document.getElementById(focusedId);
    if (element?.closest("form")) element.closest("form").hidden = false;
    element?.focus();
  }
  document.dispatchEvent(new Event("renewed"));
}

function handleVersion(version) {
  document.querySelector("#stale").hidden = true;
  if (isOutdated || version !== shownVersion) setTimeout(reloadContent, Math.random() * MAX_DELAY);
  isOutdated = false;
  shownVersion = version;
}

async function loadVersion() {
  try {
    const answer = await fetch(new URL(`version${QUERY}`, SCRIPT_URL), makeFetchOptions(TIMEOUT));
    if (!answer.ok) throw new Error(answer.statusText);
    handleVersion(await answer.text());
  } catch {
    document.querySelector("#stale").hidden = false;
  }
}

function listen() {
  if (document.documentElement.classList.contains("overlay")) { // a stream has more overlays than a browser connections
    loadVersion();
    pollTimer = setInterval(loadVersion, POLL_INTERVAL);
    return;
  }
  closeConnection();
  const source = eventSource = new EventSource(new URL(`live${QUERY}`, SCRIPT_URL));
  const restartSilenceTimer = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => { document.querySelector("#stale").hidden = false; poll(); listen(); }, SILENCE_LIMIT);
  };
  restartSilenceTimer();
  source.onmessage = (event) => {
    restartSilenceTimer();
    clearInterval(pollTimer);
    pollTimer = null;
    handleVersion(event.data);
  };
  source.onerror = () => {
    poll();
    if (source === eventSource && source.readyState === EventSource.CLOSED) {
      clearTimeout(silenceTimer);
      silenceTimer = setTimeout(listen, RECONNECT_DELAY);
    }
  };
}

function poll() {
  if (pollTimer === null) pollTimer = setInterval(loadVersion, POLL_INTERVAL);
}

function closeConnection() { // a browser has only a few for all its pages
  eventSource?.close();
  clearTimeout(silenceTimer);
}

// --- pages of a projector

let pageIndex = 0;
let pageTimer = null;

function splitRows(rows) { // into pages of similar height; a long name takes two lines
  const heights = rows.map((row) => row.getBoundingClientRect().height);
  const space = innerHeight * 0.98 - rows[0].getBoundingClientRect().top;
  const total = heights.reduce((sum, height) => sum + height);
  for (let count = Math.max(1, Math.ceil(total / space)); ; count++) {
    const pages = fillPages(rows, heights, Math.min(space, total / count + Math.max(...heights) / 2));
    if (pages.length <= count) return pages;
  }
}

function fillPages(rows, heights, maxHeight) {
  const pages = [];
  let usedHeight = Infinity;
  rows.forEach((row, index) => {
    usedHeight += heights[index];
    if (usedHeight > maxHeight) {
      pages.push([]);
      usedHeight = heights[index];
    }
    pages.at(-1).push(row);
  });
  return pages;
}

function turnPage(step) {
  const rows = [...document.querySelectorAll("tbody tr")];
  if (rows.length === 0) return;
  for (const row of rows) row.hidden = false;
  const pages = splitRows(rows);
  pageIndex = (pageIndex + step) % pages.length;
  for (const row of rows) row.hidden = !pages[pageIndex].includes(row);
  document.querySelector("#page-number").textContent = pages.length > 1 ? `${pageIndex + 1} / ${pages.length}` : "";
  const bar = document.querySelector("#bar");
  bar.classList.remove("runs");
  void bar.offsetWidth; // restarts the animation
  if (pages.length > 1) bar.classList.add("runs");
}

function shrinkUntilFits(elements, fits) {
  for (let zoom = 1; zoom > MIN_ZOOM; zoom -= ZOOM_STEP) {
    for (const element of elements) element.style.zoom = zoom;
    if (fits()) return;
  }
}

function fitOverlay() {
  const root = document.documentElement;
  shrinkUntilFits(
    document.querySelectorAll("main"), () => root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight,
  );
}

function fixColumnWidths(table) { // equal on all pages
  const headings = [...table.querySelectorAll("thead th")];
  const widths = headings.map((heading) => `${100 * heading.offsetWidth / table.offsetWidth}%`);
  headings.forEach((heading, index) => { heading.style.width = widths[index]; });
  table.style.tableLayout = "fixed";
}

function showScreen() {
  const tables = [...document.querySelectorAll("table")];
  for (const row of document.querySelectorAll("tbody tr")) row.hidden = false;
  for (const element of document.querySelectorAll("table, thead th")) element.removeAttribute("style");
  shrinkUntilFits(tables, () => tables.every((table) => table.getBoundingClientRect().right <= innerWidth));
  tables.forEach(fixColumnWidths);
  clearInterval(pageTimer);
  turnPage(0);
  pageTimer = setInterval(() => turnPage(1), PAGE_DURATION);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) loadVersion(); }); // a phone woke up
addEventListener("online", loadVersion);
addEventListener("pagehide", closeConnection);
addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
document.addEventListener("DOMContentLoaded", () => {
  listen();
  if (document.documentElement.classList.contains("screen")) {
    showScreen();
    addEventListener("resize", showScreen);
    document.addEventListener("renewed", showScreen);
  }
  if (document.documentElement.matches(".overlay:not(.ticker)")) {
    fitOverlay();
    addEventListener("resize", fitOverlay);
    document.addEventListener("renewed", fitOverlay);
  }
});
