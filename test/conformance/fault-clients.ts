// A failure loads this with the first watch that it changes, which could take longer than the turns that count as silence.
import "../../src/scenario/watch-format.ts";
import { setImmediate as turn } from "node:timers/promises";
import { turn as turnOfTimers } from "../../src/apimachinery/clock.ts";
import type { Cluster, KubeObject, VirtualClock } from "../../src/index.ts";
import type { Fetch } from "../../src/transports/web/fetch.ts";
import { fetchOf } from "./masked-names.ts";

/** The verbs of requests for resources. */
export const verbs = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
] as const;
export type Verb = (typeof verbs)[number];

/** What a client has felt: how its requests were answered, and how the stream of a watch arrived. */
export interface Felt {
  /** The answers, or how there was none. */
  readonly text: string;
  /** The same with the borders of the chunks. */
  readonly chunks: string;
}

/** How the requests of a client look: as short as possible, or with everything that a fault may need. */
export type Style = "plain" | "complete";

export const policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
const turnsUntilSilent = 40;
const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

/** A network policy. */
export const policy = (name: string) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name, namespace: "default" },
  spec: { podSelector: {} },
});

/** A client that sends the requests of one verb and records what it feels. */
export class FaultClient {
  readonly #cluster: Cluster;
  readonly #fetch: Fetch;
  readonly #clock: VirtualClock;
  readonly #token: string;
  readonly #chunks: string[] = [];

  constructor(cluster: Cluster, clock: VirtualClock) {
    this.#cluster = cluster;
    this.#fetch = fetchOf(cluster);
    this.#clock = clock;
    this.#token = cluster.token("alice");
  }

  /** Sends the requests of a verb. Another client writes the object before, if the requests are complete. */
  async send(verb: Verb, style: Style, inject: () => void): Promise<Felt> {
    const ownWatch =
      style === "complete"
        ? await this.#open("/apis/networking.k8s.io/v1/networkpolicies?watch=1")
        : undefined;
    inject();
    if (style === "complete") await this.#cluster.patch("networking.k8s.io/v1", "NetworkPolicy", "c", label);
    const readOwnWatch = async () => {
      for (;;) if ((await ownWatch?.body?.getReader().read())?.done !== false) return;
    };
    await this.#requests(verb, style, readOwnWatch);
    return { text: this.#chunks.join(""), chunks: this.#chunks.join("|") };
  }

  async #requests(verb: Verb, style: Style, meanwhile: () => Promise<void>): Promise<void> {
    const ask = (path: string, method = "GET", body?: object, type?: string) =>
      this.#ask(path, { method, ...(body && { body: JSON.stringify(body) }) }, type, meanwhile);
    const complete = style === "complete";
    const current = await this.#cluster.get("networking.k8s.io/v1", "NetworkPolicy", "c");
    const { resourceVersion = "" } = current.metadata;
    switch (verb) {
      case "get":
        return void (await ask(`${policies}/c${complete ? "?resourceVersion=0" : ""}`));
      case "list":
        if (complete) await ask(`${policies}?resourceVersion=0`);
        return this.#listPages(complete, ask);
      case "watch":
        return this.#watch(
          complete ? `resourceVersion=0&${streaming}` : `resourceVersion=${resourceVersion}`,
        );
      case "create":
        return void (await ask(policies, "POST", policy("d")));
      case "update":
        return void (await ask(`${policies}/c`, "PUT", complete ? changed(current) : policy("c")));
      case "patch": {
        const metadata = complete ? { resourceVersion } : {};
        const patch = { metadata: { ...metadata, labels: { changed: "yes" } } };
        return void (await ask(`${policies}/c`, "PATCH", patch, "application/merge-patch+json"));
      }
      case "delete":
        return void (await ask(`${policies}/c`, "DELETE", complete ? deletion(resourceVersion) : undefined));
      case "deletecollection":
        return void (await ask(policies, "DELETE"));
    }
  }

  async #listPages(complete: boolean, ask: (path: string) => Promise<string>): Promise<void> {
    if (!complete) return void (await ask(policies));
    const first = await ask(`${policies}?limit=1`);
    const [, token] = /"continue":"([^"]+)"/.exec(first) ?? [];
    if (token !== undefined) await ask(`${policies}?limit=1&continue=${token}`);
    await ask("/apis/networking.k8s.io/v1/namespaces/nowhere/networkpolicies");
  }

  /** Sends a request; if there is no answer, lets time pass and reads its own watch. */
  async #ask(
    path: string,
    init: RequestInit,
    type: string | undefined,
    meanwhile: () => Promise<void>,
  ): Promise<string> {
    const answered = this.#answer(path, init, type);
    let seen = await orSilent(answered);
    if (seen === silent) {
      void meanwhile().catch(() => {});
      await this.#clock.advance("1m");
      seen = `late ${await orSilent(answered)}`;
    }
    this.#chunks.push(seen);
    return seen;
  }

  async #answer(path: string, init: RequestInit, type: string | undefined): Promise<string> {
    try {
      const response = await this.#open(path, init, type);
      const pieces: string[] = [`${response.status} ${response.headers.get("connection")} `];
      const reader = response.body?.getReader();
      for (;;) {
        const piece = await reader?.read();
        if (piece?.value === undefined) return pieces.join("|");
        pieces.push(Buffer.from(piece.value).toString("latin1"));
      }
    } catch {
      return "failed";
    }
  }

  /** Opens a watch, is slow after the first chunk, and reads the rest while another client creates an object. */
  async #watch(query: string): Promise<void> {
    const opening = this.#open(`${policies}?watch=1&${query}`).catch(() => undefined);
    let response = await Promise.race([opening, turns().then(() => silent)]);
    if (response === silent) {
      await this.#clock.advance("1m");
      this.#chunks.push("late ");
      response = await Promise.race([opening, turns().then(() => silent)]);
    }
    if (response === undefined || typeof response === "string") {
      this.#chunks.push(response ?? "failed");
      return;
    }
    this.#chunks.push(`${response.status} ${response.headers.get("connection")} `);
    const reader = response.body?.getReader();
    const next = async () => {
      try {
        const piece = await reader?.read();
        return piece?.value === undefined ? "ended" : Buffer.from(piece.value).toString("latin1");
      } catch {
        return "broken";
      }
    };
    let hasCreated = false;
    let pending = next();
    for (;;) {
      const piece = await orSilent(pending);
      if (piece === silent && !hasCreated) {
        hasCreated = true;
        await this.#cluster.create(policy("late"));
        continue;
      }
      this.#chunks.push(piece);
      if (piece === silent || piece === "ended" || piece === "broken") return;
      await turns();
      pending = next();
    }
  }

  #open(path: string, init: RequestInit = {}, type = "application/json"): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": type };
    return this.#fetch(`https://cluster.test${path}`, { ...init, headers });
  }
}

const label = { metadata: { labels: { written: "again" } } };
const silent = "silent";

function changed(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { changed: "yes" } } };
}

function deletion(resourceVersion: string): object {
  return { apiVersion: "v1", kind: "DeleteOptions", preconditions: { resourceVersion } };
}

async function turns(): Promise<void> {
  for (let n = 0; n < turnsUntilSilent; n++) await turn();
  // What waits for a turn of the runtime's timers may come after all of these.
  for (let n = 0; n < 3; n++) await turnOfTimers();
}

function orSilent(answered: Promise<string>): Promise<string> {
  return Promise.race([answered, turns().then(() => silent)]);
}
