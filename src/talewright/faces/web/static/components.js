// Pieces of the table that scripts draw, here and in the MCP App. Values become text, never markup.

const SVG = "http://www.w3.org/2000/svg";
// As on the server; while the end is still to come, what has begun is emphasized already.
const EMPHASIS = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?!\*)/g;
const BEGUN = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])(?:\1(?!\*)|$)/g;
const DICE_MAX = 20;
const BARS_MAX = 60;

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

// What fell, what it means, how likely it was.
export function drawRoll(roll, dice) {
  const outcome = roll.outcome || "";
  const kind = outcome.includes("success") ? " good" : outcome.includes("fail") || outcome === "blocked" ? " bad" : "";
  return make(
    "li", `roll${kind}`,
    roll.faces?.length ? drawFaces(roll.faces) : null,
    dice ? make("span", "unseen", dice) : null,
    make("span", "result", roll.text),
    roll.chances ? make("span", "chances", drawSpread(roll), roll.chances.text) : null,
  );
}

function drawSpread({ chances, total }) {
  const { totals, shares, outcomes } = chances;
  if (!totals?.length || totals.length > BARS_MAX) return null;
  const most = Math.max(...shares) || 1;
  const bars = totals.map((value, at) => {
    const high = (shares[at] / most) * 19;
    const kind = value === total ? "fell" : outcomes[at]?.includes("success") ? "good" : "";
    return draw("rect", { class: kind, x: at * 4, y: 20 - high, width: 3, height: high });
  });
  return draw("svg", { class: "spread", viewBox: `0 0 ${totals.length * 4} 20`, "aria-hidden": "true" }, bars);
}
