// The events of a campaign: one stream for all its tabs, held by a visible one, resumed where it broke off.

const KINDS = [
  "turn.accepted", "narration.delta", "narration.reset", "activity", "dice.rolled", "change.refused",
  "trigger.fired", "turn.committed", "turn.degraded", "turn.failed", "game.ended", "background",
];
const PAUSE_MS = 1500;

export function followNews(address, number, listener) {
  const name = `talewright ${address}`;
  const channel = new BroadcastChannel(name);
  let stream = null;
  let broken = false;
  let pausing = 0;
  let queued = null; // while this tab is in sight: its place in the queue for the stream
  let release = null; // while this tab has the stream

  const takers = {
    news({ kind, news }) {
      if (news.number <= number) return;
      number = news.number;
      listener.heard(kind, news);
    },
    lost() {
      if (!broken) listener.lost();
      broken = true;
    },
    back() {
      if (broken) listener.back();
      broken = false;
    },
    // Another tab has come into sight: send again what it has missed. The others skip what they know.
    joined({ after }) {
      if (!stream) return;
      if (broken) channel.postMessage({ what: "lost" });
      else if (after < number) open(after);
    },
    // Another tab has the stream now.
    led() {
      if (queued && !stream) channel.postMessage({ what: "joined", after: number });
    },
  };

  function tell(message) {
    channel.postMessage(message);
    takers[message.what](message);
  }

  function open(after) {
    clearTimeout(pausing);
    stream?.close();
    stream = new EventSource(`${address}?after=${after}`);
    for (const kind of KINDS) {
      stream.addEventListener(kind, (event) => tell({ what: "news", kind, news: JSON.parse(event.data) }));
    }
    stream.addEventListener("open", () => tell({ what: "back" }));
    stream.addEventListener("error", (event) => {
      tell({ what: "lost" });
      // After some answers a browser gives up for good.
      if (event.target.readyState === EventSource.CLOSED) pausing = setTimeout(() => open(number), PAUSE_MS);
    });
  }

  // Browsers allow a server six connections, so the tabs of a campaign share one. Whoever holds the lock has the
  // stream; when its tab is closed or out of sight, the next one takes over.
  function join() {
    if (queued || document.hidden) return;
    queued = new AbortController();
    const { signal } = queued;
    const lead = () => new Promise((done) => {
      if (signal.aborted) return done();
      release = done;
      open(number);
      channel.postMessage({ what: "led" });
    });
    channel.postMessage({ what: "joined", after: number });
    // Pages that are not on this machine's own address have no locks: each has its own stream.
    if (navigator.locks) navigator.locks.request(name, { signal }, lead).catch(() => {});
    else lead();
  }

  function leave() {
    clearTimeout(pausing);
    stream?.close();
    stream = null;
    queued?.abort();
    queued = null;
    release?.();
    release = null;
  }

  channel.addEventListener("message", ({ data }) => takers[data.what]?.(data));
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : join()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", join);
  join();
}
