// Check-in page. A form is sent only while the server answers. A tablet returns to the empty form by itself.
"use strict";

const VERSION_URL = new URL("version", document.currentScript.src);
const TIMEOUT = 4000; // ms in which the server must answer
const RETRY_DELAY = 3000; // ms between two tries

async function isServerReachable() {
  try {
    const answer = await fetch(VERSION_URL, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) });
    document.querySelector("#stale").hidden = answer.ok;
    return answer.ok;
  } catch {
    document.querySelector("#stale").hidden = false;
    return false;
  }
}

let isSending = false;

async function sendForm(event) {
  event.preventDefault();
  if (isSending) return; // a second tap
  isSending = true;
  if (await isServerReachable()) event.target.submit();
  else isSending = false;
}

// --- tablet

let timer = null;

async function returnToForm() {
  if (await isServerReachable()) location.replace(document.body.dataset.home);
  else timer = setTimeout(returnToForm, RETRY_DELAY);
}

function restartTimer() {
  clearTimeout(timer);
  timer = setTimeout(returnToForm, Number(document.body.dataset.back) * 1000);
}

document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", sendForm);
  if (!document.body.dataset.back) return;
  restartTimer();
  for (const type of ["input", "keydown", "pointerdown"]) document.addEventListener(type, restartTimer);
});
// the back button must not show the page of an earlier player
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
