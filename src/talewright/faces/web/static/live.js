// The turn in progress: its text grows at the end only, so that nothing already read moves.

import { BREAK, drawRoll, isQuoted, make, tell } from "./components.js";

export class LiveTurn {
  constructor(operation, said, words, version) {
    this.operation = operation;
    this.words = words;
    this.text = "";
    this.rest = "";
    this.frame = 0;
    this.rolledAt = null;
    this.element = make("article", "turn");
    this.element.setAttribute("aria-hidden", "true");
    this.element.append(make("h3", "", words.head.replace("{version}", version)));
    this.rolls = make("ul", "rolls falling");
    this.told = make("div", "narration");
    this.told.lang = words.language;
    this.element.append(this.told);
    this.say(said);
  }

  // What the player said, once it is known.
  say(said) {
    if (!said || this.element.querySelector(".said")) return;
    const line = make("p", "said", said);
    line.lang = this.words.language;
    this.element.firstChild.after(line);
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
    const quoted = isQuoted(this.written);
    if (quoted) last.className = "quote";
    if (quoted || this.written.includes("*")) last.replaceChildren(...tell(this.written, true));
    else if (last.firstChild) last.firstChild.appendData(text);
    else last.append(this.written);
  }

  reset(text, voidsRolls) {
    this.told.replaceChildren();
    this.text = this.rest = "";
    if (voidsRolls) this.rolls.replaceChildren();
    this.add(text);
  }

  // Late dice belong to what the words start; they come with the finished turn.
  roll(roll) {
    if (roll.late) return;
    if (!this.rolls.parentNode) this.told.before(this.rolls);
    const line = roll.brief ? this.fold(roll) : drawRoll(roll, this.words);
    if (line) this.rolls.append(line);
    this.rolledAt ??= performance.now();
  }

  // What others roll in a row stays on one line.
  fold(roll) {
    const last = this.rolls.lastElementChild;
    if (!last?.classList.contains("folded")) return make("li", "folded", roll.brief);
    last.append(" · ", roll.brief);
    return null;
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
