import { setImmediate as turn } from "node:timers/promises";
import {
  accounts,
  Cache,
  type Client,
  collection,
  configMap,
  type Json,
  type JsonEvent,
  type Known,
  newObject,
  origin,
  type RunOptions,
  type Surroundings,
} from "./client.ts";

/**
 * A client written for a server that never fails: every response has the expected content, chunks are lines,
 * watches never end, tokens never expire, and failed requests are retried immediately or not at all.
 */
export class NaiveClient implements Client {
  readonly cache = new Cache();
  isSynced = false;
  readonly #fetch: Surroundings["fetch"];
  readonly #token: string;
  readonly #stopping = new AbortController();
  #resourceVersion: string | undefined;

  constructor({ fetch, newToken }: Surroundings) {
    this.#fetch = fetch;
    this.#token = newToken();
  }

  get hasGoneBack(): boolean {
    return this.cache.hasGoneBack;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async run({ streaming = false, bookmarks = streaming }: RunOptions = {}): Promise<void> {
    if (!streaming) await this.#list("limit=2");
    while (!this.#stopping.signal.aborted) {
      if (!streaming && this.#resourceVersion === undefined) await this.#list("resourceVersion=0");
      const from = streaming
        ? "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
        : `resourceVersion=${this.#resourceVersion}`;
      await this.#watch(`allowWatchBookmarks=${bookmarks}&${from}`);
      // The time that the network would take.
      await turn();
    }
  }

  async create(name: string, kind: "ConfigMap" | "Lease" = "ConfigMap"): Promise<void> {
    const answer = await this.#send("POST", ...newObject(name, kind));
    if (!answer.ok) throw new Error(await answer.text());
  }

  async update(name: string, value: string): Promise<void> {
    const { metadata } = await this.#read(`${collection}/${name}`);
    for (let attempts = 0; attempts < 5; attempts++) {
      const body = configMap(name, value, metadata.resourceVersion);
      if ((await this.#send("PUT", `${collection}/${name}`, body)).ok) return;
    }
    throw new Error("gave up");
  }

  async remove(name: string): Promise<string> {
    const answer = await this.#send("DELETE", `${accounts}/${name}`);
    return ((await answer.json()) as Json).metadata.labels.value;
  }

  async discover(): Promise<readonly string[]> {
    const { groups } = await this.#read("/apis");
    const names: string[] = [];
    for (const { preferredVersion } of groups) {
      const { resources } = await this.#read(`/apis/${preferredVersion.groupVersion}`);
      names.push(...resources.map(({ name }) => name));
    }
    return names;
  }

  async #list(query: string): Promise<void> {
    let list = await this.#read(`${collection}?${query}`);
    this.#resourceVersion = list.metadata.resourceVersion;
    for (;;) {
      for (const item of list.items ?? []) this.cache.put(known(item));
      if (list.metadata.continue === undefined) break;
      list = await this.#read(`${collection}?${query}&continue=${list.metadata.continue}`);
    }
    this.isSynced = true;
  }

  async #watch(query: string): Promise<void> {
    const { signal } = this.#stopping;
    const path = `${collection}?watch=1&${query}`;
    const answer = await this.#send("GET", path, undefined, signal).catch(() => undefined);
    const reader = answer?.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const chunk = await reader?.read().catch(() => undefined);
      if (chunk?.value === undefined) return;
      for (const line of decoder.decode(chunk.value).split("\n")) {
        if (line !== "") this.#handle(JSON.parse(line));
      }
    }
  }

  #handle({ type, object }: JsonEvent): void {
    if (object === undefined) return;
    if (object.metadata.annotations?.["k8s.io/initial-events-end"]) {
      this.isSynced = true;
    } else if (type === "ERROR" && object.code === 410) {
      // The server ends the watch, and the client opens it again.
      this.#resourceVersion = undefined;
      return;
    } else if (type === "DELETED") {
      this.cache.delete(object.metadata.name);
    } else {
      this.cache.put(known(object));
    }
    this.#resourceVersion = object.metadata.resourceVersion;
  }

  async #read(path: string): Promise<Json> {
    return (await (await this.#send("GET", path)).json()) as Json;
  }

  #send(method: string, path: string, body?: string, signal?: AbortSignal): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      "user-agent": "naive",
    };
    return this.#fetch(origin + path, { method, headers, ...(body && { body }), ...(signal && { signal }) });
  }
}

function known(object: Json): Known {
  const { name, resourceVersion } = object.metadata;
  return { name, resourceVersion, value: object.data.value.toUpperCase() };
}
