import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { parse as parseYaml } from "yaml";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../../src/index.ts";
import type { ApiResponse } from "../../../src/request/handler.ts";
import { inProcessPeer } from "../../../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../../../src/request/plain-request.ts";
import { Bindings } from "./bindings.ts";
import { compare, type Difference } from "./compare.ts";
import type { Exchange, UnrecordedRequest } from "./exchange.ts";
import { type AnsweredHeaders, compareHeaders } from "./headers.ts";

/** The result of a replayed exchange. */
export interface Outcome {
  readonly exchange: Exchange;
  readonly differences: readonly Difference[];
}

/** Sends the recorded requests to a new cluster in the same order, and compares the responses. */
export async function replay(
  exchanges: readonly Exchange[],
  prelude: readonly UnrecordedRequest[] = [],
  options: ClusterOptions = {},
): Promise<readonly Outcome[]> {
  const clock = new VirtualClock(beginOf(exchanges));
  const server = new ReplayServer(createCluster({ ...replayOptions(clock), ...options }), clock);
  const bindings = new Bindings();
  const outcomes: Outcome[] = [];
  for await (const outcome of outcomesOf(exchanges, prelude, server, bindings)) outcomes.push(outcome);
  return outcomes;
}

/** The same, exchange by exchange: between two of them the state matches that of the recorded server. */
export async function* outcomesOf(
  exchanges: readonly Exchange[],
  prelude: readonly UnrecordedRequest[],
  server: ReplayServer,
  bindings: Bindings,
): AsyncGenerator<Outcome, void> {
  for (const exchange of exchanges) {
    for (const unrecorded of prelude.filter(({ before }) => before === exchange.n)) {
      await server.ask({ ...unrecorded, as: "admin" });
    }
    await server.settle();
    await server.arriveAt(newestTime(exchange.res.body));
    const answer = await server.ask(exchange.req, bindings, exchange.note);
    yield { exchange, differences: compareAnswer(exchange, answer, bindings) };
  }
}

/** The start time of the recording, judging by its responses. */
export function beginOf(exchanges: readonly Exchange[]): number {
  const first = exchanges.map(({ res }) => newestTime(res.body)).find((time) => time > 0);
  return first ?? Date.UTC(2026, 10, 20);
}

/** The recorded server was an API server without controllers. */
export function replayOptions(clock: VirtualClock): ClusterOptions {
  return {
    clock,
    controllers: [],
    authorizationMode: ["Node", "RBAC"],
    advertiseAddress: "10.0.0.10:16443",
    tokens: recordedTokens,
    // While a watch waits, time passes as often as this process has no other work.
    historyMilliseconds: 60 * 60 * 1000,
  };
}

/** The token file of the recorded server. */
const recordedTokens = {
  admintok: { name: "admin", uid: "uid-admin", groups: ["system:masters"] },
  alicetok: { name: "alice", uid: "uid-alice", groups: ["dev", "ops"] },
  bobtok: { name: "bob", uid: "uid-bob" },
  nodetok: { name: "system:node:n1", uid: "uid-node", groups: ["system:nodes"] },
};

/** The latest time of a write in a recorded response. */
function newestTime(body: unknown): number {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const times = text.match(/\b(?:time|creationTimestamp)\W{1,6}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g) ?? [];
  return Math.max(0, ...times.map((match) => Date.parse(match.slice(-20))));
}

interface Answer extends AnsweredHeaders {
  readonly body: Uint8Array;
}

/** An API server without controllers whose time advances only while a test waits. */
export class ReplayServer {
  readonly #clock: VirtualClock;
  readonly #tokens: ReadonlyMap<string, string>;
  /** The service account tokens that the server has issued. The recording has `<jwt>` in their place. */
  readonly #issued: string[] = [];
  readonly #cluster: Cluster;

  constructor(cluster: Cluster, clock: VirtualClock) {
    this.#clock = clock;
    this.#cluster = cluster;
    this.#tokens = new Map([
      ["admin", "admintok"],
      ["alice", "alicetok"],
      ["bob", "bobtok"],
      ["system:node:n1", "nodetok"],
      ["invalid", "no-such-token"],
    ]);
  }

  /** Advances the time to a moment of the recording, unless it has passed: the order of entries depends on it. */
  async arriveAt(time: number): Promise<void> {
    const ahead = time - this.#clock.now();
    if (ahead > 0) await this.#clock.advance(ahead);
  }

  /** Waits for the controllers of the API server itself, as the recording did. */
  async settle(): Promise<void> {
    await this.#cluster.settle();
  }

  async ask(req: Exchange["req"], bindings: Bindings = new Bindings(), note = ""): Promise<Answer> {
    const jwt = this.#tokenFor(note);
    const headers = new Map<string, string>();
    for (const [name, value] of Object.entries(req.headers ?? {})) {
      headers.set(name.toLowerCase(), bindings.translate(value));
    }
    const caller = req.as.split(" ")[0] ?? "";
    const token = caller === "token" ? jwt : this.#tokens.get(caller);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const target = await this.#withCurrentHash(translateTarget(req.path, bindings));
    const text = translateBody(req.body, bindings).replaceAll("<jwt>", jwt);
    const body = new TextEncoder().encode(text);
    const request = plainRequest({ method: req.method, target, headers, body });
    const waits = needsTime.test(target);
    const response = await this.#settle(this.#cluster.handler(request, inProcessPeer), waits);
    const answer = await this.#settle(readResponseBody(response.body), waits);
    const [, issued] =
      /"token":"(eyJ[\w.-]+)","expirationTimestamp"/.exec(Buffer.from(answer).toString()) ?? [];
    if (issued !== undefined) this.#issued.push(issued);
    return { status: response.status, headers: headerMap(response), body: answer };
  }

  /** The recorded requests use the first token of an account, unless their note says otherwise. */
  #tokenFor(note: string): string {
    const token = this.#issued.at(note.startsWith("wrong audience") ? -1 : 0) ?? "";
    if (!note.includes("tampered")) return token;
    const [header, claims, signature = ""] = token.split(".");
    const other = signature.startsWith("A") ? "B" : "A";
    return [header, claims, other + signature.slice(1)].join(".");
  }

  /** The hash in an OpenAPI URL, from the index of this server. */
  async #withCurrentHash(target: string): Promise<string> {
    const [path = "", hash] = target.split(/\?hash=(?=[0-9A-F]{128}$)/);
    if (hash === undefined) return target;
    const headers = new Map([["authorization", `Bearer ${this.#cluster.adminToken()}`]]);
    const index = plainRequest({ method: "GET", target: "/openapi/v3", headers });
    const { body } = await this.#cluster.handler(index, inProcessPeer);
    const { paths } = JSON.parse(Buffer.from(await readResponseBody(body)).toString());
    return paths[path.replace("/openapi/v3/", "")].serverRelativeURL;
  }

  /** Advances the time until a request that needs it is answered. Loading a module or verifying a token takes no time. */
  async #settle<T>(answering: Promise<T>, waits: boolean): Promise<T> {
    let isDone = !waits;
    const done = answering.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      for (let turns = 0; turns < 20 && !isDone; turns += 1) await turn();
      if (isDone) return done;
      await this.#clock.advance(500);
    }
  }
}

/** Watches wait for events and for their timeout, and reads for a revision that has not come. */
const needsTime = /[?&](?:watch|resourceVersion|timeoutSeconds)=/;

function headerMap(response: ApiResponse): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of response.headers) {
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}

function translateTarget(path: string, bindings: Bindings): string {
  return bindings
    .translate(path)
    .replace(/(?<=[?&]resourceVersion=)\d+/, (revision) => bindings.revision(revision))
    .replace(/(?<=[?&]continue=)[\w-]+/, (token) => translateToken(token, bindings));
}

function translateToken(token: string, bindings: Bindings): string {
  try {
    const { v, rv, start } = JSON.parse(Buffer.from(token, "base64url").toString());
    const revision = Number(bindings.revision(String(rv)));
    return Buffer.from(JSON.stringify({ v, rv: revision, start })).toString("base64url");
  } catch {
    return token;
  }
}

function translateBody(body: unknown, bindings: Bindings): string {
  if (body === undefined) return "";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return bindings
    .translate(text)
    .replace(/(?<="resourceVersion": ?")\d+(?=")/g, (revision) => bindings.revision(revision));
}

function compareAnswer(exchange: Exchange, answer: Answer, bindings: Bindings): readonly Difference[] {
  const { req, res } = exchange;
  const differences: Difference[] = [];
  if (answer.status !== res.status) {
    differences.push({ path: "status", recorded: res.status, actual: answer.status });
  }
  differences.push(...compareHeaders(exchange, answer, bindings));
  if (req.method !== "HEAD") differences.push(...compareBody(res.body, answer, bindings));
  return differences;
}

function compareBody(
  recorded: unknown,
  { body, headers }: Answer,
  bindings: Bindings,
): readonly Difference[] {
  const text = Buffer.from(body).toString();
  if (isTruncated(recorded)) return compareTruncated(recorded, body, text);
  if (typeof recorded !== "string") {
    const isCompactLine = text.endsWith("\n") && !text.slice(0, -1).includes("\n");
    if (!isCompactLine) return [{ path: "body", recorded, actual: text }];
    return compareParsed(recorded, text, JSON.parse, bindings);
  }
  if (recorded === text || recorded === Buffer.from(body).toString("hex")) return [];
  const type = headers.get("content-type") ?? "";
  if (type === "application/jwk-set+json" && withoutKeys(recorded) === withoutKeys(text)) return [];
  if (type === "application/yaml") return compare(parseYaml(recorded), parseYaml(text), bindings);
  if (recorded.includes('{"type":"')) return compareLines(recorded, text, bindings);
  if (recorded.startsWith("{\n")) return compareIndented(recorded, text, bindings);
  return [{ path: "body", recorded, actual: text }];
}

/** A key set without the values of its keys. */
function withoutKeys(text: string): string {
  return text.replace(/"(kid|n)":"[\w-]+"/g, '"$1":"…"');
}

function compareParsed(
  recorded: unknown,
  text: string,
  parse: (text: string) => unknown,
  bindings: Bindings,
): readonly Difference[] {
  try {
    return compare(recorded, parse(text), bindings);
  } catch {
    return [{ path: "body", recorded, actual: text }];
  }
}

/** Watch events, one per line. */
function compareLines(recorded: string, text: string, bindings: Bindings): Difference[] {
  const events = (lines: string) =>
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  if (!text.endsWith("\n")) return [{ path: "body", recorded, actual: text }];
  return compare(events(recorded), events(text), bindings);
}

/** Indented JSON: compares the values, and that the indentation is Go's. */
function compareIndented(recorded: string, text: string, bindings: Bindings): Difference[] {
  if (!text.startsWith("{\n")) return [{ path: "body", recorded, actual: text }];
  const actual = JSON.parse(text);
  const escaped = JSON.stringify(actual, undefined, 2).replace(
    /[<>&]/g,
    (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
  );
  if (escaped !== text) return [{ path: "indentation", recorded: escaped, actual: text }];
  return compare(JSON.parse(recorded), actual, bindings);
}

/** A body that was too long to record: its beginning, its length and the start of its SHA-512. */
interface Truncated {
  readonly truncated: string;
  readonly bytes: number;
  readonly sha512: string;
}

function isTruncated(body: unknown): body is Truncated {
  return typeof body === "object" && body !== null && "truncated" in body && "sha512" in body;
}

function compareTruncated(recorded: Truncated, body: Uint8Array, text: string): readonly Difference[] {
  const digest = createHash("sha512").update(body).digest("hex").slice(0, recorded.sha512.length);
  if (digest === recorded.sha512) return [];
  const isOpenApi = /^\{"(openapi|swagger|paths)":/.test(recorded.truncated);
  if (!isOpenApi) return compareHexHeads(recorded, body, text);
  const expected = withoutProse(recorded.truncated);
  const actual = withoutProse(text).slice(0, expected.length);
  return expected === actual ? [] : [{ path: "beginning", recorded: expected, actual }];
}

/** The beginning of a protobuf document is recorded in hexadecimal. */
function compareHexHeads(recorded: Truncated, body: Uint8Array, text: string): readonly Difference[] {
  if (!/^[0-9a-f]+$/.test(recorded.truncated)) {
    return [
      { path: "sha512", recorded: recorded.truncated, actual: text.slice(0, recorded.truncated.length) },
    ];
  }
  const expected = readableTexts(Buffer.from(recorded.truncated, "hex"));
  const actual = readableTexts(Buffer.from(body.subarray(0, 2 * recorded.truncated.length)));
  const isSame = expected.slice(0, -1).every((part, at) => part === actual[at]);
  return isSame ? [] : [{ path: "texts", recorded: expected, actual }];
}

/** The texts of a protobuf document; lengths depend on upstream's descriptions. */
function readableTexts(bytes: Buffer): readonly string[] {
  const texts = bytes.toString("latin1").match(/[\w/.+ #{}-]{8,}/g) ?? [];
  return texts.filter((text) => !/1\.32/.test(text));
}

/** An OpenAPI document without upstream's descriptions, up to where the recording is truncated. */
function withoutProse(text: string): string {
  return text
    .replace(/"description":"(?:[^"\\]|\\.)*"?,?/g, "")
    .replace(/"version":"v?1\.32(\.\d+)?"/, '"version":"1.32"')
    .replace(/hash=[0-9A-F]*/g, "hash=H");
}
