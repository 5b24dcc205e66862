import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";
import {
  bareStatus,
  bookmarks,
  closeWatch,
  conflict,
  continueExpired,
  doubledInitialEventsEnd,
  etcdLeaderChange,
  freeze,
  groupDown,
  lateInitialEventsEnd,
  latency,
  namespaceTerminating,
  noInitialEventsEnd,
  notReady,
  pairEvents,
  refuseInitialEvents,
  reset,
  type Scenario,
  slice,
  storageInitializing,
  streamError,
  throttle,
  tooLargeResourceVersion,
  truncate,
  unauthorizedOnce,
  unknownEvent,
  watchGone,
  webhookTimeout,
} from "../../src/scenario/presets.ts";
import { fetchOf, identifiers } from "./masked-names.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

/** The fields of responses that the tests read. */
interface Answered {
  readonly code: number;
  readonly reason: string;
  readonly details: unknown;
  readonly metadata: { readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

let cluster: Cluster;
let token: string;

beforeEach(async () => {
  cluster = createCluster({ controllers: [], identifiers });
  token = cluster.token("alice");
  for (const name of ["a", "b", "c"])
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
});

afterEach(() => cluster.close());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers };
  return fetchOf(cluster)(`https://cluster.test${path}`, { ...init, headers });
}

async function read(path: string): Promise<Answered> {
  // A server with another response fails the test.
  return (await (await ask(path)).json()) as Answered;
}

const newObject = (name: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }),
});

async function replace(name: string): Promise<RequestInit> {
  const object = await cluster.get("v1", "ConfigMap", name);
  return { method: "PUT", body: JSON.stringify({ ...object, data: { changed: "yes" } }) };
}

describe("a request is refused, and the next one succeeds:", () => {
  test.each<[string, Scenario, string, RequestInit, number, string, string | null]>([
    ["throttle", throttle(), configMaps, {}, 429, "TooManyRequests", "1"],
    [
      "throttle without a hint",
      throttle({ retryAfter: false }),
      configMaps,
      {},
      429,
      "TooManyRequests",
      null,
    ],
    ["storageInitializing", storageInitializing(), configMaps, {}, 429, "TooManyRequests", "1"],
    ["unauthorizedOnce", unauthorizedOnce(), configMaps, {}, 401, "Unauthorized", null],
    ["notReady", notReady(), configMaps, {}, 503, "ServiceUnavailable", "5"],
    ["tooLargeResourceVersion", tooLargeResourceVersion(), configMaps, {}, 504, "Timeout", "1"],
    ["webhookTimeout", webhookTimeout(), configMaps, newObject("d"), 500, "InternalError", null],
    ["namespaceTerminating", namespaceTerminating(), configMaps, newObject("d"), 403, "Forbidden", null],
    [
      "watchGone when the watch is opened",
      watchGone({ at: "open" }),
      `${configMaps}?watch=1&timeoutSeconds=1`,
      {},
      410,
      "Expired",
      null,
    ],
    [
      "watchGone with the old message",
      watchGone({ at: "open", reason: "Gone" }),
      `${configMaps}?watch=1&timeoutSeconds=1`,
      {},
      410,
      "Gone",
      null,
    ],
  ])("%s", async (_title, scenario, path, init, code, reason, retryAfter) => {
    const fault = cluster.inject(scenario);
    const refused = await ask(path, init);
    expect(refused.status).toBe(code);
    expect(await refused.json()).toMatchObject({ kind: "Status", status: "Failure", code, reason });
    expect(refused.headers.get("retry-after")).toBe(retryAfter);
    expect([fault.hits, fault.isOver]).toEqual([1, true]);
    const served = await ask(path, init);
    expect(served.status).toBeLessThan(300);
    await served.body?.cancel();
    cluster.faults.check();
  });

  test("etcdLeaderChange has neither reason nor details", async () => {
    cluster.inject(etcdLeaderChange());
    expect(await (await ask(configMaps)).json()).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "etcdserver: leader changed",
      code: 500,
    });
  });

  test("tooLargeResourceVersion can have no cause, as in old servers", async () => {
    cluster.inject(tooLargeResourceVersion({ withCause: false, times: 2 }));
    cluster.inject(tooLargeResourceVersion());
    const details = [];
    for (let n = 0; n < 3; n++) details.push((await read(configMaps)).details);
    const cause = { reason: "ResourceVersionTooLarge", message: "Too large resource version" };
    const old = { retryAfterSeconds: 1 };
    expect(details).toEqual([old, old, { causes: [cause], retryAfterSeconds: 1 }]);
  });

  test("refuseInitialEvents does not affect other watches", async () => {
    cluster.inject(refuseInitialEvents({ times: 2 }));
    const plain = await ask(`${configMaps}?watch=1&timeoutSeconds=1`);
    await plain.body?.cancel();
    const streaming = await ask(
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    expect([plain.status, streaming.status]).toEqual([200, 422]);
  });
});

describe("a change of the state causes the server's own response:", () => {
  test("conflict lets another writer win, several times", async () => {
    const fault = cluster.inject(conflict({ resource: "configmaps", name: "a", times: 2 }));
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push((await ask(`${configMaps}/a`, await replace("a"))).status);
    expect(answers).toEqual([409, 409, 200]);
    await fault.hit(2);
    const { metadata } = await cluster.get("v1", "ConfigMap", "a");
    expect(metadata.annotations).toHaveProperty("other-writer/saw");
  });

  test.each([
    [true, "continues inconsistently"],
    [false, "restarts"],
  ])("continueExpired (inconsistent: %s) and the client %s", async (inconsistent) => {
    cluster.inject(continueExpired({ inconsistent }));
    const first = await read(`${configMaps}?limit=1`);
    const page = `${configMaps}?limit=1&continue=${first.metadata.continue}`;
    const { code, reason, metadata } = await read(page);
    expect([code, reason, typeof metadata.continue]).toEqual([
      410,
      "Expired",
      inconsistent ? "string" : "undefined",
    ]);
    if (!inconsistent) return;
    const next = await read(`${configMaps}?limit=1&continue=${metadata.continue}`);
    expect(next.items.map((item) => item.metadata.name)).toEqual(["b"]);
  });
});

/** The lines of a watch, until it ends or is silent for a moment after all of `meanwhile` has run. */
async function watched(
  query: string,
  ...meanwhile: readonly (() => Promise<unknown>)[]
): Promise<{ readonly lines: string[]; readonly ended: boolean }> {
  const left = [...meanwhile];
  const client = new AbortController();
  const answer = await ask(`${configMaps}?watch=1&${query}`, { signal: client.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let next = reader?.read();
  for (;;) {
    const quiet = new Promise<"quiet">((resolve) => setTimeout(resolve, 50, "quiet"));
    const piece = await Promise.race([next, quiet]);
    if (piece === "quiet" && left.length > 0) {
      await left.shift()?.();
      continue;
    }
    if (piece === undefined || piece === "quiet" || piece.done) {
      client.abort();
      return { lines: text.split("\n").slice(0, -1), ended: piece !== "quiet" };
    }
    text += piece.value;
    next = reader?.read();
  }
}

const shape = (line: string): string => {
  const { type, kind, object } = JSON.parse(line);
  return `${type ?? kind} ${object?.metadata?.name ?? object?.code ?? ""}`.trim();
};

/** The chunks of a watch in JSON, until this many events have arrived. */
async function pieces(events: number): Promise<readonly string[]> {
  const client = new AbortController();
  const answer = await ask(`${configMaps}?watch=1&resourceVersion=0`, { signal: client.signal });
  const reader = answer.body?.getReader();
  const found: string[] = [];
  while (found.join("").split("\n").length <= events) {
    const piece = await reader?.read();
    if (piece?.value === undefined) break;
    found.push(Buffer.from(piece.value).toString("latin1"));
  }
  client.abort();
  return found;
}

describe("bytes arrive differently:", () => {
  const whole = async (events: number) => (await pieces(events)).join("");

  test("slice splits events and characters without loss", async () => {
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "d" },
      data: { text: "\u00e4\u20ac" },
    });
    cluster.inject(slice({ bytes: 1 }));
    const sliced = await pieces(4);
    expect(new Set(sliced.map((piece) => piece.length))).toEqual(new Set([1]));
    expect(sliced.join("")).toBe(await whole(4));
  });

  test("pairEvents sends two events in one chunk", async () => {
    cluster.inject(pairEvents());
    // The third event waits for a fourth.
    const paired = await pieces(2);
    expect(paired.map((piece) => piece.split("\n").length - 1)).toEqual([2]);
  });

  test("truncate ends the stream within an event", async () => {
    cluster.inject(truncate({ afterEvents: 1 }));
    const [first = "", second = ""] = (await whole(2)).split("\n");
    expect([shape(first), second.slice(0, 15)]).toEqual(["ADDED a", '{"type":"ADDED"']);
    expect(() => JSON.parse(second)).toThrow(SyntaxError);
  });

  test("reset breaks the stream with an error", async () => {
    cluster.inject(reset({ afterEvents: 1 }));
    const answer = await ask(`${configMaps}?watch=1&resourceVersion=0`);
    await expect(answer.text()).rejects.toThrow();
  });
});

describe("a watch fails:", () => {
  test.each<[string, Scenario, string[], boolean]>([
    ["watchGone in the stream", watchGone(), ["ERROR 410"], true],
    [
      "watchGone after two events, left open",
      watchGone({ afterEvents: 2, close: false }),
      ["ADDED a", "ADDED b", "ERROR 410"],
      false,
    ],
    ["streamError", streamError({ afterEvents: 1 }), ["ADDED a", "ERROR 500"], true],
    ["streamError of another code", streamError({ code: 429, close: false }), ["ERROR 429"], false],
    ["bareStatus", bareStatus({ afterEvents: 3 }), ["ADDED a", "ADDED b", "ADDED c", "Status"], false],
    ["unknownEvent", unknownEvent(), ["FUTURE", "ADDED a", "ADDED b", "ADDED c"], false],
    ["closeWatch immediately", closeWatch(), [], true],
    ["closeWatch after two events", closeWatch({ afterEvents: 2 }), ["ADDED a", "ADDED b"], true],
    ["freeze after one event", freeze({ afterEvents: 1 }), ["ADDED a"], false],
  ])("%s", async (_title, scenario, lines, ended) => {
    cluster.inject(scenario);
    const struck = await watched("resourceVersion=0");
    expect([struck.lines.map(shape), struck.ended]).toEqual([lines, ended]);
    expect((await watched("resourceVersion=0")).lines.map(shape)).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
  });

  test.each<[string, Scenario, string[]]>([
    ["noInitialEventsEnd", noInitialEventsEnd(), ["ADDED", "ADDED", "ADDED", "ADDED", "ADDED"]],
    [
      "doubledInitialEventsEnd",
      doubledInitialEventsEnd(),
      ["ADDED", "ADDED", "ADDED", "END", "END", "ADDED", "ADDED"],
    ],
    ["lateInitialEventsEnd", lateInitialEventsEnd(), ["ADDED", "ADDED", "ADDED", "ADDED", "END", "ADDED"]],
    ["nothing", closeWatch({ nth: 2 }), ["ADDED", "ADDED", "ADDED", "END", "ADDED", "ADDED"]],
  ])("%s", async (_title, scenario, expected) => {
    cluster.inject(scenario);
    const create = (name: string) => () =>
      cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const types = (await watched(query, create("x"), create("y"))).lines.map((line) =>
      line.includes("initial-events-end") ? "END" : JSON.parse(line).type,
    );
    expect(types).toEqual(expected);
  });

  test("bookmarks sends bare bookmarks between events", async () => {
    cluster.inject(bookmarks({ every: 2 }));
    const { lines } = await watched("resourceVersion=0");
    expect(lines.map(shape)).toEqual(["ADDED a", "ADDED b", "BOOKMARK", "ADDED c"]);
    const { metadata } = await cluster.get("v1", "ConfigMap", "b");
    const bare = { resourceVersion: metadata.resourceVersion, creationTimestamp: null };
    expect(JSON.parse(lines[2] ?? "").object).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: bare,
    });
  });
});

describe("an aggregated API is down:", () => {
  const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  test("its paths answer 503 without a Status", async () => {
    const fault = cluster.inject(groupDown({ times: 3 }));
    for (const path of ["", "/nodes", "/namespaces/default/pods/web"]) {
      const answer = await ask(`/apis/metrics.k8s.io/v1beta1${path}`);
      expect([answer.status, await answer.text()]).toEqual([503, "service unavailable\n"]);
    }
    expect(fault.isOver).toBe(true);
  });

  test.each([
    ["a group that the cluster does not have", "v1beta1", groupDown()],
    ["a group that it has", "v1", groupDown({ group: "batch", version: "v1" })],
  ])("discovery reports %s as stale", async (_title, version, scenario) => {
    cluster.inject(scenario);
    const answer = await ask("/apis", { headers: { accept: aggregated } });
    expect(await answer.text()).toContain(`"versions":[{"version":"${version}","freshness":"Stale"}`);
    expect(await (await ask("/apis", { headers: { accept: aggregated } })).text()).not.toContain("Stale");
  });

  test("the legacy list of groups still contains it", async () => {
    cluster.inject(groupDown());
    expect(await (await ask("/apis")).text()).toContain('"groupVersion":"metrics.k8s.io/v1beta1"');
  });
});

test("latency uses the cluster's clock", async () => {
  const clock = new VirtualClock(0);
  const slow = createCluster({ controllers: [], clock, identifiers });
  const waits = [30_000, 60_000];
  const fault = slow.inject(latency({ milliseconds: () => waits.shift() ?? 0, times: 2 }));
  const order: string[] = [];
  const answers = ["late", "later"].map(async (name) => {
    await fetchOf(slow)("https://cluster.test/api/v1/nodes");
    order.push(name);
  });
  await fault.hit(2);
  await clock.advance("45s");
  await answers[0];
  expect(order).toEqual(["late"]);
  await clock.advance("45s");
  await Promise.all(answers);
  expect(order).toEqual(["late", "later"]);
  await slow.close();
});
