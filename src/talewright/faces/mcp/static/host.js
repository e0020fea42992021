// The host of the app: JSON-RPC by messages between windows, as the specification of MCP Apps has it.

const asked = new Map();
let lastId = 0;

function post(message) {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

export function tellHost(method, params) {
  post({ method, params });
}

export function askHost(method, params) {
  lastId += 1;
  post({ id: lastId, method, params });
  return new Promise((done, fail) => asked.set(lastId, { done, fail }));
}

// `listeners` by method; what the host asks is answered at once.
export function listenToHost(listeners) {
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    if (data.method) {
      listeners[data.method]?.(data.params || {});
      if (data.id === undefined) return;
      const known = data.method === "ping" || data.method === "ui/resource-teardown";
      post({ id: data.id, ...(known ? { result: {} } : { error: { code: -32601, message: "unknown method" } }) });
    } else if (asked.has(data.id)) {
      const { done, fail } = asked.get(data.id);
      asked.delete(data.id);
      if (data.error) fail(data.error);
      else done(data.result);
    }
  });
}

export function reportSize() {
  let told = "";
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (told === `${innerWidth} ${height}`) return;
    told = `${innerWidth} ${height}`;
    tellHost("ui/notifications/size-changed", { width: innerWidth, height });
  }).observe(document.documentElement);
}
