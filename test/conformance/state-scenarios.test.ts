import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, VirtualClock } from "../../src/index.ts";
import {
  closeWatch,
  crdNotReady,
  delayUntilWatched,
  deleteReturns,
  disconnected,
  emptyAsNull,
  laggingReplica,
  namespaceTerminating,
  permissionRevoked,
  slowConsumer,
  staleRead,
  tokenExpired,
  webhookTimeout,
  whileDisconnected,
} from "../../src/scenario/presets.ts";
import { Lines } from "./lines.ts";
import { fetchOf, identifiers } from "./masked-names.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

let cluster: Cluster;
let clock: VirtualClock;
let token: string;

beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2030, 0, 1));
  cluster = createCluster({ controllers: [], clock, identifiers });
  token = cluster.token("alice");
  for (const name of ["a", "b"]) await create(name);
});

afterEach(() => cluster.close());

const create = (name: string) =>
  cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { made: "yes" } });

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  return fetchOf(cluster)(`https://cluster.test${path}`, { ...init, headers });
}

interface Answered {
  readonly kind: string;
  readonly code: number;
  readonly metadata: { readonly resourceVersion: string; readonly name: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[] | null;
}

async function read(path: string, init: RequestInit = {}): Promise<Answered> {
  // A server with another response fails the test.
  return (await (await ask(path, init)).json()) as Answered;
}

/** The result of a promise while time passes. */
async function whilePassing<T>(something: Promise<T>): Promise<T> {
  let isOver = false;
  void something.finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance("1s");
  return something;
}

const namesIn = async (path: string) => (await read(path)).items?.map(({ metadata }) => metadata.name);

const watch = async (query = "resourceVersion=0") => new Lines(await ask(`${configMaps}?watch=1&${query}`));

describe("disconnected clients", () => {
  test("miss changes, and continue from their resourceVersion", async () => {
    const watching = await watch();
    expect(await watching.take(2)).toEqual(["ADDED a", "ADDED b"]);
    const { resourceVersion } = (await read(configMaps)).metadata;
    await whileDisconnected(cluster, async () => {
      await expect(watching.take(1)).rejects.toThrow("terminated");
      await expect(ask(configMaps)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
      await cluster.delete("v1", "ConfigMap", "a");
    });
    expect(await (await watch(`resourceVersion=${resourceVersion}`)).take(1)).toEqual(["DELETED a"]);
    cluster.faults.check();
  });

  test("must list again if history was compacted", async () => {
    const { resourceVersion } = (await read(configMaps)).metadata;
    const watching = await watch(`resourceVersion=${resourceVersion}`);
    await whileDisconnected(cluster, () => cluster.delete("v1", "ConfigMap", "a"), { compact: true });
    await expect(watching.take(1)).rejects.toThrow("terminated");
    const again = await watch(`resourceVersion=${resourceVersion}`);
    expect([await again.take(2), await namesIn(configMaps)]).toEqual([["ERROR 410"], ["b"]]);
  });

  test("are limited to the scope", async () => {
    using fault = cluster.inject(disconnected({ resource: "pods" }));
    await watch();
    expect([(await ask(configMaps)).status, fault.hits]).toEqual([200, 0]);
    await expect(ask("/api/v1/pods")).rejects.toThrow("fetch failed");
    expect(fault.hits).toBe(1);
  });
});

describe("a stale read", () => {
  test("returns an older state once, to a request that does not demand the newest", async () => {
    await create("c");
    const fault = cluster.inject(staleRead({ resource: "configmaps", behind: 2 }));
    expect(await namesIn(configMaps)).toEqual(["a", "b", "c"]);
    expect(fault.hits).toBe(0);
    const stale = await read(`${configMaps}?resourceVersion=0`);
    expect(stale.items?.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    const { resourceVersion } = (await read(`${configMaps}/a`)).metadata;
    expect(stale.metadata.resourceVersion).toBe(resourceVersion);
    expect(await namesIn(`${configMaps}?resourceVersion=0`)).toEqual(["a", "b", "c"]);
  });

  test("does not find a newer object", async () => {
    cluster.inject(staleRead());
    expect((await ask(`${configMaps}/b?resourceVersion=0`)).status).toBe(404);
    expect((await ask(`${configMaps}/b?resourceVersion=0`)).status).toBe(200);
  });
});

describe("a lagging replica", () => {
  const cached = `${configMaps}?resourceVersion=0`;

  test("shows no writes, not even of its own client, until it catches up", async () => {
    const fault = cluster.inject(laggingReplica());
    const watching = await watch();
    expect(await watching.take(2)).toEqual(["ADDED a", "ADDED b"]);
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } });
    const headers = { "content-type": "application/json" };
    expect((await ask(configMaps, { method: "POST", body, headers })).status).toBe(201);
    expect([await namesIn(cached), await namesIn(configMaps)]).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
    ]);
    fault.remove();
    expect(await watching.take(1)).toEqual(["ADDED c"]);
    await create("d");
    expect(await watching.take(1)).toEqual(["ADDED d"]);
    expect(await namesIn(cached)).toEqual(["a", "b", "c", "d"]);
  });

  test("lets a request for a newer revision wait, and then refuses it", async () => {
    const fault = cluster.inject(laggingReplica());
    const { resourceVersion } = (await create("c")).metadata;
    const newer = `${configMaps}?resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`;
    const waiting = ask(newer);
    const refused = await whilePassing(waiting);
    expect([refused.status, await refused.json()]).toMatchObject([
      504,
      { reason: "Timeout", details: { causes: [{ reason: "ResourceVersionTooLarge" }] } },
    ]);
    const patient = ask(newer);
    await clock.advance("1s");
    fault.remove();
    expect((await patient).status).toBe(200);
  });

  test("ends by itself", async () => {
    const fault = cluster.inject(laggingReplica({ behind: 1, lasting: "1m" }));
    expect(await namesIn(cached)).toEqual(["a"]);
    await clock.advance("1m");
    expect([await namesIn(cached), fault.isOver]).toEqual([["a", "b"], true]);
  });
});

describe("a response that is delayed until its watch event", () => {
  const patch: RequestInit = {
    method: "PATCH",
    body: '{"data":{"changed":"yes"}}',
    headers: { "content-type": "application/merge-patch+json" },
  };

  test("arrives after the event", async () => {
    const watching = await watch();
    expect(await watching.take(2)).toEqual(["ADDED a", "ADDED b"]);
    const fault = cluster.inject(delayUntilWatched({ verb: "patch" }));
    const order: string[] = [];
    const patched = ask(`${configMaps}/a`, patch).then(() => order.push("answered"));
    await fault.hit();
    order.push(...(await watching.take(1)));
    void watching.take(1).catch(() => {});
    await patched;
    expect(order).toEqual(["MODIFIED a", "answered"]);
  });

  test.each<[string, RequestInit, string]>([
    ["there is no watch", patch, "it needs an open watch of the same user that receives the event"],
    ["nothing changes", { ...patch, body: "{}" }, "it needs to change an object"],
    ["the request is refused", { ...patch, body: "{" }, "the server refused it with 400 BadRequest"],
  ])("arrives immediately, which is no hit, if %s", async (title, init, reason) => {
    if (title !== "there is no watch") await watch();
    const fault = cluster.inject(delayUntilWatched());
    await ask(`${configMaps}/a`, init);
    expect([fault.hits, fault.unaffected.map((one) => one.reason)]).toEqual([0, [reason]]);
  });
});

describe("a cluster that is restored from a backup", () => {
  test.each([
    ["ends watches", "end", ["ADDED c"]],
    [
      "keeps watches, which are silent until the revision exceeds the old one",
      "keep",
      ["ADDED c", "ADDED f"],
    ],
  ] as const)("%s", async (_title, watches, expected) => {
    const backup = cluster.snapshot();
    const watching = await watch(`resourceVersion=${(await read(configMaps)).metadata.resourceVersion}`);
    const { resourceVersion } = (await create("c")).metadata;
    const seen = [...(await watching.take(1))];
    cluster.restore(backup, { watches });
    expect(Number((await read(configMaps)).metadata.resourceVersion)).toBeLessThan(Number(resourceVersion));
    for (const name of ["e", "f"]) await create(name);
    seen.push(...(await watching.take(1)));
    expect(seen).toEqual(expected);
  });
});

test("controllers see the restored state immediately, even if watches are kept", async () => {
  await using whole = createCluster();
  await whole.settle();
  const backup = whole.snapshot();
  for (let n = 0; n < 20; n++)
    await whole.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c-${n}` } });
  whole.restore(backup, { watches: "keep" });
  await whole.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "later" } });
  await whole.settle();
  const account = await whole.get("v1", "ServiceAccount", "default", { namespace: "later" });
  expect(account.metadata.name).toBe("default");
});

test.each([
  ["status", "/api/v1/namespaces/default/serviceaccounts/web", "Status", "ServiceAccount"],
  ["object", `${configMaps}/web`, "ConfigMap", "Status"],
] as const)("a delete returns %s if the fault says so", async (returns, path, kind, usual) => {
  const fault = cluster.inject(deleteReturns(returns));
  for (const expected of [kind, usual]) {
    for (const made of ["ServiceAccount", "ConfigMap"])
      await cluster.create({ apiVersion: "v1", kind: made, metadata: { name: "web" } }).catch(() => {});
    expect((await read(path, { method: "DELETE" })).kind).toBe(expected);
    expect((await ask(path)).status).toBe(404);
  }
  expect(fault.hits).toBe(1);
});

test("an empty list has null items, and empty fields of items are null on request", async () => {
  cluster.inject(emptyAsNull());
  expect((await read("/api/v1/namespaces/nowhere/configmaps")).items).toBeNull();
  await cluster.create({ apiVersion: "v1", kind: "Endpoints", metadata: { name: "web" } });
  cluster.inject(emptyAsNull({ fields: ["subsets"] }));
  const { items } = await read("/api/v1/namespaces/default/endpoints");
  expect(items).toContainEqual(
    expect.objectContaining({ metadata: expect.objectContaining({ name: "web" }), subsets: null }),
  );
});

test("an expired token is refused until the client has a new one", async () => {
  const fault = cluster.inject(tokenExpired({ user: "alice" }));
  const expected =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n';
  for (let n = 0; n < 2; n++) expect(await (await ask(configMaps)).text()).toBe(expected);
  token = cluster.token("alice");
  expect([(await ask(configMaps)).status, fault.hits, fault.isOver]).toEqual([200, 2, false]);
});

test("a revoked permission is refused with RBAC's message", async () => {
  cluster.inject(permissionRevoked({ verb: "list", resource: "configmaps" }));
  const refused = await ask(configMaps);
  expect(await refused.text()).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps is forbidden: ' +
      'User \\"alice\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"default\\"",' +
      '"reason":"Forbidden","details":{"kind":"configmaps"},"code":403}\n',
  );
  expect((await ask(configMaps)).status).toBe(200);
});

test.each([
  [
    "a terminating namespace",
    namespaceTerminating(),
    '"message":"configmaps \\"new\\" is forbidden: unable to create new content in namespace default because it is being ' +
      'terminated","reason":"Forbidden","details":{"name":"new","kind":"configmaps","causes":[{"reason":' +
      '"NamespaceTerminating","message":"namespace default is being terminated","field":"metadata.namespace"}]},"code":403}\n',
  ],
  [
    "a webhook that does not answer",
    webhookTimeout(),
    '"message":"Internal error occurred: failed calling webhook \\"webhook.example.com\\": failed to call webhook: Post ' +
      '\\"https://webhook.example.com:443/?timeout=10s\\": context deadline exceeded","reason":"InternalError","details":' +
      '{"causes":[{"message":"failed calling webhook \\"webhook.example.com\\": failed to call webhook: Post ' +
      '\\"https://webhook.example.com:443/?timeout=10s\\": context deadline exceeded"}]},"code":500}\n',
  ],
])(
  "%s refuses requests that would be admitted, with the exact response",
  async (_title, scenario, expected) => {
    const headers = { "content-type": "application/json" };
    const post = (body: string) => ask(configMaps, { method: "POST", headers, body });
    const fault = cluster.inject(scenario);
    const refused = await post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"new"}}');
    const head = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",';
    expect([await refused.text(), fault.isOver]).toEqual([head + expected, true]);
    cluster.inject(scenario);
    // An unreadable object fails earlier.
    expect((await post('{"kind":"Pod"}')).status).toBe(400);
  },
);

test("a custom resource that is not served yet is missing, and then served", async () => {
  cluster.inject(crdNotReady({ group: "batch", version: "v1", times: 2 }));
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await ask("/apis/batch/v1/jobs"));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
  expect(await answers[0]?.text()).toBe("404 page not found\n");
  expect(answers[0]?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

test("a watch ends by the clock", async () => {
  cluster.inject(closeWatch({ afterMilliseconds: 50 }));
  const watching = await watch();
  expect(await watching.take(2)).toEqual(["ADDED a", "ADDED b"]);
  const end = watching.take(1);
  await clock.advance(50);
  expect(await end).toEqual([]);
});

test("a client that does not read in time loses its watch after the buffered events", async () => {
  cluster.inject(slowConsumer({ capacity: 1 }));
  const watching = await watch();
  expect(await watching.take(1)).toEqual(["ADDED a"]);
  for (const name of ["c", "d", "e"]) await create(name);
  // Gives a client time to read, which it does not use.
  for (let turns = 0; turns < 3; turns++) await clock.advance(0);
  expect(await watching.rest()).toEqual(["ADDED b"]);
});
