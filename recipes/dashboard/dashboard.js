// The dashboard contains no test code. Its own server proxies requests to the API.
const pods = "/cluster/api/v1/namespaces/shop/pods";

/** Shows the pods of the shop in an element and updates them until the signal aborts. */
export async function showPods(element, signal) {
  const table = new PodTable(element);
  while (!signal.aborted) {
    try {
      const { items, metadata } = await (await call(pods, { signal })).json();
      table.replace(items);
      await follow(metadata.resourceVersion, table, signal);
    } catch (error) {
      if (signal.aborted) return;
      table.say(error.message);
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter ?? 1_000));
    }
  }
}

/** Watches until the server has discarded our resourceVersion, which ends the watch; then only a new list helps. */
async function follow(resourceVersion, table, signal) {
  for (let from = resourceVersion; !signal.aborted; ) {
    const query = new URLSearchParams({ watch: "true", resourceVersion: from, allowWatchBookmarks: "true" });
    const response = await call(`${pods}?${query}`, { signal });
    for await (const { type, object } of eventsOf(response)) {
      if (type === "ERROR") {
        if (object.code === 410) return;
        throw new Error(object.message);
      }
      from = object.metadata.resourceVersion;
      if (type !== "BOOKMARK") table.change(type, object);
    }
  }
}

async function call(url, init) {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const { message } = await response.json();
  const seconds = response.headers.get("retry-after");
  throw Object.assign(new Error(message), { retryAfter: seconds === null ? undefined : seconds * 1_000 });
}

async function* eventsOf({ body }) {
  let text = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (text + piece.value).split("\n");
    text = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

class PodTable {
  #message = document.createElement("p");
  #body = document.createElement("tbody");

  constructor(element) {
    const table = document.createElement("table");
    table.append(this.#body);
    element.replaceChildren(this.#message, table);
  }

  say(message) {
    this.#message.textContent = message;
  }

  replace(pods) {
    this.#body.replaceChildren(...pods.map(rowOf));
    this.#count();
  }

  change(type, pod) {
    const old = this.#body.querySelector(`#${CSS.escape(pod.metadata.uid)}`);
    if (type === "DELETED") old?.remove();
    else if (old === null) this.#body.append(rowOf(pod));
    else old.replaceWith(rowOf(pod));
    this.#count();
  }

  #count() {
    const { length } = this.#body.children;
    this.say(length === 0 ? "No pods" : `${length} pods`);
  }
}

function rowOf({ metadata, status }) {
  const row = document.createElement("tr");
  row.id = metadata.uid;
  row.insertCell().textContent = metadata.name;
  row.insertCell().textContent = status.phase;
  const remove = document.createElement("button");
  remove.textContent = `Delete ${metadata.name}`;
  remove.onclick = () => fetch(`${pods}/${metadata.name}`, { method: "DELETE" });
  row.insertCell().append(remove);
  return row;
}
