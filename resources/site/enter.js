// Sends a result without leaving the page. Without a connection it keeps the typed result and sends it later.
"use strict";

{
  const RETRY_DELAY = 3000; // ms between two tries
  const TIMEOUT = 10000; // ms in which the server must answer
  let retryTimer = null;

  const findRegion = () => document.querySelector("[data-live]");

  function showNotice(text, tone) { // until the next key
    const notice = document.createElement("p");
    notice.className = `notice ${tone}`;
    notice.textContent = text;
    findRegion().replaceChildren(notice);
    findRegion().dataset.kept = "";
  }

  async function sendForm(form) {
    clearTimeout(retryTimer);
    retryTimer = null;
    let answer;
    let page;
    try {
      const body = new URLSearchParams(new FormData(form));
      answer = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT) });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      showNotice(form.dataset.unsent, "amber");
      retryTimer = setTimeout(sendForm, RETRY_DELAY, form);
      return;
    }
    if (!page.querySelector("main.enter")) {
      showNotice(page.querySelector("h1").textContent, "red");
      return;
    }
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    history.replaceState(null, "", answer.url);
    findRegion().scrollIntoView({ block: "nearest" });
    showWinner();
  }

  function showWinner() { // as the typed points give it
    const line = document.querySelector("#outcome");
    if (!line) return;
    const [own, opponent] = ["own", "other"].map((name) => document.querySelector(`#${name}`).value.trim());
    const isComplete = [own, opponent].every((points) => /^-?\d{1,4}$/.test(points));
    const difference = Number(own) - Number(opponent);
    const text = difference > 0 ? line.dataset.own : difference < 0 ? line.dataset.other : line.dataset.tie;
    line.textContent = isComplete ? text.replace("#", Math.abs(difference)) : "";
  }

  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    sendForm(event.target);
  });
  document.addEventListener("input", () => {
    if ("kept" in findRegion().dataset && !retryTimer) {
      delete findRegion().dataset.kept;
      findRegion().replaceChildren();
      isOutdated = true; // of live.js: it then loads the state
    }
    showWinner();
  });
  document.addEventListener("renewed", () => { // another person may have entered the result
    const form = document.querySelector("form[method=post]");
    if (form) form.hidden = findRegion().querySelector(".green") !== null;
  });
  document.addEventListener("DOMContentLoaded", showWinner);
}
