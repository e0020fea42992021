// Reading aloud by the voices of this machine: the narration on the page, paragraph by paragraph.

const box = document.getElementById("speech");
const speech = window.speechSynthesis;
const [start, pause, stop] = box ? box.querySelectorAll("button") : [];

let voice = null;
let said = null; // what is being said; null while it pauses
let at = null; // the paragraph, marked on the page

function pickVoice() {
  const tag = (one) => one.lang.replace("_", "-").toLowerCase();
  const wanted = box.dataset.language.toLowerCase();
  // Voices of a service on the net would send the story there.
  const near = speech.getVoices().filter((one) => one.localService && tag(one).split("-")[0] === wanted.split("-")[0]);
  voice = near.find((one) => tag(one) === wanted) || near[0] || null;
  box.hidden = !voice;
}

// Finished narration that can be seen; never the turn in progress.
function paragraphs() {
  const all = [...document.querySelectorAll("main .narration p")];
  return all.filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true]"));
}

function first() {
  const all = paragraphs();
  const turn = all.at(-1)?.closest(".turn");
  if (box.dataset.from === "last") return all.find((one) => one.closest(".turn") === turn);
  return all.find((one) => one.getBoundingClientRect().bottom > 80) || all[0];
}

function show(next, talking) {
  const focused = box.contains(document.activeElement);
  at?.classList.remove("spoken");
  at = next;
  at?.classList.add("spoken");
  box.classList.toggle("talking", Boolean(at));
  if (talking) at.scrollIntoView({ block: "nearest" });
  start.hidden = Boolean(at);
  pause.hidden = stop.hidden = !at;
  pause.textContent = talking ? pause.dataset.pause : pause.dataset.resume;
  if (focused && box.contains(document.activeElement) === false) (at ? pause : start).focus();
}

function say(paragraph) {
  if (!paragraph) return end();
  const words = new SpeechSynthesisUtterance(paragraph.textContent);
  words.voice = voice;
  words.lang = voice.lang;
  words.onend = () => { if (said === words) say(follow()); };
  words.onerror = () => { if (said === words) end(); };
  said = words;
  show(paragraph, true);
  speech.speak(words);
}

// The next paragraph, also of a turn that came meanwhile; none if this one was undone.
function follow() {
  const all = paragraphs();
  return all.includes(at) ? all[all.indexOf(at) + 1] : undefined;
}

// Some systems cannot pause in the middle of a sentence, so the paragraph begins again.
function rest() {
  said = null;
  speech.cancel();
  show(at, false);
}

function end() {
  said = null;
  speech.cancel();
  show(null, false);
}

if (box && speech) {
  pickVoice();
  speech.addEventListener?.("voiceschanged", pickVoice);
  start.addEventListener("click", () => say(first()));
  pause.addEventListener("click", () => (said ? rest() : say(at)));
  stop.addEventListener("click", end);
  addEventListener("pagehide", end);
}
