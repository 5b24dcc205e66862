import {
  accounts,
  Cache,
  type Client,
  collection,
  configMap,
  type Json,
  type Known,
  newObject,
  origin,
  type RunOptions,
  type Surroundings,
} from "./client.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { readEvents } from "./watch-lines.ts";

/** The duration of a watch, and how much longer the client waits for a silent server, in seconds. */
const watchSeconds = 30;
const graceSeconds = 10;

/** The longest pause before a retry, in seconds. */
const longestPause = 4;

/** A client that expects real servers: it checks every response, waits before retries, and lists when in doubt. */
export class CarefulClient implements Client {
  readonly cache = new Cache();
  isSynced = false;
  readonly #surroundings: Surroundings;
  readonly #stopping = new AbortController();
  #token: string;
  #resourceVersion: string | undefined;
  #streams = false;
  /** The number of failures in a row. */
  #failures = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#token = surroundings.newToken();
  }

  get hasGoneBack(): boolean {
    return this.cache.hasGoneBack;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async run({ streaming = false }: RunOptions = {}): Promise<void> {
    this.#streams = streaming;
    while (!this.#stopping.signal.aborted) {
      try {
        if (this.#resourceVersion === undefined && !this.#streams) await this.#list();
        await this.#watch();
      } catch (error) {
        this.#learnFrom(error);
        await this.#pause(error);
      }
    }
  }

  async create(name: string, kind: "ConfigMap" | "Lease" = "ConfigMap"): Promise<void> {
    await this.#persist(async () => {
      await this.#send("POST", ...newObject(name, kind));
    });
  }

  async update(name: string, value: string): Promise<void> {
    await this.#persist(async () => {
      const { metadata } = await this.#read(`${collection}/${name}`);
      await this.#send("PUT", `${collection}/${name}`, configMap(name, value, metadata.resourceVersion));
    });
  }

  async remove(name: string): Promise<string | undefined> {
    const answer = await this.#send("DELETE", `${accounts}/${name}`);
    const object = (await answer.json()) as Json;
    return object.kind === "Status" ? undefined : object.metadata.labels.value;
  }

  async discover(): Promise<readonly string[]> {
    const { groups } = await this.#read("/apis");
    const names: string[] = [];
    for (const { preferredVersion } of groups) {
      // A group that is down does not affect the others.
      const found = await this.#read(`/apis/${preferredVersion.groupVersion}`).catch(() => undefined);
      names.push(...(found?.resources ?? []).map(({ name }) => name));
    }
    return names;
  }

  /** Lists page by page; objects that are not in the list are removed, even without a watch event. */
  async #list(): Promise<void> {
    let items: readonly Json[] = [];
    let page = await this.#read(`${collection}?limit=2`);
    for (;;) {
      items = [...items, ...(page.items ?? [])];
      const token = page.metadata.continue;
      if (token === undefined || token === "") break;
      page = await this.#read(`${collection}?limit=2&continue=${encodeURIComponent(token)}`);
    }
    this.#replace(items.map(known), page.metadata.resourceVersion);
  }

  #replace(objects: readonly Known[], resourceVersion: string): void {
    this.cache.clear();
    for (const object of objects) this.cache.put(object);
    this.#resourceVersion = resourceVersion;
    this.isSynced = true;
  }

  async #watch(): Promise<void> {
    const deadline = new AbortController();
    const { clock } = this.#surroundings;
    const timer = clock.after((watchSeconds + graceSeconds) * 1000, () => deadline.abort());
    const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
    const initial = this.#resourceVersion === undefined ? new Map<string, Known>() : undefined;
    let isSilent = true;
    try {
      const answer = await this.#send("GET", this.#watchPath(), undefined, signal);
      for await (const event of readEvents(answer)) {
        isSilent = false;
        this.#failures = 0;
        this.#handle(event.type, event.object, initial);
      }
    } finally {
      timer.cancel();
      // The revisions of a server that did not even send bookmarks may have gone back, or it may not support
      // streaming lists.
      if (isSilent || !this.isSynced) this.#begin();
    }
    await this.#pause(undefined);
  }

  #watchPath(): string {
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}`;
    const from = this.#resourceVersion;
    return from === undefined
      ? `${collection}?${query}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`
      : `${collection}?${query}&resourceVersion=${from}`;
  }

  #handle(type: string, object: Json, initial: Map<string, Known> | undefined): void {
    const { name, resourceVersion, annotations } = object.metadata;
    // Watch events have increasing revisions, except after a server was restored from a backup.
    if (Number(resourceVersion) < Number(this.#resourceVersion)) throw new Refusal(410, "Expired", 0);
    if (type === "ADDED" || type === "MODIFIED") {
      if (initial !== undefined && !this.isSynced) initial.set(name, known(object));
      else this.cache.put(known(object));
    } else if (type === "DELETED") {
      this.cache.delete(name);
    } else if (type !== "BOOKMARK") {
      return;
    }
    if (initial === undefined || this.isSynced) this.#resourceVersion = resourceVersion;
    else if (annotations?.["k8s.io/initial-events-end"] === "true")
      this.#replace([...initial.values()], resourceVersion);
  }

  /** Starts again with a list. */
  #begin(): void {
    this.#resourceVersion = undefined;
    this.#streams = false;
  }

  #learnFrom(error: unknown): void {
    if (!(error instanceof Refusal)) return;
    // The client does not repeat a request with an expired revision, a future revision or an unsupported option.
    if (error.code === 410 || error.code === 504 || error.code === 422) this.#begin();
    if (error.code === 401) this.#token = this.#surroundings.newToken();
  }

  /** Retries until it succeeds, except for permanent errors. */
  async #persist(attempt: () => Promise<void>): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      try {
        await attempt();
        this.#failures = 0;
        return;
      } catch (error) {
        if (attempts === 10 || (error instanceof Refusal && !error.passes)) throw error;
        this.#learnFrom(error);
        await this.#pause(error);
      }
    }
  }

  /** As long as the server demands, or longer each time. */
  #pause(error: unknown): Promise<void> {
    const asked = error instanceof Refusal ? error.retryAfterSeconds : 0;
    const own = Math.min(longestPause, 0.5 * 2 ** this.#failures);
    this.#failures += 1;
    return new Promise((resolve) => {
      this.#surroundings.clock.after(Math.max(asked, own) * 1000, resolve);
    });
  }

  async #read(path: string): Promise<Json> {
    return (await (await this.#send("GET", path)).json()) as Json;
  }

  /** @throws {Refusal} for an error response */
  async #send(method: string, path: string, body?: string, signal?: AbortSignal): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      "user-agent": "careful",
    };
    const init = { method, headers, ...(body && { body }), ...(signal && { signal }) };
    const answer = await this.#surroundings.fetch(origin + path, init);
    if (answer.ok) return answer;
    throw await refusalOf(answer);
  }
}

function known(object: Json): Known {
  const { name, resourceVersion } = object.metadata;
  return { name, resourceVersion, value: (object.data?.value ?? "").toUpperCase() };
}
