// The clock of the round. The server is asked now and then; between that it runs by itself.
"use strict";

{
  const OFTEN = 2000; // ms between two questions, in a stream
  const RARELY = 15000; // on a phone

  let round = null; // the seconds left of the round, whether they go on, and when that was told

  async function ask() {
    try {
      const answer = await fetch("/clock", { cache: "no-store" });
      if (answer.ok) round = { ...await answer.json(), at: performance.now() };
    } catch { /* it goes on as it was told last */ }
    tick();
  }

  function tick() {
    const clock = document.querySelector("#clock");
    if (!clock || !round) return;
    clock.hidden = round.left === null;
    const left = round.left - (round.runs ? Math.floor((performance.now() - round.at) / 1000) : 0);
    const [minutes, seconds] = [Math.floor(Math.abs(left) / 60), Math.abs(left) % 60];
    clock.textContent = `${left < 0 ? "−" : ""}${minutes}:${String(seconds).padStart(2, "0")}`;
    clock.classList.toggle("over", left <= 0);
  }

  const stream = document.documentElement.classList.contains("overlay");
  if (!stream || /^\/overlay\/(clock|featured|slot)/.test(location.pathname)) {
    ask();
    setInterval(ask, stream ? OFTEN : RARELY);
    setInterval(tick, 250);
    document.addEventListener("renewed", tick);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  }
}
