// Where players check in: nothing is sent into a line that is cut, and a tablet goes back to the empty field.
"use strict";

const ALIVE = new URL("version", document.currentScript.src);
const PATIENCE = 4000; // ms in which the server has to answer
const AGAIN = 3000; // ms between two tries

async function alive() {
  try {
    const answer = await fetch(ALIVE, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    document.querySelector("#stale").hidden = answer.ok;
    return answer.ok;
  } catch {
    document.querySelector("#stale").hidden = false;
    return false;
  }
}

let sending = false;

async function send(event) {
  event.preventDefault();
  if (sending) return; // a second tap
  sending = true;
  if (await alive()) event.target.submit();
  else sending = false;
}

// --- a tablet

let waiting = null;

async function goBack() {
  if (await alive()) location.replace(document.body.dataset.home);
  else waiting = setTimeout(goBack, AGAIN);
}

function wait() {
  clearTimeout(waiting);
  waiting = setTimeout(goBack, Number(document.body.dataset.back) * 1000);
}

document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", send);
  if (!document.body.dataset.back) return;
  wait();
  for (const sign of ["input", "keydown", "pointerdown"]) document.addEventListener(sign, wait);
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }); // nobody's page comes back
