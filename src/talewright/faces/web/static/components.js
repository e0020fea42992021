// Pieces of the table that scripts draw, here and in the MCP App. Values become text, never markup.

const SVG = "http://www.w3.org/2000/svg";
// As on the server; while the end is still to come, what has begun is emphasized already.
const EMPHASIS = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?!\*)/g;
const BEGUN = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])(?:\1(?!\*)|$)/g;
const DICE_MAX = 20;
const CELLS_MAX = 60;
const SHARE_CELLS = 50;
const STRIP_WIDTH = 400;
const WINS = ["success", "partial_success", "critical_success"];

export const BREAK = /\n[ \t]*\n\s*/;

export function make(name, kind, ...content) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...content.flat(Infinity).filter((one) => one || one === 0));
  return element;
}

export function draw(name, attributes, ...content) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content.flat(Infinity).filter(Boolean));
  return element;
}

function emphasize(text, goesOn) {
  const pieces = [];
  let at = 0;
  for (const found of text.matchAll(goesOn ? BEGUN : EMPHASIS)) {
    pieces.push(text.slice(at, found.index), make("em", "", found[2]));
    at = found.index + found[0].length;
  }
  return [...pieces, text.slice(at)].filter(Boolean);
}

// Markdown puts `>` before every line of a quotation.
export function isQuoted(text) {
  return text.startsWith(">");
}

export function tell(text, goesOn) {
  return emphasize(isQuoted(text) ? text.replace(/^> ?/gm, "") : text, goesOn);
}

export function drawFaces(faces) {
  const dice = make("span", "faces", faces.slice(0, DICE_MAX).map((face) => make("span", "die", String(face))));
  dice.ariaHidden = "true";
  return dice;
}

const SIGNS = {
  good: [["circle", { cx: 8, cy: 8, r: 7 }], ["path", { d: "M4.6 8.3l2.3 2.4 4.5-5" }]],
  bad: [["path", { d: "M8 .8L15.2 8 8 15.2.8 8z" }], ["path", { d: "M8 4.4v4.4M8 10.4v1.7" }]],
};

// Good or bad for the player, without its colour too.
export function drawSign(favor) {
  const shapes = SIGNS[favor]?.map(([name, given]) => draw(name, { fill: "none", stroke: "currentColor", "stroke-width": 1.7, ...given }));
  return shapes ? draw("svg", { class: "sym", viewBox: "0 0 16 16", "aria-hidden": "true" }, shapes) : null;
}

// A check: the chance, the odds, where it fell and what that means. Any other roll is a line.
export function drawRoll(roll, words) {
  const favor = roll.favor || "";
  const strip = drawStrip(roll);
  const dice = words.dice ? make("span", "unseen", words.dice + (words.colon || "")) : null;
  if (!strip) return make("li", "roll", dice, favor ? make("span", favor, drawSign(favor)) : null, " ", make("span", "result", roll.text));
  return make(
    "li", "roll check", dice,
    make(
      "p", "odds",
      make("span", "chance", `${percent(roll.chances.success)}%`, make("small", "", ` ${words.chance}`)),
      roll.stakes ? [" ", make("span", "stake", make("small", "", words.atStake ?? words.at_stake), " ", roll.stakes)] : null,
      " ", make("span", "skill", roll.subject || ""),
    ),
    strip,
    make("p", "fell", make("span", `verdict ${favor}`, drawSign(favor), roll.verdict || ""), " ", make("span", "", roll.figures || "")),
  );
}

function percent(share) {
  const rounded = Math.round(share * 1000) / 10;
  if (share <= 0 || share >= 1 || (rounded > 0 && rounded < 100)) return String(rounded);
  return share < 0.5 ? "<0.1" : ">99.9";
}

// As on the server: each cell as wide as it was likely, tall where the check succeeds.
function drawStrip({ chances, total, outcome }) {
  if (chances?.success == null) return null;
  const wins = (word) => WINS.includes(word);
  let cells, at;
  if (chances.at != null) {
    const edge = Math.round(chances.success * SHARE_CELLS) / SHARE_CELLS;
    cells = Array.from({ length: SHARE_CELLS }, (_, place) => [1 / SHARE_CELLS, place < edge * SHARE_CELLS - 0.5]);
    at = wins(outcome) ? Math.min(chances.at, edge - 0.01) : Math.max(chances.at, edge + 0.01);
    at = Math.min(Math.max(at, 0.005), 0.995);
  } else {
    const fell = chances.totals.indexOf(total);
    if (fell < 0 || chances.totals.length > CELLS_MAX) return null;
    cells = chances.shares.map((share, place) => [share, wins(chances.outcomes[place])]);
    at = chances.shares.slice(0, fell).reduce((sum, share) => sum + share, chances.shares[fell] / 2);
  }
  let left = 0;
  const bars = cells.map(([share, hit]) => {
    const [x, wide] = [left, share * STRIP_WIDTH];
    left += wide;
    return draw("rect", { class: hit ? "hit" : "", x, y: hit ? 19 : 29, width: Math.max(wide - 1.4, wide / 2), height: hit ? 17 : 7 });
  });
  const lines = [["around", "M0 7v29"], ["", "M0 7v29"], ["head", "M0 7v.01"]].map(([kind, d]) => draw("path", { class: kind, d }));
  const mark = draw("g", { class: "mark", transform: `translate(${at * STRIP_WIDTH})` }, lines);
  return draw("svg", { class: "strip", viewBox: `0 0 ${STRIP_WIDTH} 36`, preserveAspectRatio: "none", "aria-hidden": "true" }, bars, mark);
}
