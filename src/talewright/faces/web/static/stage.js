// The stage: the current turn on its line, the choices at hand, and the band out of the reader's way.

const root = document.documentElement;
const find = (id) => document.getElementById(id);
const foot = find("foot");
const phone = matchMedia("(max-width: 56.2em)");
const SETTLED_MS = 800;
const NEAR_PX = 2;
const READING_PX = 24;
const REST_SHARE = 0.3;
const LOW_PX = 720; // in windows this low, two choices need more of the height
const LOW_SHARE = 0.4;
const MOST_SHARE = 0.5; // for a question that has to be answered

let home = 0; // where the page stands with the current turn on its line
let heldFor = 0;

// The sign before the turn that is told now, or was told last.
export function markNow() {
  const now = find("now") || document.createElement("span");
  now.id = "now";
  const last = find("live").querySelector(".turn") || find("turns").querySelector(".turn:last-of-type");
  if (last && now.nextElementSibling !== last) last.before(now);
}

export function place() {
  measure();
  find("now")?.scrollIntoView({ block: "start", behavior: "instant" });
  home = scrollY;
  document.body.classList.remove("reading");
}

export function isOnLine() {
  return Math.abs(scrollY - home) <= NEAR_PX;
}

// On a phone the foot is a sheet: at rest it shows two choices; the rest comes up as one reads to the end.
function measure() {
  foot.classList.remove("brief", "briefer");
  const rest = phone.matches ? findRest() : foot.offsetHeight;
  root.style.setProperty("--foot", `${rest}px`);
  root.style.setProperty("--rest", `${rest}px`);
  root.style.setProperty("--whole", `${foot.offsetHeight}px`);
  heldFor = foot.offsetHeight;
}

function findRest() {
  const shown = [...foot.querySelectorAll(".choices li")].slice(0, 2).at(-1);
  if (!shown?.offsetParent) return Math.min(foot.offsetHeight, innerHeight * MOST_SHARE);
  const most = innerHeight * (innerHeight < LOW_PX ? LOW_SHARE : REST_SHARE);
  const needed = () => Math.ceil(shown.getBoundingClientRect().bottom - foot.getBoundingClientRect().top) + 12;
  for (const shorter of ["brief", "briefer"]) {
    if (needed() <= most) break;
    foot.classList.add(shorter);
  }
  return Math.min(needed(), foot.offsetHeight);
}

function openSheet(isOpen) {
  const before = foot.getBoundingClientRect().top;
  foot.classList.toggle("open", isOpen);
  find("sheet")?.setAttribute("aria-expanded", String(isOpen));
  const moved = before - foot.getBoundingClientRect().top;
  if (!moved || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  foot.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 200, easing: "ease-out" });
}

// The mark of a roll runs on where it was; what settled long ago rests.
export function letFall(turn, rolledAt) {
  const check = turn.querySelector(".roll.check");
  const passed = rolledAt ? performance.now() - rolledAt : 0;
  if (!check || passed >= SETTLED_MS) return;
  check.parentNode.classList.add("falling");
  for (const one of check.getAnimations({ subtree: true })) one.currentTime = passed;
}

document.addEventListener("click", (event) => {
  const sheet = event.target.closest("#sheet");
  if (sheet) openSheet(!foot.classList.contains("open"));
  const menu = find("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  for (const one of document.querySelectorAll(".falling")) one.classList.add("settled");
  if (event.key !== "Escape") return;
  const menu = find("menu");
  if (menu?.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (foot.classList.contains("open")) {
    openSheet(false);
  }
});

// What is written in must be in sight, above the keys of a phone.
foot.addEventListener("focusin", (event) => {
  if (phone.matches && event.target.matches("textarea") && !foot.classList.contains("open")) openSheet(true);
});

addEventListener("scroll", () => {
  document.body.classList.toggle("reading", Math.abs(scrollY - home) > READING_PX);
}, { passive: true });

// Whatever changes a height while the turn is on its line leaves it there.
function keepOnLine() {
  if (isOnLine()) place();
  else measure();
}

new ResizeObserver(() => {
  if (foot.offsetHeight === heldFor) return;
  if (foot.classList.contains("open") && find("actions").hidden) openSheet(false);
  keepOnLine();
}).observe(foot);

// The browser would go back to a height at which another turn stands by now.
history.scrollRestoration = "manual";
const target = location.hash.slice(1);
const isElsewhere = Boolean(target) && target !== "now" && find(target) !== null;
markNow();
if (isElsewhere) measure();
else place();
document.fonts?.ready.then(keepOnLine);
addEventListener("resize", keepOnLine);
addEventListener("pageshow", (event) => {
  if (event.persisted || !isElsewhere) place();
});
