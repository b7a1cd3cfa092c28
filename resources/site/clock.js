// Round clock. It loads its state from the server at intervals, and counts on its own in between.
"use strict";

{
  const STREAM_INTERVAL = 2000; // ms between two requests in a stream
  const PHONE_INTERVAL = 15000; // on a phone

  let state = null; // the seconds left, whether the clock runs, and the time of the answer

  async function loadState() {
    try {
      const answer = await fetch("/clock", { cache: "no-store" });
      if (answer.ok) state = { ...await answer.json(), at: performance.now() };
    } catch { /* the last state goes on */ }
    showTime();
  }

  function showTime() {
    const clock = document.querySelector("#clock");
    if (!clock || !state) return;
    clock.hidden = state.left === null;
    const secondsLeft = state.left - (state.runs ? Math.floor((performance.now() - state.at) / 1000) : 0);
    const [minutes, seconds] = [Math.floor(Math.abs(secondsLeft) / 60), Math.abs(secondsLeft) % 60];
    clock.textContent = `${secondsLeft < 0 ? "−" : ""}${minutes}:${String(seconds).padStart(2, "0")}`;
    clock.classList.toggle("over", secondsLeft <= 0);
  }

  const isStream = document.documentElement.classList.contains("overlay");
  if (!isStream || /^\/overlay\/(clock|featured|slot)/.test(location.pathname)) {
    loadState();
    setInterval(loadState, isStream ? STREAM_INTERVAL : PHONE_INTERVAL);
    setInterval(showTime, 250);
    document.addEventListener("renewed", showTime);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) loadState(); });
  }
}
