// The service worker: keeps copies of the stories that were opened here, and shows them when the server cannot be reached.
// It keeps pages that the server makes for this, and answers nothing else.

const KEPT = "talewright-reading-1";
const LIST = "/offline";
const FILES = ["page.css", "speech.js", "icon.svg"].map((name) => `${LIST}/${name}`);
const STORY_BYTES_MAX = 1_000_000; // of one campaign; the newest parts stay
const KEPT_MS_MAX = 30 * 24 * 60 * 60 * 1000; // after the last visit, as long as a login

let work = Promise.resolve();
const waiting = new Map();

// One thing after the other; what waits already is not asked for twice.
function queue(name, job) {
  if (!waiting.has(name)) {
    work = work.then(() => {
      waiting.delete(name);
      return job();
    }).catch(() => {});
    waiting.set(name, work);
  }
  return waiting.get(name);
}

// No one is logged in, or the server has another token and with it another address.
const NO_LOGIN = [401, 421];

const tableOf = (url) => /^\/play\/[^/]+/.exec(new URL(url, location).pathname)?.[0];

// Copies of what no longer exists are dropped, and all of them when no one is logged in any more.
async function tidy() {
  const cache = await caches.open(KEPT);
  const tables = new Set((await cache.keys()).map((request) => tableOf(request.url)).filter(Boolean));
  const query = new URLSearchParams([...tables].map((table) => ["kept", table]));
  const list = await fetch(`${LIST}?${query}`);
  if (NO_LOGIN.includes(list.status)) return caches.delete(KEPT);
  if (!list.ok) return;
  const known = list.headers.get("Talewright-Kept").split(" ");
  await drop(cache, (table) => !known.includes(table));
  await cache.put(LIST, list);
  await cache.addAll(FILES);
}

async function drop(cache, unwanted) {
  for (const request of await cache.keys()) {
    const table = tableOf(request.url);
    if (table && unwanted(table, request.url)) await cache.delete(request);
  }
}

async function keep(table) {
  const cache = await caches.open(KEPT);
  const parts = new Set();
  let left = STORY_BYTES_MAX;
  for (let at = `${table}/reading`; at && left > 0; ) {
    // All parts but the newest end before a turn, and never change.
    let part = at.includes("?") ? await cache.match(at) : undefined;
    if (!part) {
      part = await fetch(at);
      if (!part.ok || part.redirected) break;
      await cache.put(at, part.clone());
    }
    parts.add(new URL(at, location).href);
    left -= Number(part.headers.get("Content-Length"));
    at = /<([^>]+)>; rel="prev"/.exec(part.headers.get("Link") || "")?.[1];
  }
  if (parts.size) await drop(cache, (one, url) => one === table && !parts.has(url));
  await tidy();
}

async function find(url) {
  const cache = await caches.open(KEPT);
  const list = await cache.match(LIST);
  const visited = Date.parse(list?.headers.get("Date") || "");
  if (!(Date.now() - visited < KEPT_MS_MAX)) {
    await caches.delete(KEPT);
    return undefined;
  }
  const table = tableOf(url);
  return (await cache.match(url)) || (table && (await cache.match(`${table}/reading`))) || list;
}

async function show(event) {
  const { url } = event.request;
  try {
    const answer = await fetch(event.request);
    const gone = answer.status === 404 || NO_LOGIN.includes(answer.status);
    if (gone || new URL(url).pathname === "/") event.waitUntil(queue("tidy", tidy));
    return answer;
  } catch (error) {
    const kept = await find(url);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // What needs no worker goes past it.
  const past = ["/api/*", "/static/*"].map((pathname) => ({ urlPattern: { pathname } }));
  event.addRoutes?.({ condition: { or: past }, source: "network" });
});
self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), queue("tidy", tidy)]));
});
self.addEventListener("message", (event) => {
  const table = tableOf(event.data.keep);
  if (table) event.waitUntil(queue(table, () => keep(table)));
});
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  const page = pathname === "/" || pathname === LIST || pathname.startsWith("/play/");
  if ((mode === "navigate" && page) || pathname.startsWith(`${LIST}/`)) event.respondWith(show(event));
});
