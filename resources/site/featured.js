// Entry of the featured table. The phone keeps each turn and sends it again until the server has answered. The server
// enters a turn once, by its number. Without this script the browser sends the forms as usual.
"use strict";

const RETRY_DELAY = 3000; // ms between two tries
const SEND_TIMEOUT = 15000; // ms in which the server must answer
const form = document.querySelector("#type");
const field = form.elements.line;
const endPanel = document.querySelector("#game-end");
const QUEUE_KEY = `featured-${form.elements.code.value}`;
const DRAFT_KEY = `${QUEUE_KEY}-begun`; // the turn being typed

let queue = JSON.parse(localStorage.getItem(QUEUE_KEY) || "[]"); // unsent turns, oldest first
let isSending = false;
let isOldestRefused = false;
let correctedIndex = null; // unsent turn being corrected; nothing is sent meanwhile
let reloadCount = 0; // of the page's content

function saveQueue() {
  localStorage.setItem(QUEUE_KEY, JSON.stringify(queue));
  const list = document.querySelector("#waiting");
  list.replaceChildren(...queue.map((turn, index) => {
    const item = document.createElement("li");
    const text = document.createElement("span");
    text.textContent = turn.ended === undefined ? `${turn.number}. ${turn.line} ${turn.rack ? `@${turn.rack}` : ""}` : "■";
    item.append(text);
    const isRefused = isOldestRefused && index === 0;
    const hasButtons = isRefused || index === queue.length - 1;
    if (turn.ended === undefined && hasButtons) item.append(makeButton(list.dataset.mend, () => correctUnsentTurn(index)));
    if (hasButtons) item.append(makeButton(list.dataset.discard, () => discardTurn(index)));
    if (isRefused) item.className = "refused";
    return item;
  }));
  document.querySelector("#kept").hidden = queue.length === 0 || isOldestRefused;
}

// the draft survives a reload of the page
function saveDraft() {
  const isNewTurn = form.elements.old.value === "" && correctedIndex === null;
  const draft = { game: form.elements.game.value, line: field.value, rack: form.elements.rack.value };
  if (isNewTurn) localStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
}

function restoreDraft() {
  const draft = JSON.parse(localStorage.getItem(DRAFT_KEY) || "{}");
  if (draft.game !== form.elements.game.value || form.elements.old.value !== "") return;
  field.value = draft.line;
  form.elements.rack.value = draft.rack;
}

function discardTurn(index) {
  queue.splice(index, 1);
  correctedIndex = null;
  if (index === 0) isOldestRefused = false;
  showNotice(null);
  saveQueue();
  proposeTurn();
  sendQueue();
}

function correctUnsentTurn(index) {
  const turn = queue[index];
  correctedIndex = index;
  fillForm(turn.number, turn.player, turn.line, turn.old);
  form.elements.rack.value = turn.rack;
  field.focus();
}

function fillForm(number, player, line, oldLine) {
  form.elements.number.value = number;
  form.elements.old.value = oldLine;
  document.querySelector("#number").textContent = number;
  for (const button of form.elements.player) button.checked = button.value === player;
  field.value = line;
  document.querySelector("#correction").hidden = oldLine === "";
}

// propose the turn after those on the server and in the queue
function proposeTurn() {
  const next = document.querySelector("#next").dataset;
  if (next.game !== form.elements.game.value) { // another round: first send the turns of the last one
    if (queue.length === 0) location.reload();
    return;
  }
  let number = Number(next.number);
  let player = next.player;
  for (const turn of queue) {
    if (turn.ended !== undefined || turn.old !== "" || turn.line === "" || Number(turn.number) < number) continue;
    number = Number(turn.number) + 1;
    player = turn.line.trim().startsWith("/") ? turn.player : getOpponent(turn.player);
  }
  if (form.elements.old.value !== "" || correctedIndex !== null || field.value !== "") return; // a turn is being typed
  fillForm(number, player, "", "");
}

function getOpponent(player) {
  return [...form.elements.player].find((button) => button.value !== player).value;
}

function showNotice(node) {
  document.querySelector("#notice").replaceChildren(...(node ? [node] : []));
}

async function sendQueue() {
  if (isSending || isOldestRefused || correctedIndex !== null || queue.length === 0) return;
  isSending = true;
  const turn = queue[0];
  const reloadsBefore = reloadCount;
  let isAccepted = false;
  try {
    const body = new URLSearchParams(turn);
    const answer = await fetch("featured", { method: "POST", body, signal: AbortSignal.timeout(SEND_TIMEOUT) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) {
      queue = queue.filter((item) => item !== turn);
      isAccepted = true;
      showNotice(null);
      const [shown, answered] = [document, page].map((source) => source.querySelector("#next").dataset);
      const isAhead = answered.game === shown.game && Number(answered.number) > Number(shown.number);
      if (reloadCount === reloadsBefore || isAhead) { // else the shown page is newer than the answer
        document.querySelector("[data-live]").replaceChildren(...page.querySelector("[data-live]").childNodes);
      }
    } else if (answer.status === 422 || answer.status === 403) {
      isOldestRefused = true;
      showNotice(page.querySelector("#notice > *, .notice"));
    }
  } catch { /* the turn stays in the queue */ }
  isSending = false;
  saveQueue();
  proposeTurn();
  if (!isOldestRefused && queue.length > 0) setTimeout(sendQueue, isAccepted ? 0 : RETRY_DELAY);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const turn = Object.fromEntries(new FormData(form));
  if (turn.line.trim() === "?") {
    document.querySelector("#help").open = true;
    field.value = "";
    return;
  }
  if (turn.line.trim() === "" && turn.rack.trim() === "" && turn.old === "") return;
  queue.splice(correctedIndex ?? queue.length, correctedIndex === null ? 0 : 1, turn);
  if (correctedIndex === 0) isOldestRefused = false;
  if (correctedIndex !== null) showNotice(null);
  correctedIndex = null;
  form.elements.old.value = field.value = form.elements.rack.value = "";
  saveDraft();
  document.querySelector("#correction").hidden = true;
  saveQueue();
  proposeTurn();
  field.focus();
  sendQueue();
});

endPanel.addEventListener("submit", (event) => {
  event.preventDefault();
  queue.push(Object.fromEntries(new FormData(event.target)));
  saveQueue();
  sendQueue();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".lines a");
  if (link) {
    event.preventDefault();
    fillForm(link.dataset.number, link.dataset.player, link.dataset.line, link.dataset.line);
    field.focus();
  } else if (event.target.closest("#correction a")) {
    event.preventDefault();
    field.value = form.elements.old.value = "";
    document.querySelector("#correction").hidden = true;
    proposeTurn();
  }
});

form.addEventListener("input", saveDraft);

function showPlayerField() {
  document.querySelector("#side").hidden = document.querySelector("#ended").value !== "flag";
}

// when the typist opens the end of the game, fill in what follows from the board
endPanel.addEventListener("toggle", async () => {
  if (!endPanel.open) return;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const hasTyped = [...endPanel.querySelectorAll("input")].some((input) => input.value !== input.defaultValue);
    if (!hasTyped) endPanel.querySelector("form").replaceChildren(...page.querySelector("#game-end form").childNodes);
  } catch { /* the typist fills it in */ }
  endPanel.dataset.filled = "";
  showPlayerField();
});
endPanel.addEventListener("change", showPlayerField);
document.addEventListener("renewed", () => {
  reloadCount += 1;
  proposeTurn();
});
addEventListener("online", sendQueue);
showPlayerField();
saveQueue();
proposeTurn();
restoreDraft();
sendQueue();
