// Status bar, cards and panels, drawn from a view as the pages of the server draw them.

import { BREAK, draw, drawFaces, drawRoll, isQuoted, make, tell } from "./components.js";

const DOTS_MAX = 6;
const SPOTS_MAX = 64;
const CELL = [120, 64];
const NAME_CELLS_MAX = 14;

const items = (lines) => lines.map((line) => make("li", "", line));
const arrows = (text) => text.replaceAll(" -> ", " → ");

export function drawStatus(entries, words) {
  return make("ul", "", entries.map((one) => make(
    "li", one.critical ? "critical" : "",
    make("span", "label", one.label), " ", make("span", "value", one.text),
    one.delta ? [" ", make("span", "delta", arrows(one.delta))] : null,
    one.critical ? make("span", "unseen", words.critical) : null,
    drawMeter(one.value, one.minimum, one.maximum, one.critical),
  )));
}

export function drawTurn(turn, words, isNew) {
  const at = turn.events_at ?? turn.narration.length;
  // The engine counts characters, and scripts count halves of some.
  const told = [...turn.narration];
  const rolls = (late) => {
    const found = (turn.rolls || []).filter((one) => Boolean(one.late) === late);
    const kind = isNew ? "rolls falling" : "rolls";
    return found.length ? make("ul", kind, found.map((one) => drawRoll(one, words))) : null;
  };
  const quiet = (kind, lines) => (lines?.length ? make("ul", `quiet ${kind}`, items(lines)) : null);
  return make(
    "article", "turn",
    make("h3", "", words.turn.replace("{version}", turn.version)),
    turn.said ? make("p", "said", make("span", "unseen", words.you + words.colon), turn.said) : null,
    rolls(false),
    drawNarration(told.slice(0, at).join("")),
    rolls(true),
    quiet("events", turn.events),
    drawNarration(told.slice(at).join("")),
    quiet("refusals", turn.refusals),
    quiet("changes", turn.changes?.map((one) => arrows(one.text ?? one))),
    turn.stand_in ? make("p", "quiet", turn.stand_in) : null,
  );
}

function drawNarration(text) {
  const told = text.trim().split(BREAK).filter((one) => one.trim());
  return told.length ? make("div", "narration", told.map((one) => make("p", isQuoted(one) ? "quote" : "", tell(one)))) : null;
}

export function drawCard(card, words) {
  const delta = card.delta && card.delta !== `+${card.lines[0]}` ? make("span", "delta", arrows(card.delta)) : null;
  return make(
    "section", card.critical ? "card critical" : "card",
    make("h3", "", card.label, card.critical ? [" ", make("span", "alarm", words.critical)] : null),
    card.lines.length === 1
      ? [make("p", "value", card.lines[0], delta && " ", delta), drawMeter(card.value, card.minimum, card.maximum, card.critical)]
      : [card.delta ? make("p", "delta", arrows(card.delta)) : null, make("ul", "", items(card.lines))],
    card.description ? make("p", "hint", card.description) : null,
  );
}

export function drawPanel(panel, words) {
  const parts = panel.parts || [];
  return make(
    "section", "panel",
    make("h3", "", panel.title),
    parts.length ? parts.map((one) => drawPart(one, words)) : make("ul", "", items(panel.lines)),
  );
}

function drawPart(part, words) {
  const shapes = { meter: drawLevel, chips: drawChips, rolled: drawRolled, table: drawRows, turn_order: drawOrder, map: drawMap, graph: drawMap };
  const shape = shapes[part.kind];
  return make(
    "div", "part",
    part.label ? make("h4", "", part.label) : null,
    (shape && shape(part, words)) || make("ul", "", items(part.words)),
  );
}

function drawMeter(value, minimum, maximum, critical) {
  const low = minimum ?? 0;
  if (value == null || maximum == null || maximum <= low) return null;
  const share = Math.round(100 * Math.min(Math.max((value - low) / (maximum - low), 0), 1));
  return draw(
    "svg", { class: critical ? "meter critical" : "meter", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "track", width: 100, height: 4 }),
    draw("rect", { class: "fill", width: share, height: 4 }),
  );
}

function drawLevel(part) {
  const { value, maximum } = part;
  const said = part.words.join(" ");
  const counts = Number.isInteger(value) && Number.isInteger(maximum) && maximum > 0 && maximum <= DOTS_MAX;
  if (!counts) return [make("p", "value", said), drawMeter(value, 0, maximum)];
  const dots = make("span", "dots", Array.from({ length: maximum }, (_, at) => make("span", at < value ? "dot full" : "dot")));
  dots.ariaHidden = "true";
  return make("p", "value", dots, " ", said);
}

const drawChips = (part) => make("ul", "chips", items(part.words));

const drawRolled = (part) => make("p", "", part.faces.length ? [drawFaces(part.faces), " "] : null, part.words.join(" "));

function drawRows(part) {
  if (!part.rows.length) return null;
  const width = Math.max(...part.rows.map((row) => row.length));
  const cells = (row, first, other) => make("tr", "", Array.from({ length: width }, (_, at) => make(at ? other : first, "", row[at] ?? "")));
  const rows = [...part.rows];
  const head = part.has_head ? make("thead", "", cells(rows.shift(), "th", "th")) : null;
  return make("table", "", head, make("tbody", "", rows.map((row) => cells(row, "th", "td"))));
}

function drawOrder(part) {
  if (!part.rows.length) return null;
  return make("ol", "order", part.rows.map(([who, note], at) => {
    const level = part.levels[at];
    const row = make(
      "li", at === part.current ? "now" : "",
      make("span", "who", who),
      level ? [" ", make("span", "level", `${level[0]}/${level[1]}`), drawMeter(level[0], 0, level[1], level[0] * 4 <= level[1])] : null,
      note ? [" ", make("span", "hint", note)] : null,
    );
    if (at === part.current) row.ariaCurrent = "true";
    return row;
  }));
}

// Null if it has to be shown as words.
function drawMap(part, words) {
  const count = part.rows.length;
  const spots = part.kind === "map" ? part.spots : spread(count);
  const fits = part.links.flat().every((end) => end >= 0 && end < count) && spots.flat().every((at) => at >= 0 && at < SPOTS_MAX);
  if (!count || count > SPOTS_MAX || spots.length !== count || !fits) return null;
  const centers = spots.map((spot) => spot.map((at, axis) => (at + 0.5) * CELL[axis]));
  const [width, height] = CELL.map((size, axis) => size * (1 + Math.max(...spots.map((spot) => spot[axis]))));
  const ways = part.links.map(([one, other]) => draw("line", { x1: centers[one][0], y1: centers[one][1], x2: centers[other][0], y2: centers[other][1] }));
  const places = part.rows.map((row, at) => drawPlace(centers[at], foldName(row.join("")), at === part.current));
  const label = part.label || words[part.kind];
  return [
    draw("svg", { class: "drawing", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ways, places),
    make("ul", "unseen", items(part.words)),
  ];
}

function drawPlace([x, y], lines, isHere) {
  const names = lines.map((line, at) => draw("text", { x, y: y + 4.5 + (at - (lines.length - 1) / 2) * 14 }, line));
  return draw("g", { class: isHere ? "here" : "" }, draw("rect", { x: x - 54, y: y - 18, width: 108, height: 36, rx: 7 }), names);
}

// The nodes of a graph stand around a ring, so that lines between them stay apart.
function spread(count) {
  if (count <= 3) return Array.from({ length: count }, (_, at) => [(at % 2) * 2, at]);
  const half = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, at) => (at < half ? [0, at] : [2, count - 1 - at]));
}

// A name on at most two lines that fit a box; the rest is cut.
function foldName(name) {
  const lines = [""];
  for (const word of name.trim().match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*/g) || []) {
    const last = lines.at(-1);
    if (last && measure((last + word).trimEnd()) > NAME_CELLS_MAX) lines.push("");
    lines[lines.length - 1] += word;
  }
  const kept = lines.slice(0, 2).map((line) => line.trim());
  return kept.map((line, at) => cut(line, at === 1 && lines.length > 2));
}

function cut(line, isShort) {
  let kept = line;
  while (measure(kept) > NAME_CELLS_MAX + 2) kept = [...kept].slice(0, -1).join("");
  return isShort || kept !== line ? `${kept}…` : kept;
}

const measure = (text) => [...text].reduce((sum, char) => sum + (char >= "\u2e80" && char <= "\uffef" ? 2 : 1), 0);
