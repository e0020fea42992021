// The table, live: sends inputs, draws the running turn, and takes finished turns from the server's own page.

import { followNews } from "./news.js";
import { LiveTurn } from "./live.js";
import { takePage } from "./pages.js";
import { keepStory } from "./offline.js";
import { isOnLine, letFall, markNow, place } from "./stage.js";

const story = document.getElementById("story");
const find = (id) => document.getElementById(id);
const words = story.dataset;
const api = `/api/campaigns/${encodeURIComponent(words.campaign)}`;
const RETRIES_MS = [300, 1000, 3000, 6000];
const ANSWER_MS = 2500; // a server that takes an input says so long before the turn is over

let turn = null; // the turn in progress
let sent = null; // the operation that this page has sent: {id, text}
let ticking = 0;
let over = ""; // the operation whose turn is on the page: its events may come after the answer

function say(text) {
  const box = find("message");
  box.textContent = text;
  box.hidden = !text;
}

// The server has answered after all.
function hearBack(timer) {
  clearTimeout(timer);
  if (find("message").textContent === words.silent) say("");
}

function announce(text) {
  find("announce").textContent = text;
}

// What is happening while the player waits.
function wait(doing) {
  if (!ticking) {
    const began = performance.now();
    const tick = () => {
      const seconds = Math.round((performance.now() - began) / 1000);
      const usual = Math.round(Number(find("waiting").dataset.usual) || 0);
      const form = usual ? words.waitedUsual : words.waited;
      const shown = seconds >= Number(words.progressAfter);
      find("waited").textContent = shown ? form.replace("{seconds}", seconds).replace("{usual}", usual) : "";
    };
    ticking = setInterval(tick, 1000);
    find("waited").textContent = "";
  }
  find("doing").textContent = doing || words.wait;
  find("waiting").hidden = false;
  find("interrupt").hidden = false;
  find("actions").hidden = true;
}

function stopWaiting() {
  clearInterval(ticking);
  ticking = 0;
  find("waiting").hidden = true;
  delete find("waiting").dataset.usual;
  find("skip").hidden = true;
  find("actions").hidden = false;
}

function beginTurn(operation, said) {
  if (operation && operation === over) return;
  if (turn && turn.operation === operation) return turn.say(said);
  turn?.drop();
  const follows = isOnLine() || sent?.id === operation;
  const before = find("turns").querySelector(".turn:last-of-type")?.dataset.version;
  turn = new LiveTurn(operation, said, words, Number(before || 0) + 1);
  find("live").append(turn.element);
  markNow();
  say("");
  wait();
  if (follows) place();
}

function findChoice(number) {
  return [...document.querySelectorAll("#actions button[name=choice]")].find((one) => one.querySelector(".n").textContent === number);
}

// Events name a choice by its id; the page has its words.
function wordsOf(said) {
  const buttons = [...document.querySelectorAll("#actions button[name=choice]")];
  return buttons.find((button) => button.value === said)?.querySelector(".label").textContent || said || "";
}

// The page as the server draws it now, with a wanted turn on it; the finished turn takes the place of the live one.
async function refresh(commit) {
  const ended = turn;
  const active = document.activeElement;
  const lostFocus = !active || active === document.body || find("actions").contains(active);
  const draft = sent ? "" : find("say")?.value || "";
  const onLine = isOnLine();
  const status = await takePage(commit);
  if (status === 401) return location.reload();
  if (status !== 200) return false;
  if (draft && find("say")) find("say").value = draft;
  if (turn && turn !== ended) {
    // The next turn has begun meanwhile.
    markNow();
    wait(find("doing").textContent);
    return true;
  }
  if (turn && find(`turn-${commit}`)) over = turn.operation;
  const rolledAt = turn?.rolledAt;
  const had = Boolean(turn);
  if (turn) turn.drop();
  turn = null;
  markNow();
  stopWaiting();
  if (onLine) place();
  const last = find("turns").querySelector(".turn:last-of-type");
  if (lostFocus && last && sent) last.focus({ preventScroll: true });
  if (had && last) letFall(last, rolledAt);
  sent = null;
  return true;
}

const hear = {
  "turn.accepted"(data, news) {
    if (sent?.id === news.operation_id) hearBack(sent.unheard);
    beginTurn(news.operation_id, wordsOf(data.said));
  },
  "narration.delta": (data, news) => { beginTurn(news.operation_id, ""); turn?.add(data.text); },
  "narration.reset": (data, news) => { beginTurn(news.operation_id, ""); turn?.reset(data.text, data.voids_rolls); },
  "dice.rolled": (data) => turn?.roll(data.roll),
  "change.refused": (data) => turn?.line("refusals", data.text),
  "trigger.fired": (data) => turn?.line("events", data.text),
  activity(data, news) {
    beginTurn(news.operation_id, "");
    if (!turn) return;
    if (data.usual_seconds) find("waiting").dataset.usual = data.usual_seconds;
    find("skip").hidden = !data.can_skip;
    wait(data.text);
  },
  async "turn.committed"(data) {
    if (turn || !find(`turn-${data.commit}`)) await refresh(data.commit);
    const told = find("turns").querySelectorAll(".turn:last-of-type .narration p");
    announce([...told].map((one) => one.textContent).join(" "));
    keepStory();
  },
  "turn.degraded": (data, news) => fail(data, news),
  "turn.failed": (data, news) => fail(data, news),
  background: (data) => { if (data.trouble) say(data.text); },
};

// Another tab may fail, because this one was first; that is no news here.
function fail(data, news) {
  const operation = sent?.id ?? turn?.operation;
  if (!news.operation_id || news.operation_id === operation) end(data.message);
}

async function end(message, text) {
  const words = text ?? sent?.text ?? "";
  await refresh();
  say(message);
  const line = find("say");
  if (line && words && !line.value) line.value = words;
}

// Sending: the same operation id however often it is sent, so that a turn is never taken twice.
async function post(path, body) {
  for (let at = 0; ; at += 1) {
    try {
      const answer = await fetch(api + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.status !== 503 || at >= RETRIES_MS.length) return answer;
    } catch (error) {
      if (at >= RETRIES_MS.length) throw error;
    }
    say(words.lost);
    await new Promise((done) => setTimeout(done, RETRIES_MS[at]));
  }
}

async function send(form, submitter) {
  if (sent) return;
  const body = Object.fromEntries(new FormData(form, submitter));
  if (body.note !== undefined && !("notes" in submitter.dataset)) delete body.note;
  body.operation_id = crypto.randomUUID();
  sent = { id: body.operation_id, text: body.text || "" };
  const unheard = setTimeout(() => say(words.silent), ANSWER_MS);
  sent.unheard = unheard;
  beginTurn(sent.id, body.text || wordsOf(body.choice));
  try {
    const answer = await post("/turns", body);
    hearBack(unheard);
    const result = await answer.json();
    if (answer.status === 202) return say("");
    if (answer.status === 401) return location.reload();
    if (answer.status === 409 && result.code === "moved") return await end(words.moved);
    if (answer.status !== 200) return await end([result.detail, result.hint].filter(Boolean).join(" "));
    if (result.reason === "quit") return location.assign("/");
    if (result.kind === "committed") return await refresh(result.commit);
    await end(result.message, result.text || undefined);
  } catch {
    clearTimeout(unheard);
    turn?.drop();
    turn = sent = null;
    markNow();
    stopWaiting();
    say(words.unreachable);
    place();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("turn" in form.dataset)) return;
  event.preventDefault();
  // As in the terminal, the number of a choice is as good as a click on it.
  const chosen = form.elements.text && findChoice(form.elements.text.value.trim());
  if (chosen) {
    form.elements.text.value = "";
    return send(chosen.form, chosen);
  }
  send(form, event.submitter || form.querySelector("button"));
});

// Enter sends, Shift+Enter starts a line; while an input method composes, Enter belongs to it.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  if (field.id !== "say") return;
  event.preventDefault();
  if (field.value.trim()) field.form.requestSubmit();
});

// Digits choose while nothing is being written, unless the player has turned that off.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.documentElement.dataset.keys) return;
  if (event.target.closest("input, textarea, select, [contenteditable]") || find("actions").hidden) return;
  const chosen = /^[1-9]$/.test(event.key) && findChoice(event.key);
  if (chosen) send(chosen.form, chosen);
});

find("stop").addEventListener("click", () => post("/cancel", {}).catch(() => say(words.unreachable)));
find("skip").addEventListener("click", () => post("/skip", {}).catch(() => say(words.unreachable)));

if (!find("waiting").hidden) wait();

followNews(`${api}/news`, Number(words.number), {
  heard(kind, news) { hear[kind]?.(news.data, news); },
  lost() { say(words.lost); },
  async back() {
    say("");
    // A running turn may have ended with the server; events say whether it continues.
    await refresh();
  },
});

// From here on, forms are sent by this script; before, the browser sends them.
document.documentElement.dataset.live = "";
