// The turn that is being told: its text grows at the end only, so that nothing already read moves.

// As on the server; while the end is still to come, what has begun is emphasized already.
const EMPHASIS = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])(?:\1(?!\*)|$)/g;
const BREAK = /\n[ \t]*\n\s*/;

export class LiveTurn {
  constructor(operation, said, words, version) {
    this.operation = operation;
    this.words = words;
    this.text = "";
    this.rest = "";
    this.frame = 0;
    this.element = make("article", "turn");
    this.element.setAttribute("aria-hidden", "true");
    this.element.append(make("h3", "", words.head.replace("{version}", version)));
    if (said) {
      const line = make("p", "said", said);
      line.lang = words.language;
      this.element.append(line);
    }
    this.rolls = make("ul", "rolls");
    this.told = make("div", "narration");
    this.told.lang = words.language;
    this.element.append(this.told);
  }

  add(text) {
    this.text += text;
    this.rest += text;
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  // One write a frame, however many pieces came.
  draw() {
    this.frame = 0;
    // Line breaks at the end may still become a new paragraph.
    const held = /\s*$/.exec(this.rest)[0];
    const [first, ...others] = this.rest.slice(0, this.rest.length - held.length).split(BREAK);
    this.rest = held;
    this.write(first);
    for (const one of others) {
      this.told.append(make("p"));
      this.write(one);
    }
  }

  write(text) {
    if (!text) return;
    const last = this.told.lastElementChild || this.told.appendChild(make("p"));
    this.written = (last.firstChild ? this.written : "") + (last.firstChild ? text : text.trimStart());
    if (this.written.includes("*")) last.replaceChildren(...emphasize(this.written));
    else if (last.firstChild) last.firstChild.appendData(text);
    else last.append(this.written);
  }

  reset(text, voidsRolls) {
    this.told.replaceChildren();
    this.text = this.rest = "";
    if (voidsRolls) this.rolls.replaceChildren();
    this.add(text);
  }

  roll(roll) {
    if (!this.rolls.parentNode) this.told.before(this.rolls);
    const row = make("li", "roll");
    const outcome = roll.outcome || "";
    if (outcome.includes("success")) row.classList.add("good");
    else if (outcome.includes("fail") || outcome === "blocked") row.classList.add("bad");
    if (roll.faces.length) {
      const faces = make("span", "faces");
      for (const face of roll.faces.slice(0, 20)) faces.append(make("span", "die", String(face)));
      row.append(faces);
    }
    row.append(make("span", "result", roll.text));
    if (roll.chances) row.append(make("span", "chances", roll.chances.text));
    this.rolls.append(row);
  }

  line(kind, text) {
    let list = this.element.querySelector(`.${kind}`);
    if (!list) {
      list = make("ul", `quiet ${kind}`);
      list.lang = this.words.language;
      this.element.append(list);
    }
    list.append(make("li", "", text));
  }

  drop() {
    cancelAnimationFrame(this.frame);
    this.element.remove();
  }
}

function emphasize(text) {
  const pieces = [];
  let at = 0;
  for (const found of text.matchAll(EMPHASIS)) {
    pieces.push(text.slice(at, found.index), make("em", "", found[2]));
    at = found.index + found[0].length;
  }
  return [...pieces, text.slice(at)];
}

function make(name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text) element.textContent = text;
  return element;
}
