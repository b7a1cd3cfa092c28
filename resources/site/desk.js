// An entry or jury desk in a browser. Each line has an id. The browser keeps the line until the server has answered,
// and the server enters it once, however often it arrives. A refused line stays visible until it is discarded.
"use strict";

{
  const RETRY_DELAY = 2000; // ms between two tries
  const SEND_TIMEOUT = 12000; // ms in which the server must answer
  const SPEECH_DELAY = 500; // ms without a key until a screen reader reads the preview
  const LATE_DELAY = 1500; // ms after which a line counts as late
  const form = document.querySelector("#type");
  const field = form.elements.line;
  const author = form.querySelector("#author");
  const reason = form.querySelector("#reason");
  const settings = form.dataset; // of this page, with its texts
  const QUEUE_KEY = `desk-${settings.event}`; // unanswered lines of all pages of this desk
  const DRAFT_KEY = `${QUEUE_KEY}-${settings.view}`; // the line being typed
  const AUTHOR_KEY = `${QUEUE_KEY}-author`;
  const FILTER_KEY = `${QUEUE_KEY}-only`;

  let queue = JSON.parse(localStorage.getItem(QUEUE_KEY) || "[]");
  let state = "typing"; // how far the user has confirmed the line
  let hasControl = false; // whether Ctrl+Enter confirmed the shown line
  let round = getState().round || 0; // of the line being typed: the list may already show a newer one
  let preview = { game: "", seen: getRevision(), text: "", more: "", step: "" };
  let proposedGame = "";
  let wordQuestions = []; // [game, word] of wrong words that need a player and a score
  let undoableStep = 0; // the newest step that this desk can undo
  let lastAnswer = null; // shown while the field is empty
  let isSending = false;
  let previewCount = 0;
  let isSignedOut = false;
  let speechTimer = null;
  let listedLines = ""; // ids and states of the listed late lines

  function getState() { return document.querySelector("#state").dataset; }
  function getRevision() { return Number(getState().revision || 0); }
  function listRows() { return [...document.querySelectorAll("tr[data-key]")]; }

  // --- texts: the server marks names with <b> and escapes all else

  function showMarkup(node, markup) {
    const page = new DOMParser().parseFromString(markup || "", "text/html");
    const parts = [...page.body.childNodes].map((child) => {
      if (child.nodeName !== "B") return document.createTextNode(child.textContent);
      const strong = document.createElement("strong");
      strong.textContent = child.textContent;
      return strong;
    });
    node.replaceChildren(...parts);
  }

  function showAnswer(text, details, tone) {
    const echo = document.querySelector("#echo");
    showMarkup(echo, text);
    showMarkup(document.querySelector("#more"), details);
    echo.className = `echo ${tone || ""}`;
    field.setAttribute("aria-invalid", tone === "red");
    clearTimeout(speechTimer);
    speechTimer = setTimeout(() => {
      document.querySelector("#spoken").textContent = `${echo.textContent} ${document.querySelector("#more").textContent}`;
    }, SPEECH_DELAY);
  }

  function escapeText(text) {
    const span = document.createElement("span");
    span.textContent = text;
    return span.innerHTML;
  }

  // --- previews

  async function post(path, values) {
    const body = new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]));
    const answer = await fetch(`desk/${path}`, { method: "POST", body, signal: AbortSignal.timeout(SEND_TIMEOUT) });
    if (answer.status === 403) isSignedOut = true;
    if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
    isSignedOut = false;
    return answer.json();
  }

  function makeEntry() {
    const [game, word] = wordQuestions[0] || ["", ""];
    return {
      line: field.value, view: settings.view, division: settings.division, round, proposed: proposedGame,
      state, control: hasControl, reason: reason.value.trim(), author: author ? author.value.trim() : "", game, word,
      seen: preview.line === field.value ? preview.seen : getRevision(),
    };
  }

  async function loadPreview() {
    const number = ++previewCount;
    const line = field.value;
    if (line === "") round = getState().round ?? round;
    let answer;
    try {
      answer = await post("read", makeEntry());
    } catch { // Enter keeps the line
      if (number === previewCount && line === field.value) {
        showAnswer(isSignedOut ? escapeText(settings.out) : "", "", isSignedOut ? "red" : "");
      }
      return;
    }
    if (number !== previewCount || line !== field.value) return;
    preview = { ...answer, line };
    if (line === "" && answer.game) proposedGame = answer.game;
    if (line === "" && lastAnswer) {
      showAnswer(lastAnswer.text, [lastAnswer.more, answer.text].filter(Boolean).join("   ·   "), lastAnswer.tone);
    } else if (state === "typing" || state === "verdict asked") {
      showAnswer(answer.text, answer.more, answer.tone);
    }
    highlightRow();
  }

  function highlightRow() {
    const key = field.value === "" ? proposedGame : preview.game;
    for (const row of listRows()) row.classList.toggle("current", row.dataset.key === key);
    document.querySelector("tr.current")?.scrollIntoView({ block: "nearest" });
  }

  function handleTyping() {
    state = "typing";
    hasControl = false;
    lastAnswer = field.value === "" ? lastAnswer : null;
    document.querySelector("#effects").hidden = true;
    localStorage.setItem(DRAFT_KEY, field.value);
    if (field.value.includes("?") && !/\d\s+\?\s*$/.test(field.value)) openHelp();
    loadPreview();
  }

  function openHelp() {
    const help = document.querySelector("#help");
    if (help) help.open = true;
  }

  // --- entries

  function enterLine(withControl) {
    const text = field.value.trim();
    if (text === "?") {
      field.value = "";
      handleTyping();
      openHelp();
      return;
    }
    if (text === "" && settings.view === "jury" && wordQuestions.length === 0) {
      const row = listRows().find((item) => item.dataset.key === proposedGame);
      if (row) field.value = row.dataset.number;
    }
    if (field.value.trim() === "") return;
    if (queue.some((item) => !item.late && item.line === field.value)) return; // already sent
    if (state === "effect shown" && !document.querySelector("#reason-field").hidden && reason.value.trim() === "") {
      reason.focus();
      return;
    }
    hasControl = withControl || (hasControl && state !== "typing");
    const bytes = [...crypto.getRandomValues(new Uint8Array(8))];
    const key = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const entry = { ...makeEntry(), key, late: false };
    queue.push(entry);
    saveQueue();
    field.select(); // the next line replaces it
    setTimeout(() => { // free the field for the next line
      if (queue.includes(entry) && !entry.refused) {
        entry.late = true;
        saveQueue();
        if (field.value === entry.line) clearLine();
      }
    }, LATE_DELAY);
    sendQueue();
  }

  function clearLine() {
    field.value = "";
    reason.value = "";
    handleTyping();
  }

  async function sendQueue() {
    if (isSending) return;
    const entry = queue.find((item) => !item.refused);
    if (!entry) return;
    isSending = true;
    let delay = 0;
    try {
      const { refused, told, table, ...values } = entry;
      handleAnswer(entry, await post("enter", values));
      document.querySelector("#unsent").hidden = true;
    } catch (error) {
      if (error.status === 400 || error.status === 422 || error.status === 413) markRefused(entry, error.message);
      entry.late = true;
      if (field.value === entry.line) clearLine();
      delay = RETRY_DELAY;
      const text = isSignedOut ? settings.out : error.status === 503 ? settings.unsaved : settings.unsent;
      document.querySelector("#unsent").textContent = text;
    }
    isSending = false;
    saveQueue();
    if (!isSignedOut && queue.some((item) => !item.refused)) setTimeout(sendQueue, delay);
  }

  function handleAnswer(entry, answer) {
    const isInField = !entry.late && field.value === entry.line && settings.view === entry.view;
    undoableStep = answer.undo || undoableStep;
    if (answer.status === "done") {
      queue = queue.filter((item) => item !== entry);
      lastAnswer = answer;
      if (answer.game) proposedGame = answer.game;
      else if (preview.game) proposedGame = preview.game;
      if (entry.word) wordQuestions.shift();
      if (isInField) clearLine();
      else if (field.value === "") loadPreview();
    } else if (isInField) {
      queue = queue.filter((item) => item !== entry);
      showQuestion(entry, answer);
    } else if (entry.late) {
      entry.table = answer.game;
      markRefused(entry, answer.text, answer.more);
    } else { // the user types the next line: send this one again as late, so that the director sees the refusal too
      entry.late = true;
    }
  }

  function showQuestion(entry, answer) {
    const states = { show: "shown", "show effect": "effect shown", "ask verdict": "verdict asked" };
    state = states[answer.step] || "typing";
    preview = { ...preview, line: entry.line, seen: answer.seen, game: answer.game }; // the next Enter confirms it
    showAnswer(answer.text, answer.more, answer.tone);
    highlightRow();
    if (answer.step === "ask words" && answer.words.length > 0) {
      wordQuestions = answer.words.map((word) => [answer.game, word]);
      clearLine();
    } else if (answer.step === "ask author") {
      author.focus();
    } else if (state === "effect shown") {
      showEffects(answer);
    } else if (state === "verdict asked") {
      field.value = preview.line = `${entry.line.trimEnd()} `;
    }
  }

  async function showEffects(answer) {
    const box = document.querySelector("#effects");
    box.querySelector("ul").replaceChildren(...answer.effects.filter(Boolean).map((effect) => {
      const item = document.createElement("li");
      item.textContent = effect;
      return item;
    }));
    document.querySelector("#later").textContent = answer.later;
    document.querySelector("#reason-field").hidden = !answer.reasoned;
    box.hidden = false;
    if (answer.reasoned) reason.focus();
    if (!answer.later) return;
    try {
      document.querySelector("#later").textContent = (await post("later", makeEntry())).later;
    } catch { /* the answer to the entry has it too */ }
  }

  // --- late and refused lines

  function markRefused(entry, text, details) {
    entry.refused = true;
    entry.told = { text, more: details || "" };
  }

  function saveQueue() {
    localStorage.setItem(QUEUE_KEY, JSON.stringify(queue));
    const lateLines = queue.filter((item) => item.late);
    const newList = lateLines.map((item) => `${item.key} ${item.refused}`).join();
    // an unchanged list stays: its button keeps the focus, and an alert is read once
    if (newList !== listedLines) document.querySelector("#waiting").replaceChildren(...lateLines.map(makeListItem));
    listedLines = newList;
    document.querySelector("#unsent").hidden = !lateLines.some((item) => !item.refused);
  }

  function resendRefusals() { // after a restart the director's program has lost them
    const knownKeys = new Set((getState().kept || "").split(" "));
    for (const entry of queue.filter((item) => item.refused && !knownKeys.has(item.key))) {
      const why = new DOMParser().parseFromString(entry.told.text, "text/html").body.textContent.slice(0, 200);
      post("keep", { key: entry.key, line: entry.line, why, game: entry.table || "" }).catch(() => {});
    }
  }

  function makeListItem(entry) {
    const item = document.createElement("li");
    const line = document.createElement("strong");
    const message = document.createElement("span");
    line.textContent = entry.line;
    if (entry.refused) showMarkup(message, [entry.told.text, entry.told.more].filter(Boolean).join("  ·  "));
    item.append(line, message);
    item.className = entry.refused ? "refused" : "";
    if (entry.refused) {
      message.setAttribute("role", "alert");
      if (entry.view === settings.view) item.append(makeButton(settings.mend, () => typeAgain(entry)));
      item.append(makeButton(settings.discard, () => discardEntry(entry)));
    }
    return item;
  }

  function typeAgain(entry) {
    discardEntry(entry);
    field.value = entry.line;
    handleTyping();
    field.focus();
  }

  function discardEntry(entry) {
    queue = queue.filter((item) => item !== entry);
    saveQueue();
    post("drop", { key: entry.key }).catch(() => {});
    field.focus();
  }

  // --- undo

  async function undoStep() {
    try {
      const answer = await post("undo", { step: undoableStep });
      undoableStep = answer.undo;
      lastAnswer = answer;
      showAnswer(answer.text, answer.more, answer.tone);
    } catch {
      showAnswer(escapeText(isSignedOut ? settings.out : settings.offline), "", "amber");
    }
  }

  // --- events

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enterLine(false);
  });
  field.addEventListener("input", handleTyping);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      enterLine(true);
    } else if (event.key === "Escape") {
      if (field.value === "") wordQuestions = [];
      clearLine();
      field.focus();
    } else if (event.target !== field) {
      return;
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && field.value === "") {
      event.preventDefault();
      undoStep();
    } else if (event.key === " " && field.value === "" && wordQuestions.length === 0) {
      const row = listRows().find((item) => item.dataset.key === proposedGame);
      if (row) {
        event.preventDefault();
        field.value = `${row.dataset.number} `;
        handleTyping();
      }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      proposeOtherTable(event.key === "ArrowDown" ? 1 : -1);
    }
  });

  function proposeOtherTable(offset) {
    const openRows = listRows().filter((row) => row.classList.contains("open"));
    if (openRows.length === 0) return;
    const index = openRows.findIndex((row) => row.dataset.key === proposedGame);
    proposedGame = openRows[(index + offset + openRows.length) % openRows.length].dataset.key;
    lastAnswer = null;
    loadPreview();
  }

  function filterRows() {
    localStorage.setItem(FILTER_KEY, filterBox.checked ? "1" : "");
    document.querySelector("main").classList.toggle("only", filterBox.checked);
  }

  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-number]");
    if (!row) return;
    field.value = `${row.dataset.number} `;
    handleTyping();
    field.focus();
  });

  document.addEventListener("renewed", () => {
    isSignedOut = "out" in getState();
    if (isSignedOut) {
      showAnswer(escapeText(settings.out), "", "red");
      return;
    }
    const decidedKeys = new Set((getState().decided || "").split(" "));
    queue = queue.filter((item) => !(item.refused && decidedKeys.has(item.key)));
    saveQueue();
    resendRefusals();
    sendQueue();
    if (state === "typing") loadPreview();
    else highlightRow();
  });

  addEventListener("online", sendQueue);
  addEventListener("beforeunload", (event) => { // without the server a reload would lose the page
    if (!isSignedOut && queue.some((item) => item.late && !item.refused)) event.preventDefault();
  });
  if (author) {
    author.value = localStorage.getItem(AUTHOR_KEY) || "";
    author.addEventListener("input", () => localStorage.setItem(AUTHOR_KEY, author.value));
  }
  const filterBox = document.querySelector("#only");
  if (filterBox) {
    filterBox.checked = localStorage.getItem(FILTER_KEY) === "1";
    filterBox.addEventListener("change", filterRows);
    filterRows();
  }
  document.querySelector("#unsent").textContent = settings.unsent;
  for (const entry of queue) entry.late = true;
  field.value = localStorage.getItem(DRAFT_KEY) || "";
  saveQueue();
  resendRefusals();
  handleTyping();
  sendQueue();
}
