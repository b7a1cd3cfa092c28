// Types the featured table: what is typed is kept on this phone until the server has it, and sent again as often as
// it takes. The server takes each line once, by its number. Without this script the forms are sent as they are.
"use strict";

const AGAIN = 3000; // ms between two tries
const form = document.querySelector("#type");
const field = form.elements.line;
const over = document.querySelector("#over");
const KEPT = `featured-${form.elements.code.value}`;
const BEGUN = `${KEPT}-begun`; // what is typed and not entered yet

let queue = JSON.parse(localStorage.getItem(KEPT) || "[]"); // what is not sent yet, oldest first
let sending = false;
let refused = false; // the oldest one waits to be mended
let mending = null; // which one is being mended: nothing is sent meanwhile
let renewals = 0; // how often the page was fetched again

function keep() {
  localStorage.setItem(KEPT, JSON.stringify(queue));
  const list = document.querySelector("#waiting");
  list.replaceChildren(...queue.map((one, at) => {
    const item = document.createElement("li");
    const text = document.createElement("span");
    text.textContent = one.ended === undefined ? `${one.number}. ${one.line} ${one.rack ? `@${one.rack}` : ""}` : "■";
    item.append(text);
    const last = at === queue.length - 1;
    if (one.ended === undefined && ((refused && at === 0) || last)) item.append(makeButton(list.dataset.mend, () => mend(at)));
    if ((refused && at === 0) || last) item.append(makeButton(list.dataset.discard, () => discard(at)));
    if (refused && at === 0) item.className = "refused";
    return item;
  }));
  document.querySelector("#kept").hidden = queue.length === 0 || refused;
}

// what is in the fields stays there when the page is loaded again
function note() {
  const typed = form.elements.old.value === "" && mending === null;
  const begun = { game: form.elements.game.value, line: field.value, rack: form.elements.rack.value };
  if (typed) localStorage.setItem(BEGUN, JSON.stringify(begun));
}

function recall() {
  const begun = JSON.parse(localStorage.getItem(BEGUN) || "{}");
  if (begun.game !== form.elements.game.value || form.elements.old.value !== "") return;
  field.value = begun.line;
  form.elements.rack.value = begun.rack;
}

function discard(at) {
  queue.splice(at, 1);
  mending = null;
  if (at === 0) refused = false;
  tell(null);
  keep();
  propose();
  send();
}

function mend(at) {
  const one = queue[at];
  mending = at;
  write(one.number, one.player, one.line, one.old);
  form.elements.rack.value = one.rack;
  field.focus();
}

function write(number, player, line, old) {
  form.elements.number.value = number;
  form.elements.old.value = old;
  document.querySelector("#number").textContent = number;
  for (const one of form.elements.player) one.checked = one.value === player;
  field.value = line;
  document.querySelector("#mending").hidden = old === "";
}

// the next turn: behind those that the server has, and those that wait
function propose() {
  const next = document.querySelector("#next").dataset;
  if (next.game !== form.elements.game.value) { // another round: what was typed for the last one goes first
    if (queue.length === 0) location.reload();
    return;
  }
  let number = Number(next.number);
  let player = next.player;
  for (const one of queue) {
    if (one.ended !== undefined || one.old !== "" || one.line === "" || Number(one.number) < number) continue;
    number = Number(one.number) + 1;
    player = one.line.trim().startsWith("/") ? one.player : other(one.player);
  }
  if (form.elements.old.value !== "" || mending !== null || field.value !== "") return; // something is typed
  write(number, player, "", "");
}

function other(player) {
  return [...form.elements.player].find((one) => one.value !== player).value;
}

function tell(node) {
  document.querySelector("#told").replaceChildren(...(node ? [node] : []));
}

async function send() {
  if (sending || refused || mending !== null || queue.length === 0) return;
  sending = true;
  const one = queue[0];
  const before = renewals;
  let taken = false;
  try {
    const answer = await fetch("featured", { method: "POST", body: new URLSearchParams(one), signal: AbortSignal.timeout(15000) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) {
      queue = queue.filter((other) => other !== one);
      taken = true;
      tell(null);
      const [shown, answered] = [document, page].map((one) => one.querySelector("#next").dataset);
      const ahead = answered.game === shown.game && Number(answered.number) > Number(shown.number);
      if (renewals === before || ahead) { // else the shown page is newer than the answer
        document.querySelector("[data-live]").replaceChildren(...page.querySelector("[data-live]").childNodes);
      }
    } else if (answer.status === 422 || answer.status === 403) {
      refused = true;
      tell(page.querySelector("#told > *, .told"));
    }
  } catch { /* it stays, and is sent again */ }
  sending = false;
  keep();
  propose();
  if (!refused && queue.length > 0) setTimeout(send, taken ? 0 : AGAIN);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const one = Object.fromEntries(new FormData(form));
  if (one.line.trim() === "?") {
    document.querySelector("#help").open = true;
    field.value = "";
    return;
  }
  if (one.line.trim() === "" && one.rack.trim() === "" && one.old === "") return;
  queue.splice(mending ?? queue.length, mending === null ? 0 : 1, one);
  if (mending === 0) refused = false;
  if (mending !== null) tell(null);
  mending = null;
  form.elements.old.value = field.value = form.elements.rack.value = "";
  note();
  document.querySelector("#mending").hidden = true;
  keep();
  propose();
  field.focus();
  send();
});

over.addEventListener("submit", (event) => {
  event.preventDefault();
  queue.push(Object.fromEntries(new FormData(event.target)));
  keep();
  send();
});

document.addEventListener("click", (event) => {
  const line = event.target.closest(".lines a");
  if (line) {
    event.preventDefault();
    write(line.dataset.number, line.dataset.player, line.dataset.line, line.dataset.line);
    field.focus();
  } else if (event.target.closest("#mending a")) {
    event.preventDefault();
    field.value = form.elements.old.value = "";
    document.querySelector("#mending").hidden = true;
    propose();
  }
});

form.addEventListener("input", note);

function ask() { document.querySelector("#whose").hidden = document.querySelector("#ended").value !== "flag"; }

// what follows from the board is filled in when the end is opened
over.addEventListener("toggle", async () => {
  if (!over.open) return;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const typed = [...over.querySelectorAll("input")].some((one) => one.value !== one.defaultValue);
    if (!typed) over.querySelector("form").replaceChildren(...page.querySelector("#over form").childNodes);
  } catch { /* it is filled in by hand */ }
  over.dataset.filled = "";
  ask();
});
over.addEventListener("change", ask);
document.addEventListener("renewed", () => {
  renewals += 1;
  propose();
});
addEventListener("online", send);
ask();
keep();
propose();
recall();
send();
