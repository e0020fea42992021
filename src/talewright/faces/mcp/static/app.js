// The table as an MCP App: draws the player's view from the results of tools, and sends what the player does.

import { make } from "./components.js";
import { drawCard, drawPanel, drawStatus, drawTurn } from "./panels.js";
import { askHost, listenToHost, reportSize, tellHost } from "./host.js";

const find = (id) => document.getElementById(id);
const languages = JSON.parse(find("words").textContent);
const app = JSON.parse(find("about").textContent);

let words = languages.en;
let abilities = {};
let table = null; // {view}: what is drawn
let newest = ""; // the turn whose dice have fallen

function speak(language) {
  words = languages[(language || "").toLowerCase().startsWith("zh") ? "zh-CN" : "en"];
  document.documentElement.lang = words.language;
}

function say(text) {
  find("message").textContent = text;
  find("message").hidden = !text;
}

function wait(text) {
  find("doing").textContent = text;
  find("waiting").hidden = !text;
  find("actions").hidden = Boolean(text);
}

// The whole view comes beside the words; a host that drops it leaves the words.
function readTable(result) {
  const given = result._meta?.[app.key];
  if (given) return given;
  const told = result.structuredContent?.view || result.structuredContent;
  if (told?.version === undefined) return null;
  const label = ({ title, lines }) => ({ label: title, lines });
  const turn = { ...told, rolls: (told.rolls || []).map((text) => ({ text })), narration: told.narration || "" };
  const view = {
    ...told,
    head: "",
    turn,
    status: (told.status || []).map((text) => ({ label: "", text })),
    cards: (told.cards || []).map(label),
    panels: told.panels || [],
    decisions: (told.decisions || []).map((one) => ({ ...one, options: one.options.map(({ id, label: name }) => [id, name]) })),
    end: told.end?.ending ? told.end : null,
  };
  return { view };
}

function readError(result) {
  const text = result.content?.find((one) => one.type === "text")?.text || "";
  try {
    const { message, hint } = JSON.parse(text).error;
    return [message, hint].filter(Boolean).join(" ");
  } catch {
    return text || words.failed;
  }
}

function take(result) {
  wait("");
  if (result.isError) return say(readError(result));
  const given = readTable(result);
  if (!given) return undefined;
  table = given;
  say(result.structuredContent?.message || "");
  drawTable();
  return given;
}

function drawTable() {
  const { view } = table;
  const turn = view.turn?.commit || String(view.version);
  speak(view.language || words.language);
  find("title").textContent = view.title || "";
  find("place").textContent = words.turn.replace("{version}", view.version);
  find("status").replaceChildren(drawStatus(view.status, words));
  find("status").hidden = !view.status.length;
  const told = view.turn ? [drawTurn(view.turn, words, turn !== newest)] : [];
  find("turns").replaceChildren(...(view.notices || []).map((one) => make("p", "notice", one)), ...told);
  find("actions").replaceChildren(...drawActions(view).flat().filter(Boolean));
  const isUrgent = (one) => one.parts?.some((part) => part.kind === "turn_order");
  const panels = view.panels.map((one) => drawPanel(one, words));
  const cards = view.cards.map((one) => drawCard(one, words));
  find("side").replaceChildren(...panels.filter((_, at) => isUrgent(view.panels[at])), ...cards, ...panels.filter((_, at) => !isUrgent(view.panels[at])));
  newest = turn;
}

function drawActions(view) {
  if (view.read_only) return [];
  const cards = view.decisions.map(drawDecision);
  const choices = view.choices.map(drawChoice);
  const ended = view.end && !cards.length && !choices.length;
  if (ended) return [drawEnding(view.end)];
  const maySay = !cards.length && !view.end && (view.free_text || choices.length);
  return [
    view.unfinished ? drawUnfinished(view.unfinished) : null,
    cards,
    choices.length ? make("div", "choices", make("h2", "", words.choices), make("ul", "", choices)) : null,
    maySay ? drawSay(view.free_text ? (choices.length ? words.free : words.choices) : words.fixed) : null,
  ];
}

function drawEnding({ outcome }) {
  const kind = { win: "won", lose: "lost" }[outcome] || "";
  return make("div", `ending ${kind}`, make("h2", "", words.the_end), kind ? make("p", "", words[kind]) : null);
}

function drawButton(kind, content, act) {
  const button = make("button", kind, content);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

function drawChoice(choice) {
  const risk = words.risks[choice.risk];
  const more = [
    choice.hint ? make("span", "hint", choice.hint) : null,
    risk ? [" ", make("span", `risk risk-${choice.risk === "high" ? "high" : "medium"}`, risk)] : null,
  ];
  const content = [make("span", "label", choice.label), choice.hint || risk ? make("span", "more", more) : null];
  return make("li", "", drawButton("", content, () => act("choose", { choice: choice.id }, choice.label)));
}

function drawDecision(card) {
  const note = card.takes_note ? make("textarea") : null;
  if (note) {
    note.rows = 2;
    note.placeholder = note.ariaLabel = words.note;
  }
  const options = card.options.map(([option, label]) => drawButton("", label, () => {
    const takes = note && ["", undefined, option].includes(card.note_with);
    act("answer_decision", { decision: card.id, option, ...(takes ? { note: note.value } : {}) }, label);
  }));
  const lines = card.lines.length ? make("ul", "", card.lines.map((line) => make("li", "", line))) : null;
  return make("div", "decision", make("h2", "", card.question), lines, note, make("p", "buttons", options));
}

function drawUnfinished(said) {
  const go = drawButton("main", words.go_on, () => act("go_on", {}, said));
  return make("div", "decision", make("h2", "", words.unfinished), make("p", "said", said), make("p", "buttons", go));
}

// Frames of a host may not send forms, so Enter is read here.
function drawSay(label) {
  const line = make("textarea");
  const send = () => line.value.trim() && act("say", { text: line.value }, line.value);
  line.id = "say";
  line.rows = 1;
  line.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });
  const name = make("label", "", label);
  name.htmlFor = "say";
  return make("div", "say", name, make("div", "line", line, drawButton("main", words.send, send)));
}

// A player's app takes the turn itself. A game master hears what the player says, as from the player; but only the
// player answers a decision, and the app passes that on to the server.
async function act(tool, given, said) {
  const { view } = table;
  say("");
  try {
    if (app.role !== "player" || !abilities.serverTools) {
      wait(words.told.replace("{said}", said));
      if (tool === "answer_decision" && abilities.serverTools) {
        const proved = { campaign: view.campaign, operation_id: newId(), proof: app.proof, ...given };
        const answered = await askHost("tools/call", { name: tool, arguments: proved });
        if (answered.isError) {
          wait("");
          return say(readError(answered));
        }
      }
      return await tellMaster(given.note ? `${said}: ${given.note}` : said);
    }
    wait(words.wait);
    const named = { campaign: view.campaign, operation_id: newId(), ...given };
    const result = await askHost("tools/call", { name: tool, arguments: named });
    const taken = take(result)?.view.turn;
    if (taken) find("turns").scrollIntoView({ block: "start" });
    if (taken) await tellAssistant(`${app.taken}\n\n> ${taken.said}\n\n${taken.narration}`);
  } catch (error) {
    wait("");
    say(error?.message || words.failed);
  }
  return undefined;
}

async function tellMaster(text) {
  const content = { type: "text", text };
  try {
    await askHost("ui/message", { role: "user", content: [content] });
  } catch {
    // The published text of the specification has one block, hosts have a list.
    await askHost("ui/message", { role: "user", content });
  }
}

// Not every host lets an app say what happened; the turn has been taken all the same.
const tellAssistant = (text) => askHost("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function adapt({ theme, locale }) {
  if (theme) document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
  if (locale && !table) speak(locale);
}

listenToHost({
  "ui/notifications/tool-input": () => table || wait(words.wait),
  "ui/notifications/tool-result": take,
  "ui/notifications/tool-cancelled": () => wait(""),
  "ui/notifications/host-context-changed": adapt,
});

askHost("ui/initialize", {
  appInfo: { name: "talewright", title: "Talewright", version: app.version },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  protocolVersion: "2026-01-26",
}).then((host) => {
  abilities = host.hostCapabilities || {};
  adapt(host.hostContext || {});
  tellHost("ui/notifications/initialized", {});
  reportSize();
});
