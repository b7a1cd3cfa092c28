// Personal page of a player. The browser remembers the player's code, and the phone signals a new table.
"use strict";

{
  const VIBRATION = [200, 100, 200]; // ms of vibration and pause
  const PITCH = 880; // Hz
  const BEEP = 0.3; // seconds
  const code = new URLSearchParams(location.search).get("code");
  let audio = null; // browsers allow it after the first touch

  function describeSeat() {
    const seat = document.querySelector(".seat");
    return seat ? seat.querySelector(".table").textContent + seat.querySelector(".against").textContent : "";
  }

  function storeCode() { // or open the page of the stored code
    try {
      const storedCode = localStorage.getItem("own");
      if (code && document.querySelector("main > h1")) localStorage.setItem("own", code);
      else if (code && code === storedCode) localStorage.removeItem("own");
      else if (!code && storedCode) location.replace(`me?code=${encodeURIComponent(storedCode)}`);
    } catch { /* a browser without storage */ }
  }

  function signalTable() {
    navigator.vibrate?.(VIBRATION);
    if (!audio) return;
    const tone = audio.createOscillator();
    tone.frequency.value = PITCH;
    tone.connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + BEEP);
  }

  let shownSeat = null;
  document.addEventListener("DOMContentLoaded", () => { storeCode(); shownSeat = describeSeat(); });
  document.addEventListener("renewed", () => {
    const seat = describeSeat();
    if (seat && seat !== shownSeat) signalTable();
    shownSeat = seat;
  });
  document.addEventListener("pointerdown", () => { audio ??= window.AudioContext ? new AudioContext() : null; }, { once: true });
}
