// The dials of the picture above the story: after a turn, each part moves to where the new page has it, and rests.

const MOVED = ["transform", "opacity"];

export function turnDials(page) {
  for (const fresh of page.querySelectorAll(".band [data-part]")) {
    const part = document.querySelector(`.band [data-part="${CSS.escape(fresh.dataset.part)}"]`);
    for (const name of part ? MOVED : []) {
      const value = fresh.getAttribute(name);
      if (value === part.getAttribute(name)) continue;
      if (value === null) part.removeAttribute(name);
      else part.setAttribute(name, value);
    }
  }
}
