// Enters a result without leaving the page: what is typed stays, and without a connection it is sent later.
"use strict";

{
  const AGAIN = 3000; // ms between two tries
  const PATIENCE = 10000; // ms in which the server has to answer
  let waiting = null;

  const region = () => document.querySelector("[data-live]");

  function say(text, tone) { // until the next key
    const told = document.createElement("p");
    told.className = `told ${tone}`;
    told.textContent = text;
    region().replaceChildren(told);
    region().dataset.kept = "";
  }

  async function send(form) {
    clearTimeout(waiting);
    waiting = null;
    let answer;
    let page;
    try {
      const body = new URLSearchParams(new FormData(form));
      answer = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      say(form.dataset.unsent, "amber");
      waiting = setTimeout(send, AGAIN, form);
      return;
    }
    if (!page.querySelector("main.enter")) {
      say(page.querySelector("h1").textContent, "red");
      return;
    }
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    history.replaceState(null, "", answer.url);
    region().scrollIntoView({ block: "nearest" });
    foretell();
  }

  function foretell() { // who wins with these points
    const line = document.querySelector("#outcome");
    if (!line) return;
    const [own, other] = ["own", "other"].map((name) => document.querySelector(`#${name}`).value.trim());
    const known = [own, other].every((points) => /^-?\d{1,4}$/.test(points));
    const gap = Number(own) - Number(other);
    const said = gap > 0 ? line.dataset.own : gap < 0 ? line.dataset.other : line.dataset.tie;
    line.textContent = known ? said.replace("#", Math.abs(gap)) : "";
  }

  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    send(event.target);
  });
  document.addEventListener("input", () => {
    if ("kept" in region().dataset && !waiting) {
      delete region().dataset.kept;
      region().replaceChildren();
      behind = true; // of live.js: the next word of the server shows the state
    }
    foretell();
  });
  document.addEventListener("renewed", () => { // somebody else was faster
    const form = document.querySelector("form[method=post]");
    if (form) form.hidden = region().querySelector(".green") !== null;
  });
  document.addEventListener("DOMContentLoaded", foretell);
}
