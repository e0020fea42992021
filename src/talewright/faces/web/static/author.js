// Live reload: asks now and then whether the files of a game have changed. Pages out of sight do not ask.

import { takePage } from "./pages.js";

const FIRST_MS = 700;
const LAST_MS = 6000;
const GROWTH = 1.15;

let pause = FIRST_MS;
let planned = 0;
let composing = false;
const find = (id) => document.getElementById(id);

function plan() {
  clearTimeout(planned);
  planned = document.hidden ? 0 : setTimeout(look, pause);
}

async function look() {
  try {
    const answer = await fetch("/author/state");
    // Logged out, or a server without pages for authors: nothing more to hear.
    if (answer.status === 401 || answer.status === 404) return;
    const { mark } = await answer.json();
    const changed = mark !== document.querySelector("[data-mark]").dataset.mark;
    if (changed && !isBusy()) await take();
    pause = changed ? FIRST_MS : Math.min(pause * GROWTH, LAST_MS);
  } catch {
    pause = Math.min(pause * 2, LAST_MS);
  }
  plan();
}

// While a turn runs or the player is typing, the page is left alone.
function isBusy() {
  return composing || find("waiting")?.hidden === false;
}

async function take() {
  const line = find("say");
  const [draft, from, to] = [line?.value, line?.selectionStart, line?.selectionEnd];
  const wasFocused = line && document.activeElement === line;
  if ((await takePage()) !== 200) return;
  const fresh = find("say");
  if (fresh && draft) fresh.value = draft;
  if (fresh && wasFocused) {
    fresh.focus({ preventScroll: true });
    fresh.setSelectionRange(from, to);
  }
  find("reloaded").textContent = find("reloaded").dataset.words;
}

addEventListener("compositionstart", () => (composing = true));
addEventListener("compositionend", () => (composing = false));
document.addEventListener("visibilitychange", () => {
  pause = FIRST_MS;
  plan();
});
addEventListener("focus", () => {
  pause = FIRST_MS;
  plan();
});
plan();
