import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import * as presets from "../../src/scenario/presets.ts";
import { fetchOf, identifiers } from "./masked-names.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const merge = "application/merge-patch+json";

let cluster: Cluster;
beforeEach(async () => {
  cluster = createCluster({ controllers: [], identifiers });
  for (const name of ["a", "b", "c", "d"])
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
});
afterEach(() => cluster.close());

const users = new WeakMap<Cluster, Map<string, string>>();

function ask(path: string, init: RequestInit = {}, user = "alice", on = cluster): Promise<Response> {
  const tokens = users.get(on) ?? new Map<string, string>();
  users.set(on, tokens);
  const token = tokens.get(user) ?? on.token(user);
  tokens.set(user, token);
  const headers = { authorization: `Bearer ${token}`, "user-agent": "test", ...init.headers };
  return fetchOf(on)(`https://cluster.test${path}`, { ...init, headers });
}

function patch(metadata: object): Promise<Response> {
  const body = JSON.stringify({ metadata: { labels: { n: String(Math.random()) }, ...metadata } });
  return ask(`${configMaps}/a`, { method: "PATCH", headers: { "content-type": merge }, body });
}

async function patchAsRead(): Promise<Response> {
  const { metadata } = await cluster.get("v1", "ConfigMap", "a");
  return patch({ resourceVersion: metadata.resourceVersion });
}

/** The message of the check; empty if every fault was used. */
function complaint(on = cluster): string {
  try {
    on.faults.check();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each([
  ["etcdLeaderChange", presets.etcdLeaderChange({ times: 2 }), "it waits for any request for a resource"],
  [
    "storageInitializing",
    presets.storageInitializing({ verb: ["get", "list"], times: 2 }),
    "it waits for a request with verb get,list for a resource",
  ],
  [
    "tooLargeResourceVersion",
    presets.tooLargeResourceVersion({ times: 2 }),
    "it waits for a request with verb get,list,watch for a resource",
  ],
])("%s strikes no paths without a resource, which do not read the storage", async (name, scenario, waits) => {
  const fault = cluster.inject(scenario);
  const statuses: number[] = [];
  for (const path of ["/version", "/apis", "/api/v1", "/readyz"]) statuses.push((await ask(path)).status);
  expect([statuses, fault.hits]).toEqual([[200, 200, 200, 200], 0]);
  const missed = (path: string) => `GET ${path} as alice was not affected: it needs a resource in its path`;
  expect(complaint()).toBe(`The fault ${name} was never used: ${waits}; ${missed("/readyz")}`);
  cluster.inject(scenario);
  expect((await ask(configMaps)).status).toBeGreaterThan(400);
});

describe("a conflict", () => {
  test("does not count patches that cannot conflict, and does not write between them", async () => {
    const fault = cluster.inject(presets.conflict({ times: 2 }));
    expect([(await patch({})).status, (await patch({})).status, fault.hits]).toEqual([200, 200, 0]);
    const { metadata } = await cluster.get("v1", "ConfigMap", "a");
    expect(metadata.annotations).toBeUndefined();
    expect(complaint()).toBe(
      "The fault conflict was never used: it waits for a request with verb update,patch; " +
        `PATCH ${configMaps}/a as alice was not affected: it needs metadata.resourceVersion in its body`,
    );
  });

  test("waits for a write that can conflict, and counts only such writes for `nth`", async () => {
    const fault = cluster.inject(presets.conflict({ nth: 2 }));
    const statuses: number[] = [];
    for (const send of [() => patch({}), patchAsRead, () => patch({}), patchAsRead, patchAsRead])
      statuses.push((await send()).status);
    expect([statuses, fault.hits]).toEqual([[200, 200, 200, 409, 200], 1]);
  });

  test.each<[string, string, unknown, number]>([
    ["apply that names a resourceVersion", "application/apply-patch+yaml", "metadata", 409],
    ["JSON patch that sets it", "application/json-patch+json", "operation", 409],
    ["strategic merge patch without it", "application/strategic-merge-patch+json", "none", 200],
  ])("of %s", async (_title, type, where, status) => {
    const fault = cluster.inject(presets.conflict());
    const { metadata } = await cluster.get("v1", "ConfigMap", "a");
    const { resourceVersion } = metadata;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion } };
    const operations = [{ op: "replace", path: "/metadata/resourceVersion", value: resourceVersion }];
    const bodies = { metadata: object, operation: operations, none: { data: { x: "y" } } };
    const body = JSON.stringify(Object.entries(bodies).find(([name]) => name === where)?.[1]);
    const path = `${configMaps}/a?fieldManager=test&force=true`;
    const query = type.includes("apply") ? path : `${configMaps}/a`;
    const answer = await ask(query, { method: "PATCH", headers: { "content-type": type }, body });
    expect([answer.status, fault.hits]).toEqual([status, status === 409 ? 1 : 0]);
  });
});

describe("an expired continue token", () => {
  const page = async (token = "", user = "alice", selector = "") => {
    const answer = await ask(`${configMaps}?limit=1&labelSelector=${selector}&continue=${token}`, {}, user);
    // A server with another response fails the test.
    const { metadata } = (await answer.json()) as { metadata: { continue?: string } };
    return { status: answer.status, token: metadata.continue ?? "" };
  };

  test("is that of the page, however many lists there are before", async () => {
    const fault = cluster.inject(presets.continueExpired({ page: 3 }));
    const first = await page();
    await page();
    const second = await page(first.token);
    expect([(await page(first.token)).status, fault.hits]).toEqual([200, 0]);
    expect([(await page(second.token)).status, fault.hits]).toEqual([410, 1]);
  });

  test("belongs to the list of one client with one selector", async () => {
    const fault = cluster.inject(presets.continueExpired({ page: 3, inconsistent: false }));
    const first = await page();
    for (const other of [
      () => page(first.token, "bob"),
      () => page(first.token, "alice", "a!=b"),
      () => page(first.token),
    ])
      expect((await other()).status).toBe(200);
    expect(fault.hits).toBe(0);
  });

  test("does not count lists without pages", async () => {
    cluster.inject(presets.continueExpired());
    for (let n = 0; n < 3; n++) await page();
    expect(complaint()).toContain("was not affected: it needs the continue token of page 1 of a list");
  });
});

describe("a watch", () => {
  test("is a near miss while it is open and when it ends before the fault", async () => {
    const fault = cluster.inject(presets.watchGone({ afterEvents: 99 }));
    const query = `${configMaps}?watch=1&resourceVersion=0&timeoutSeconds=1`;
    const answer = await ask(query);
    const waiting = fault.hit();
    const rejected = expect(waiting).rejects.toThrow("The fault watchGone was removed after 0 hits");
    expect([fault.hits, fault.isOver, cluster.requests.all.at(-1)?.fault]).toEqual([0, false, undefined]);
    expect(fault.unaffected.map(({ reason }) => reason)).toEqual([
      "the watch is open after 0 events; the fault waits for 99",
    ]);
    expect((await answer.text()).split("\n")).toHaveLength(5);
    expect(complaint()).toBe(
      "The fault watchGone was never used: it waits for a request with verb watch; " +
        `GET ${query} as alice was not affected: the watch ended after 4 events; the fault waits for 99`,
    );
    await rejected;
  });

  test("that is a near miss leaves the fault to the next one", async () => {
    const fault = cluster.inject(presets.closeWatch({ afterEvents: 2 }));
    const short = `${configMaps}?watch=1&fieldSelector=metadata.name=a&resourceVersion=0&timeoutSeconds=1`;
    await (await ask(short)).text();
    const whole = await (await ask(`${configMaps}?watch=1&resourceVersion=0`)).text();
    expect([whole.split("\n").length - 1, fault.hits, fault.isOver]).toEqual([2, 1, true]);
    expect(cluster.requests.all.map(({ fault: struck }) => struck)).toEqual([undefined, "closeWatch"]);
  });

  test("is struck when the event is handed over", async () => {
    const fault = cluster.inject(presets.watchGone({ afterEvents: 5 }));
    const answer = await ask(`${configMaps}?watch=1&resourceVersion=0`);
    let isHit = false;
    void fault.hit().then(() => {
      isHit = true;
    });
    const reader = answer.body?.getReader();
    for (let n = 0; n < 4; n++) await reader?.read();
    expect([isHit, fault.hits]).toEqual([false, 0]);
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "e" } });
    for (let n = 0; n < 2; n++) await reader?.read();
    expect([isHit, fault.hits]).toEqual([true, 1]);
  });
});

describe("options that contradict each other are errors:", () => {
  test.each<[string, () => presets.Scenario, string]>([
    ["both cuts", () => presets.reset({ afterEvents: 1, afterBytes: 1 }), "either afterEvents or afterBytes"],
    [
      "events of a list",
      () => presets.freeze({ verb: "list", afterEvents: 1 }),
      "with the verb list after events",
    ],
    ["half an event of a list", () => presets.truncate({ verb: "list" }), "only after afterBytes"],
    ["a cut without an end", () => presets.goAway({ afterEvents: 1 }), "they need close: true"],
    ["both ends", () => presets.closeWatch({ afterEvents: 1, afterMilliseconds: 5 }), "not both"],
    ["the stream of a refusal", () => presets.watchGone({ at: "open", afterEvents: 1 }), 'need at: "stream"'],
  ])("%s", (_title, create, message) => {
    expect(create).toThrow(message);
  });
});

/** Runs the call that a message proposes. */
function pasted(message: string): presets.Scenario {
  const [, call = ""] = /: (\w+\(.*\)) would have matched it$/s.exec(message) ?? [];
  const run = new Function(
    "presets",
    `const { ${Object.keys(presets).join(", ")} } = presets; return ${call};`,
  );
  return run(presets);
}

describe("the call that a message proposes matches the request:", () => {
  test.each<[string, presets.Scenario, string, RequestInit]>([
    ["a verb", presets.throttle({ verb: "list", retryAfter: false }), `${configMaps}/a`, {}],
    ["a list of verbs", presets.throttle({ verb: ["list", "get"], resource: "pods" }), configMaps, {}],
    ["a list of resources", presets.notReady({ resource: ["pods", "nodes"], times: 2 }), configMaps, {}],
    ["the verb of the default scope", presets.reset({ resource: "configmaps" }), `${configMaps}/a`, {}],
    ["a pattern that matches", presets.throttle({ userAgent: /^te/g, name: "x" }), `${configMaps}/a`, {}],
    ["a pattern that does not match", presets.throttle({ path: /^\/apis\// }), configMaps, {}],
    ["an empty string", presets.throttle({ subresource: "", resource: "pods" }), configMaps, {}],
    ["a member that the request does not have", presets.throttle({ name: "a" }), configMaps, {}],
    ["a path", presets.throttle({ path: "/version" }), "/healthz", {}],
    ["an argument", presets.deleteReturns("object", { name: "x" }), `${configMaps}/a`, { method: "DELETE" }],
    ["a function", presets.latency({ milliseconds: () => 1, resource: "pods" }), configMaps, {}],
    ["no limit", presets.throttle({ times: Number.POSITIVE_INFINITY, user: "bob" }), configMaps, {}],
    ["a group and a version", presets.groupDown(), "/apis/batch/v1/jobs", {}],
  ])("%s", async (_title, scenario, path, init) => {
    cluster.inject(scenario);
    await ask(path, init);
    const proposed = pasted(complaint());
    const fault = cluster.inject(proposed);
    await cluster.load([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }]);
    await ask(path, init).catch(() => {});
    expect(fault.hits).toBe(1);
  });

  test.each<[string, presets.Scenario, string]>([
    ["a verb that the failure cannot affect", presets.watchGone(), configMaps],
    ["a path without a group", presets.crdNotReady({ group: "batch", version: "v1" }), configMaps],
  ])("there is none for %s", async (_title, scenario, path) => {
    cluster.inject(scenario);
    await ask(path);
    expect(complaint()).toMatch(/which differs in \w+$/);
  });
});
