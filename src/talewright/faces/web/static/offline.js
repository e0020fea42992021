// Reading offline: registers the service worker, and tells it which story was opened or continued.

// The only script that these pages may start by its address.
const policy = window.trustedTypes?.createPolicy("talewright-worker", { createScriptURL: () => "/worker.js" });

const loaded = new Promise((done) => {
  if (document.readyState === "complete") done();
  else addEventListener("load", done, { once: true });
});

const ready = loaded.then(async () => {
  if (!navigator.serviceWorker) return null;
  await navigator.serviceWorker.register(policy ? policy.createScriptURL("") : "/worker.js");
  return navigator.serviceWorker.ready;
}).catch(() => null);

export async function keepStory() {
  const registration = await ready;
  registration?.active.postMessage({ keep: location.pathname });
}

if (document.getElementById("story")) keepStory();
