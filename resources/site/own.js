// A player's own page: the phone remembers its code, and signals that the table has come up.
"use strict";

{
  const SEATED = [200, 100, 200]; // ms of vibration and pause
  const PITCH = 880; // Hz
  const BEEP = 0.3; // seconds
  const code = new URLSearchParams(location.search).get("code");
  let sound = null; // a browser allows it after the first touch

  function describeSeat() {
    const seat = document.querySelector(".seat");
    return seat ? seat.querySelector(".table").textContent + seat.querySelector(".against").textContent : "";
  }

  function remember() {
    try {
      const kept = localStorage.getItem("own");
      if (code && document.querySelector("main > h1")) localStorage.setItem("own", code);
      else if (code && code === kept) localStorage.removeItem("own");
      else if (!code && kept) location.replace(`me?code=${encodeURIComponent(kept)}`);
    } catch { /* a browser without a memory */ }
  }

  function signal() {
    navigator.vibrate?.(SEATED);
    if (!sound) return;
    const tone = sound.createOscillator();
    tone.frequency.value = PITCH;
    tone.connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + BEEP);
  }

  let seated = null;
  document.addEventListener("DOMContentLoaded", () => { remember(); seated = describeSeat(); });
  document.addEventListener("renewed", () => {
    const now = describeSeat();
    if (now && now !== seated) signal();
    seated = now;
  });
  document.addEventListener("pointerdown", () => { sound ??= window.AudioContext ? new AudioContext() : null; }, { once: true });
}
