// An entry or jury desk in a browser. Each line has an id: it is kept in this browser until the server has answered,
// and the server writes it once, however often it is sent. A refused line stays in sight until somebody decides.
"use strict";

{
  const AGAIN = 2000; // ms between two tries
  const PATIENCE = 12000; // ms in which the server has to answer
  const PAUSE = 500; // ms without a key until a preview is spoken
  const LATE = 1500; // ms after which a line counts as waiting
  const form = document.querySelector("#type");
  const field = form.elements.line;
  const author = form.querySelector("#author");
  const reason = form.querySelector("#reason");
  const words = form.dataset;
  const KEPT = `desk-${words.event}`; // the lines without an answer, of all pages of this desk
  const BEGUN = `${KEPT}-${words.view}`; // the line being typed
  const AUTHOR = `${KEPT}-author`;
  const ONLY = `${KEPT}-only`;

  let queue = JSON.parse(localStorage.getItem(KEPT) || "[]");
  let state = "typing"; // what the user has confirmed
  let control = false; // the shown line was confirmed by Ctrl+Enter
  let round = now().round || 0; // of the line being typed: the list may already show a newer one
  let preview = { game: "", seen: revision(), text: "", more: "", step: "" };
  let proposed = "";
  let asked = []; // [game, word] of wrong words that need a player and a score
  let undo = 0; // the newest step that this desk can undo
  let last = null; // what has been entered, shown while the field is empty
  let sending = false;
  let asks = 0; // previews asked for
  let signedOut = false;
  let speaking = null;
  let listed = "";

  function now() { return document.querySelector("#now").dataset; }
  function revision() { return Number(now().revision || 0); }
  function rows() { return [...document.querySelectorAll("tr[data-key]")]; }

  // --- texts: the server marks names with <b> and escapes all else

  function write(node, rich) {
    const page = new DOMParser().parseFromString(rich || "", "text/html");
    const parts = [...page.body.childNodes].map((one) => {
      if (one.nodeName !== "B") return document.createTextNode(one.textContent);
      const strong = document.createElement("strong");
      strong.textContent = one.textContent;
      return strong;
    });
    node.replaceChildren(...parts);
  }

  function say(text, more, tone) {
    const echo = document.querySelector("#echo");
    write(echo, text);
    write(document.querySelector("#more"), more);
    echo.className = `echo ${tone || ""}`;
    field.setAttribute("aria-invalid", tone === "red");
    clearTimeout(speaking);
    speaking = setTimeout(() => { // a screen reader hears the line when the typing pauses
      document.querySelector("#heard").textContent = `${echo.textContent} ${document.querySelector("#more").textContent}`;
    }, PAUSE);
  }

  function plain(text) {
    const span = document.createElement("span");
    span.textContent = text;
    return span.innerHTML;
  }

  // --- asking the server

  async function post(path, values) {
    const body = new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]));
    const answer = await fetch(`desk/${path}`, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 403) signedOut = true;
    if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
    signedOut = false;
    return answer.json();
  }

  function compose() {
    const [game, word] = asked[0] || ["", ""];
    return {
      line: field.value, view: words.view, division: words.division, round, proposed,
      state, control, reason: reason.value.trim(), author: author ? author.value.trim() : "", game, word,
      seen: preview.line === field.value ? preview.seen : revision(),
    };
  }

  async function look() {
    const mine = ++asks;
    const line = field.value;
    if (line === "") round = now().round ?? round;
    let answer;
    try {
      answer = await post("read", compose());
    } catch { // Enter keeps the line
      if (mine === asks && line === field.value) say(signedOut ? plain(words.out) : "", "", signedOut ? "red" : "");
      return;
    }
    if (mine !== asks || line !== field.value) return;
    preview = { ...answer, line };
    if (line === "" && answer.game) proposed = answer.game;
    if (line === "" && last) say(last.text, [last.more, answer.text].filter(Boolean).join("   ·   "), last.tone);
    else if (state === "typing" || state === "verdict asked") say(answer.text, answer.more, answer.tone);
    mark();
  }

  function mark() {
    const key = field.value === "" ? proposed : preview.game;
    for (const row of rows()) row.classList.toggle("here", row.dataset.key === key);
    document.querySelector("tr.here")?.scrollIntoView({ block: "nearest" });
  }

  function typing() {
    state = "typing";
    control = false;
    last = field.value === "" ? last : null;
    document.querySelector("#effects").hidden = true;
    localStorage.setItem(BEGUN, field.value);
    if (field.value.includes("?") && !/\d\s+\?\s*$/.test(field.value)) openHelp();
    look();
  }

  function openHelp() {
    const help = document.querySelector("#help");
    if (help) help.open = true;
  }

  // --- entering

  function enter(withControl) {
    const typed = field.value.trim();
    if (typed === "?") {
      field.value = "";
      typing();
      openHelp();
      return;
    }
    if (typed === "" && words.view === "jury" && asked.length === 0) {
      const row = rows().find((one) => one.dataset.key === proposed);
      if (row) field.value = row.dataset.number;
    }
    if (field.value.trim() === "") return;
    if (queue.some((one) => !one.late && one.line === field.value)) return; // it is under way
    if (state === "effect shown" && !document.querySelector("#why").hidden && reason.value.trim() === "") {
      reason.focus();
      return;
    }
    control = withControl || (control && state !== "typing");
    const key = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
    const entry = { ...compose(), key, late: false };
    queue.push(entry);
    keep();
    field.select(); // the next line replaces it
    setTimeout(() => { // it waits: the field is free for the next line
      if (queue.includes(entry) && !entry.refused) {
        entry.late = true;
        keep();
        if (field.value === entry.line) clear();
      }
    }, LATE);
    send();
  }

  function clear() {
    field.value = "";
    reason.value = "";
    typing();
  }

  async function send() {
    if (sending) return;
    const entry = queue.find((one) => !one.refused);
    if (!entry) return;
    sending = true;
    let pause = 0;
    try {
      const { refused, told, table, ...sent } = entry;
      settle(entry, await post("enter", sent));
      document.querySelector("#unsent").hidden = true;
    } catch (error) {
      if (error.status === 400 || error.status === 422 || error.status === 413) refuse(entry, error.message);
      entry.late = true;
      if (field.value === entry.line) clear();
      pause = AGAIN;
      const why = signedOut ? words.out : error.status === 503 ? words.unsaved : words.unsent;
      document.querySelector("#unsent").textContent = why;
    }
    sending = false;
    keep();
    if (!signedOut && queue.some((one) => !one.refused)) setTimeout(send, pause);
  }

  function settle(entry, answer) {
    const here = !entry.late && field.value === entry.line && words.view === entry.view;
    undo = answer.undo || undo;
    if (answer.status === "done") {
      queue = queue.filter((one) => one !== entry);
      last = answer;
      if (answer.game) proposed = answer.game;
      else if (preview.game) proposed = preview.game;
      if (entry.word) asked.shift();
      if (here) clear();
      else if (field.value === "") look();
    } else if (here) {
      queue = queue.filter((one) => one !== entry);
      ask(entry, answer);
    } else if (entry.late) {
      entry.table = answer.game;
      refuse(entry, answer.text, answer.more);
    } else { // the next line is being typed: sent again as late, so that the director sees the refusal too
      entry.late = true;
    }
  }

  function ask(entry, answer) {
    const states = { show: "shown", "show effect": "effect shown", "ask verdict": "verdict asked" };
    state = states[answer.step] || "typing";
    preview = { ...preview, line: entry.line, seen: answer.seen, game: answer.game }; // what the next Enter confirms
    say(answer.text, answer.more, answer.tone);
    mark();
    if (answer.step === "ask words" && answer.words.length > 0) {
      asked = answer.words.map((word) => [answer.game, word]);
      clear();
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
    box.querySelector("ul").replaceChildren(...answer.effects.filter(Boolean).map((one) => {
      const item = document.createElement("li");
      item.textContent = one;
      return item;
    }));
    document.querySelector("#later").textContent = answer.later;
    document.querySelector("#why").hidden = !answer.reasoned;
    box.hidden = false;
    if (answer.reasoned) reason.focus();
    if (!answer.later) return;
    try {
      document.querySelector("#later").textContent = (await post("later", compose())).later;
    } catch { /* it is said when the line is entered */ }
  }

  // --- lines that wait, and refused lines

  function refuse(entry, text, more) {
    entry.refused = true;
    entry.told = { text, more: more || "" };
  }

  function keep() {
    localStorage.setItem(KEPT, JSON.stringify(queue));
    const waiting = queue.filter((one) => one.late);
    const drawn = waiting.map((one) => `${one.key} ${one.refused}`).join();
    if (drawn !== listed) document.querySelector("#waiting").replaceChildren(...waiting.map(makeItem));
    listed = drawn; // a button keeps the focus, and an alert is spoken once
    document.querySelector("#unsent").hidden = !waiting.some((one) => !one.refused);
  }

  function report() { // the director's program was started again: it shows the refused lines too
    const known = new Set((now().kept || "").split(" "));
    for (const one of queue.filter((entry) => entry.refused && !known.has(entry.key))) {
      const why = new DOMParser().parseFromString(one.told.text, "text/html").body.textContent.slice(0, 200);
      post("keep", { key: one.key, line: one.line, why, game: one.table || "" }).catch(() => {});
    }
  }

  function makeItem(entry) {
    const item = document.createElement("li");
    const line = document.createElement("strong");
    const told = document.createElement("span");
    line.textContent = entry.line;
    if (entry.refused) write(told, [entry.told.text, entry.told.more].filter(Boolean).join("  ·  "));
    item.append(line, told);
    item.className = entry.refused ? "refused" : "";
    if (entry.refused) {
      told.setAttribute("role", "alert");
      if (entry.view === words.view) item.append(makeButton(words.mend, () => { drop(entry); field.value = entry.line; typing(); field.focus(); }));
      item.append(makeButton(words.discard, () => drop(entry)));
    }
    return item;
  }

  function drop(entry) {
    queue = queue.filter((one) => one !== entry);
    keep();
    post("drop", { key: entry.key }).catch(() => {});
    field.focus();
  }

  // --- undo

  async function takeBack() {
    try {
      const answer = await post("undo", { step: undo });
      undo = answer.undo;
      last = answer;
      say(answer.text, answer.more, answer.tone);
    } catch {
      say(plain(signedOut ? words.out : words.offline), "", "amber");
    }
  }

  // --- keys and news

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(false);
  });
  field.addEventListener("input", typing);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      enter(true);
    } else if (event.key === "Escape") {
      if (field.value === "") asked = [];
      clear();
      field.focus();
    } else if (event.target !== field) {
      return;
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && field.value === "") {
      event.preventDefault();
      takeBack();
    } else if (event.key === " " && field.value === "" && asked.length === 0) {
      const row = rows().find((one) => one.dataset.key === proposed);
      if (row) {
        event.preventDefault();
        field.value = `${row.dataset.number} `;
        typing();
      }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    }
  });

  function step(by) { // through the open tables
    const open = rows().filter((row) => row.classList.contains("open"));
    if (open.length === 0) return;
    const at = open.findIndex((row) => row.dataset.key === proposed);
    proposed = open[(at + by + open.length) % open.length].dataset.key;
    last = null;
    look();
  }

  function filter() {
    localStorage.setItem(ONLY, only.checked ? "1" : "");
    document.querySelector("main").classList.toggle("only", only.checked);
  }

  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-number]");
    if (!row) return;
    field.value = `${row.dataset.number} `;
    typing();
    field.focus();
  });

  document.addEventListener("renewed", () => {
    signedOut = "out" in now();
    if (signedOut) {
      say(plain(words.out), "", "red");
      return;
    }
    const decided = new Set((now().decided || "").split(" "));
    queue = queue.filter((one) => !(one.refused && decided.has(one.key)));
    keep();
    report();
    send();
    if (state === "typing") look();
    else mark();
  });

  addEventListener("online", send);
  addEventListener("beforeunload", (event) => { // without the server the browser would show an error in place of the desk
    if (!signedOut && queue.some((one) => one.late && !one.refused)) event.preventDefault();
  });
  if (author) {
    author.value = localStorage.getItem(AUTHOR) || "";
    author.addEventListener("input", () => localStorage.setItem(AUTHOR, author.value));
  }
  const only = document.querySelector("#only");
  if (only) {
    only.checked = localStorage.getItem(ONLY) === "1";
    only.addEventListener("change", () => filter());
    filter();
  }
  document.querySelector("#unsent").textContent = words.unsent;
  for (const one of queue) one.late = true;
  field.value = localStorage.getItem(BEGUN) || "";
  keep();
  report();
  typing();
  send();
}
