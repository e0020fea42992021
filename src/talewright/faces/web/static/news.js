// The news of a campaign: one stream while the page is in sight, resumed where it broke off.

const KINDS = [
  "turn.accepted", "narration.delta", "narration.reset", "activity", "dice.rolled", "change.refused",
  "trigger.fired", "turn.committed", "turn.degraded", "turn.failed", "game.ended", "background",
];
const PAUSE_MS = 1500;

export function followNews(address, number, listener) {
  let stream = null;
  let broken = false;
  let pausing = 0;

  function open() {
    clearTimeout(pausing);
    if (stream || document.hidden) return;
    stream = new EventSource(`${address}?after=${number}`);
    for (const kind of KINDS) {
      stream.addEventListener(kind, (event) => {
        const news = JSON.parse(event.data);
        number = Math.max(number, news.number);
        listener.heard(kind, news);
      });
    }
    stream.addEventListener("open", () => {
      if (broken) listener.back();
      broken = false;
    });
    stream.addEventListener("error", () => {
      if (!broken) listener.lost();
      broken = true;
      // After some answers a browser gives up for good.
      if (stream?.readyState === EventSource.CLOSED) {
        close();
        pausing = setTimeout(open, PAUSE_MS);
      }
    });
  }

  function close() {
    stream?.close();
    stream = null;
  }

  // Browsers allow a server six connections: pages out of sight give theirs back, and catch up later.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}
