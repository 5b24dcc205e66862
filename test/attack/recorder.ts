import type { Random } from "../conformance/random.ts";
import type { Answered, ArenaClient } from "./arena.ts";
import type { Operation, Version } from "./history.ts";
import type { Tally } from "./tally.ts";

const path = "/api/v1/namespaces/default/configmaps";
const keys = ["a", "b", "c", "d"];
const merge = "application/merge-patch+json";

/** The parts of an object that the history is about. */
interface Stored {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly data?: { readonly left?: string; readonly right?: string };
}

/** The version that an object of the API shows. */
export function versionOf({ metadata, data = {} }: Stored): Version {
  const { left = "", right = "" } = data;
  return { uid: metadata.uid, revision: Number(metadata.resourceVersion), left, right };
}

/** Sends random reads and writes of a few objects for many clients at once, and records them. */
export class Recorder {
  operations: Operation[] = [];
  readonly #random: Random;
  readonly #tally: Tally;
  /** Whether faults may keep the outcome of a request from its client. */
  readonly #hasFaults: boolean;
  #position = 0;
  #values = 0;

  constructor(random: Random, tally: Tally, faults: "with faults" | "without faults") {
    this.#random = random;
    this.#tally = tally;
    this.#hasFaults = faults === "with faults";
  }

  /** The work of one client: some requests, each after the answer to the one before. */
  async work(client: ArenaClient, requests: number): Promise<void> {
    const known = new Map<string, Version>();
    for (let count = 0; count < requests; count += 1) {
      const key = this.#random.pick(keys);
      const operation = await this.#one(client, key, known.get(key));
      this.operations.push(operation);
      if (operation.version !== undefined) known.set(key, operation.version);
      for (const [name, version] of operation.items ?? []) known.set(name, version);
    }
  }

  /** A write that the caller sends itself. */
  async record(
    what: "create" | "delete",
    key: string,
    value: string,
    send: () => Promise<unknown>,
  ): Promise<void> {
    const startedAt = this.#tick();
    const answer = await send();
    // The answer to a create is the object.
    const version = what === "create" ? { version: versionOf(answer as Stored) } : {};
    this.operations.push({ what, key, startedAt, endedAt: this.#tick(), status: 200, value, ...version });
  }

  #one(client: ArenaClient, key: string, known: Version | undefined): Promise<Operation> {
    const random = this.#random;
    const action = random.below(100);
    // Half of the writes name the revision that the client has seen.
    const expected = known !== undefined && random.chance(50) ? known.revision : undefined;
    if (action < 20) return this.#write("create", client, "POST", path, key, undefined);
    if (action < 45) return this.#write("update", client, "PUT", `${path}/${key}`, key, expected);
    if (action < 65) return this.#write("patch", client, "PATCH", `${path}/${key}`, key, expected);
    if (action < 75) return this.#delete(client, key, expected);
    if (action < 90) return this.#get(client, key);
    return this.#list(client);
  }

  async #write(
    what: "create" | "update" | "patch",
    client: ArenaClient,
    method: string,
    target: string,
    key: string,
    expected: number | undefined,
  ): Promise<Operation> {
    this.#values += 1;
    const value = `${this.#values}`;
    const metadata = { name: key, ...(expected !== undefined && { resourceVersion: String(expected) }) };
    const body = { metadata, data: { left: value, right: value } };
    const type = what === "patch" ? merge : "application/json";
    return this.#asked(
      what,
      key,
      client,
      method,
      target,
      { value, ...(expected !== undefined && { expected }) },
      body,
      type,
    );
  }

  #delete(client: ArenaClient, key: string, expected: number | undefined): Promise<Operation> {
    const body = expected === undefined ? {} : { preconditions: { resourceVersion: String(expected) } };
    const facts = expected === undefined ? {} : { expected };
    return this.#asked("delete", key, client, "DELETE", `${path}/${key}`, facts, body);
  }

  #get(client: ArenaClient, key: string): Promise<Operation> {
    const mayBeStale = this.#random.chance(30);
    const query = mayBeStale ? "?resourceVersion=0" : "";
    return this.#asked("get", key, client, "GET", `${path}/${key}${query}`, { mayBeStale });
  }

  #list(client: ArenaClient): Promise<Operation> {
    const mayBeStale = this.#random.chance(30);
    return this.#asked("list", "", client, "GET", path + (mayBeStale ? "?resourceVersion=0" : ""), {
      mayBeStale,
    });
  }

  async #asked(
    what: Operation["what"],
    key: string,
    client: ArenaClient,
    method: string,
    target: string,
    facts: Partial<Operation>,
    body?: object,
    type?: string,
  ): Promise<Operation> {
    const startedAt = this.#tick();
    const began = performance.now();
    const answer = await client.ask(method, target, body, type);
    const endedAt = this.#tick();
    this.#tally.count(answer.status, performance.now() - began, `${client.name}: ${method} ${target}`);
    return { what, key, startedAt, endedAt, ...facts, ...this.#outcomeOf(what, answer) };
  }

  /** What the client learns from an answer; a fault may have written it or cut it off. */
  #outcomeOf(
    what: Operation["what"],
    { status, text }: Answered,
  ): Pick<Operation, "status"> & Partial<Operation> {
    const isOrdinary = status === 404 || status === 409 || (status !== undefined && status < 300);
    if (!isOrdinary && !this.#hasFaults)
      this.#tally.found("malformed", `${what} gets ${status ?? "no answer"} ${text.slice(0, 200)}`);
    if (!isOrdinary) return { status: undefined };
    try {
      const object = JSON.parse(text);
      if (status >= 300 || what === "delete") return { status };
      if (what !== "list") return { status, version: versionOf(object) };
      const items = new Map<string, Version>(
        object.items.map((item: Stored) => [item.metadata.name, versionOf(item)]),
      );
      return { status, items, revision: Number(object.metadata.resourceVersion) };
    } catch (error) {
      if (!this.#hasFaults) this.#tally.found("malformed", `${String(error)}: ${text.slice(0, 200)}`);
      return { status: undefined };
    }
  }

  #tick(): number {
    this.#position += 1;
    return this.#position;
  }
}
