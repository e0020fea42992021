// The server's own page, taken apart: what changed is put in place, what is being read stays where it is.

import { turnDials } from "./dials.js";

const SWAPPED = ["status", "place", "actions", "margin-note", "side", "author"];
let asked = null; // the page that is on its way
let next = null; // the page after it

// The status of the answer; 0 if the server cannot be reached. A page that is on its way may be too old already; if a
// turn is wanted and it has that turn, it is not.
export async function takePage(commit) {
  if (asked && commit) {
    const status = await asked;
    if (document.getElementById(`turn-${commit}`)) return status;
  }
  if (asked) {
    return (next ||= asked.then(() => {
      next = null;
      return asked || takePage();
    }));
  }
  return (asked = load().then((page) => {
    asked = null;
    if (page.document) swap(page.document);
    return page.status;
  }));
}

function load() {
  // As a document, never as a string: nothing here turns text into markup.
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.pathname);
    request.responseType = "document";
    request.onload = () => done({ status: request.status, document: request.status === 200 && request.responseXML });
    request.onerror = () => done({ status: 0, document: null });
    request.send();
  });
}

function swap(page) {
  document.title = page.title;
  document.body.className = page.body.className;
  for (const id of SWAPPED) {
    const fresh = page.getElementById(id);
    const old = document.getElementById(id);
    if (!fresh || !old || isSame(fresh, old)) continue;
    const top = old.scrollTop;
    old.replaceChildren(...take(fresh.childNodes));
    old.hidden = fresh.hidden;
    old.scrollTop = top;
  }
  turnDials(page);
  const turns = page.getElementById("turns");
  if (turns) swapTurns(turns);
}

// Whether nothing changed but the ids of operations: then the focus stays where it is.
function isSame(fresh, old) {
  const [one, other] = [fresh, old].map((node) => node.cloneNode(true));
  for (const field of [one, other].flatMap((node) => [...node.querySelectorAll("[name=operation_id]")])) field.remove();
  return one.isEqualNode(other);
}

function swapTurns(fresh) {
  const turns = document.getElementById("turns");
  const wanted = [...fresh.querySelectorAll(".turn")].map((turn) => turn.id);
  const known = [...turns.querySelectorAll(".turn")];
  const common = known.findIndex((turn) => wanted.includes(turn.id));
  // Turns above the first common one stay: they were read before. Others that are gone were undone.
  known.forEach((turn, at) => {
    if ((common < 0 || at > common) && !wanted.includes(turn.id)) turn.remove();
  });
  for (const turn of fresh.querySelectorAll(".turn")) {
    if (!document.getElementById(turn.id)) turns.append(...take([turn]));
  }
}

function take(nodes) {
  return [...nodes].map((node) => document.importNode(node, true));
}
