// While a model is tried: shows which question is asked, and loads the page again when that is over.

const trial = document.getElementById("trial");
const step = document.getElementById("step");
const PAUSE = 700;
let phase = "";

async function look() {
  let state;
  try {
    const answer = await fetch(trial.dataset.state, { cache: "no-store" });
    if (!answer.ok) return location.reload();
    state = await answer.json();
  } catch {
    return setTimeout(look, PAUSE * 4);
  }
  // The buttons of another phase are others.
  if (phase && state.phase !== phase) return location.reload();
  phase = state.phase;
  if (state.of) {
    const words = { number: state.number, of: state.of, question: state.question };
    const text = trial.dataset.probing.replace(/\{(\w+)\}/g, (_, name) => words[name]);
    if (step.textContent !== text) step.textContent = text;
  }
  setTimeout(look, PAUSE);
}

if (trial && step) look();
