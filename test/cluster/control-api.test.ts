import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ClusterCore } from "../../src/cluster/cluster-core.ts";
import { completeOptions } from "../../src/cluster/options.ts";
import { VirtualClock } from "../../src/index.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../../src/request/plain-request.ts";
import type { Control, ForkPort, Served } from "../../src/transports/contract/served.ts";

interface Answer {
  readonly status: number;
  // The test compares it with objects.
  readonly body: unknown;
}

let cluster: ClusterCore;
let control: Control;
/** The forks that are open, by port. */
let forks: Map<number, Served>;
let later: (() => void)[];

beforeEach(() => {
  cluster = new ClusterCore(completeOptions({ clock: new VirtualClock("2026-01-01T00:00:00Z") }));
  forks = new Map();
  later = [];
  control = cluster.control({
    open: async (fork, port) => openFork(fork, port),
    afterResponses: (action) => later.push(action),
  });
});
afterEach(async () => {
  await control.close();
  await cluster.close();
});

async function openFork(fork: Served, wanted: number): Promise<ForkPort> {
  const port = wanted === 0 ? 40_000 + forks.size : wanted;
  if (forks.has(port)) throw new Error(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  forks.set(port, fork);
  return {
    url: `https://127.0.0.1:${port}`,
    caCertificate: "PEM",
    kubeconfig: () => "kind: Config\n",
    close: async () => void forks.delete(port),
  };
}

/** Sends a request to the port. */
async function send(
  request: string,
  { body, token = cluster.adminToken() }: { body?: object | string; token?: string } = {},
): Promise<Answer> {
  const [method = "", target = ""] = request.split(" ");
  const answer = await control.handler(
    plainRequest({
      method,
      target,
      headers: new Map([
        ["authorization", `Bearer ${token}`],
        [
          "content-type",
          target.startsWith("/kubedouble") ? "application/x-www-form-urlencoded" : "application/json",
        ],
      ]),
      body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body ?? {})),
    }),
    inProcessPeer,
  );
  const text = new TextDecoder().decode(await readResponseBody(answer.body));
  return { status: answer.status, body: text === "" ? undefined : parsed(text) };
}

/** The value of JSON; other text as it is. */
function parsed(text: string): unknown {
  return /^[{[]/.test(text) ? JSON.parse(text) : text;
}

/** Sends a request to the control API; the path is below `/kubedouble/v1/`. */
const ask = (request: string, body?: object | string) => {
  const [method, path] = request.split(" ");
  return send(`${method} /kubedouble/v1/${path}`, body === undefined ? {} : { body });
};

const configMaps = "/api/v1/namespaces/default/configmaps";
const create = (name: string) =>
  send(`POST ${configMaps}`, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } });
const statusOf = async (request: string) => (await send(request)).status;

describe("the control API exists only for the administrator's token", () => {
  test.each([
    ["another user", () => cluster.token("alice", { groups: ["system:masters"] }), 404],
    ["an unknown token", () => "guess", 401],
  ])("%s", async (_title, token, status) => {
    cluster.adminToken();
    expect(await send("GET /kubedouble/v1/faults", { token: token() })).toEqual({
      status,
      body: (await send("GET /no-such-path", { token: token() })).body,
    });
  });

  test("a path that only begins like it is one of the cluster", async () => {
    expect(await statusOf("GET /kubedoubles/v1/faults")).toBe(404);
    expect(cluster.log.all.map(({ path }) => path)).toEqual(["/kubedoubles/v1/faults"]);
  });
});

describe("faults", () => {
  test("a fault that is injected by text strikes requests, and counts them", async () => {
    expect(
      await ask("POST faults", { scenario: "throttle:resource=configmaps,times=2,verb=delete" }),
    ).toEqual({
      status: 201,
      body: {
        id: "fault-1",
        scenario: "throttle",
        scope: { verb: "delete", resource: "configmaps" },
        nth: 1,
        times: 2,
        hits: 0,
        isOver: false,
        unaffected: [],
      },
    });
    await create("settings");
    expect(await statusOf(`DELETE ${configMaps}/settings`)).toBe(429);
    expect(await statusOf(`DELETE ${configMaps}/settings`)).toBe(429);
    expect(await statusOf(`DELETE ${configMaps}/settings`)).toBe(200);
    expect((await ask("GET faults/fault-1")).body).toMatchObject({ hits: 2, isOver: true });
    expect(await ask("POST check")).toEqual({ status: 204, body: undefined });
    expect(await ask("GET faults")).toEqual({ status: 200, body: { faults: [] } });
  });

  test("a fault that is injected by name and options is listed until it is removed", async () => {
    await ask("POST faults", {
      scenario: "throttle",
      options: { verb: "list", times: "Infinity", lasting: "5s" },
    });
    const { body } = await ask("GET faults");
    expect(body).toMatchObject({
      faults: [{ id: "fault-1", scenario: "throttle", times: "Infinity", lasting: 5000 }],
    });
    expect(await statusOf(`GET ${configMaps}`)).toBe(429);
    expect((await ask("DELETE faults/fault-1")).status).toBe(204);
    expect(await statusOf(`GET ${configMaps}`)).toBe(200);
    expect(await ask("GET faults/fault-1")).toEqual({
      status: 404,
      body: { status: 404, message: 'there is no fault "fault-1"' },
    });
  });

  test("faults that the test injected in another way have ids too", async () => {
    await ask("POST faults", { scenario: "throttle" });
    const { scenario } = cluster.faults.inForce[0] ?? expect.fail("no fault");
    cluster.faults.inject(scenario);
    expect((await ask("GET faults")).body).toMatchObject({ faults: [{ id: "fault-1" }, { id: "fault-2" }] });
  });

  test("a fault shows the requests in its scope that it has not affected", async () => {
    await ask("POST faults", { scenario: "conflict:resource=configmaps" });
    await create("settings");
    await send(`PUT ${configMaps}/settings`, {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } },
    });
    expect((await ask("GET faults/fault-1")).body).toMatchObject({
      hits: 0,
      unaffected: [
        {
          method: "PUT",
          target: `${configMaps}/settings`,
          reason: expect.stringContaining("resourceVersion"),
        },
      ],
    });
  });

  test("a check names a fault that was never used and ends all faults", async () => {
    await ask("POST faults", { scenario: "conflict:resource=pods" });
    const { status, body } = await ask("POST check");
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: expect.stringContaining("The fault conflict was never used") });
    expect((await ask("POST check")).status).toBe(204);
  });

  test("a check names unserved paths unless they are allowed", async () => {
    await statusOf("GET /apis/example.com/v1/widgets");
    expect((await ask("POST check")).body).toMatchObject({
      message: expect.stringContaining("does not serve this path"),
    });
    expect((await ask("POST check", { allowUnserved: ["/apis/example.com/v1/widgets"] })).status).toBe(204);
    expect((await ask("POST check", { allowUnserved: true })).status).toBe(204);
  });

  test("faults do not strike the control API, and the log omits its requests", async () => {
    await ask("POST faults", { scenario: "throttle:times=Infinity" });
    expect(await statusOf(`GET ${configMaps}`)).toBe(429);
    expect((await ask("GET faults")).status).toBe(200);
    expect(cluster.log.all.map(({ path }) => path)).toEqual([configMaps]);
  });

  test("down takes effect after the response, and needs an end", async () => {
    expect((await ask("POST faults", { scenario: "down" })).body).toMatchObject({
      message: expect.stringContaining("down needs the option lasting"),
    });
    expect((await ask("POST faults", { scenario: "down:lasting=5s" })).body).toMatchObject({ hits: 0 });
    expect(cluster.reachability.isReachable).toBe(true);
    for (const action of later) action();
    expect(cluster.reachability.isReachable).toBe(false);
    expect((await ask("GET faults/fault-1")).body).toMatchObject({ scenario: "down", isOver: false });
    await cluster.clock.advance("5s");
    expect(cluster.reachability.isReachable).toBe(true);
  });
});

describe("requests", () => {
  test("are listed with their outcome, by scope", async () => {
    await create("settings");
    await statusOf(`GET ${configMaps}/missing`);
    const { body } = await ask("GET requests?verb=get&verb=list&resource=configmaps");
    expect(body).toMatchObject({
      requests: [
        {
          receivedAt: "2026-01-01T00:00:00.000000Z",
          method: "GET",
          target: `${configMaps}/missing`,
          verb: "get",
          user: "kubernetes-admin",
          status: 404,
          message: 'configmaps "missing" not found',
        },
      ],
    });
    expect((await ask("DELETE requests")).status).toBe(204);
    expect((await ask("GET requests")).body).toEqual({ requests: [] });
  });
});

describe("state and time", () => {
  test("the clock is advanced", async () => {
    expect((await ask("POST clock", { advance: "90m" })).body).toEqual({
      now: "2026-01-01T01:30:00.000000Z",
    });
    expect((await ask("GET clock")).body).toEqual({ now: "2026-01-01T01:30:00.000000Z" });
  });

  test("compaction makes old resourceVersions too old", async () => {
    await create("settings");
    expect((await ask("POST compact")).status).toBe(204);
    expect(await statusOf(`GET ${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`)).toBe(410);
  });

  test("a snapshot is restored until it is removed", async () => {
    await create("settings");
    expect(await ask("POST snapshots")).toEqual({
      status: 201,
      body: { id: "snapshot-1", takenAt: "2026-01-01T00:00:00.000000Z" },
    });
    await statusOf(`DELETE ${configMaps}/settings`);
    expect((await ask("POST snapshots/snapshot-1/restore", { watches: "keep" })).status).toBe(204);
    expect(await statusOf(`GET ${configMaps}/settings`)).toBe(200);
    expect((await ask("GET snapshots")).body).toMatchObject({ snapshots: [{ id: "snapshot-1" }] });
    expect((await ask("DELETE snapshots/snapshot-1")).status).toBe(204);
    expect((await ask("POST snapshots/snapshot-1/restore")).status).toBe(404);
  });

  test("a reset goes back to the objects at the opening of the port", async () => {
    await create("settings");
    await ask("POST faults", { scenario: "throttle:times=Infinity" });
    expect((await ask("POST reset")).status).toBe(204);
    expect(cluster.log.all).toEqual([]);
    expect(await statusOf(`GET ${configMaps}/settings`)).toBe(404);
    expect((await ask("POST check")).status).toBe(204);
    expect((await create("settings")).status).toBe(201);
  });

  test("a reset keeps objects from before the opening of the port", async () => {
    await cluster.admin().create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "first" } });
    control = cluster.control({ open: openFork, afterResponses: () => {} });
    await create("second");
    await ask("POST reset");
    expect(await statusOf(`GET ${configMaps}/first`)).toBe(200);
    expect(await statusOf(`GET ${configMaps}/second`)).toBe(404);
  });

  test("a reset goes back to a new cluster if the port was opened before the first request", async () => {
    await cluster.admin().create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "first" } });
    await ask("POST reset");
    expect(await statusOf(`GET ${configMaps}/first`)).toBe(404);
    expect(await statusOf("GET /api/v1/namespaces/default")).toBe(200);
  });

  test("a fork is served on another port until it is closed", async () => {
    await create("settings");
    const { status, body } = await ask("POST forks", { port: 4001 });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: "fork-1",
        url: "https://127.0.0.1:4001",
        token: forks.get(4001)?.adminToken(),
        caCertificate: "PEM",
        kubeconfig: "kind: Config\n",
      },
    });
    expect(await ask("POST forks", { port: 4001 })).toEqual({
      status: 409,
      body: { status: 409, message: "listen EADDRINUSE: address already in use 127.0.0.1:4001" },
    });
    expect((await ask("GET forks")).body).toEqual({
      forks: [{ id: "fork-1", url: "https://127.0.0.1:4001" }],
    });
    expect((await ask("DELETE forks/fork-1")).status).toBe(204);
    await ask("POST forks");
    expect([...forks.keys()]).toEqual([40_000]);
    await control.close();
    expect([...forks.keys()]).toEqual([]);
  });
});

describe("the release", () => {
  test("is shown and changed", async () => {
    expect(await ask("GET release")).toEqual({ status: 200, body: { release: "1.32" } });
    expect(await ask("POST upgrade", { release: "1.33" })).toEqual({
      status: 200,
      body: { from: "1.32", release: "1.33", unreadable: [], unserved: [] },
    });
    expect(await ask("POST downgrade", { release: "1.31", minors: "skip" })).toMatchObject({ status: 200 });
    expect(await ask("GET release")).toEqual({ status: 200, body: { release: "1.31" } });
  });

  test.each<[body: object, message: string]>([
    [{ release: "1.99" }, 'release "1.99" is not supported'],
    [{ release: "1.36" }, "upgrade: kube-apiserver goes from 1.32 to 1.36 through 1.33"],
    [{ release: "1.33", minors: "all" }, 'minors must be "one" or "each" or "skip", not "all"'],
    [{}, "the member release is missing"],
  ])("%j is refused", async (body, message) => {
    expect(await ask("POST upgrade", body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
    expect(await ask("GET release")).toEqual({ status: 200, body: { release: "1.32" } });
  });
});

describe("requests that are not valid", () => {
  test.each<[string, string, object | string | undefined, number, string]>([
    ["an unknown path", "GET fault", undefined, 404, "did you mean /kubedouble/v1/faults?"],
    ["a path of nothing", "GET ", undefined, 404, "GET /kubedouble/v1/openapi.json lists them"],
    ["another method", "PUT faults", {}, 405, "/kubedouble/v1/faults has no method PUT, only GET and POST"],
    ["a body that is not JSON", "POST faults", "{", 400, "unexpected end of JSON input"],
    ["a body that is not an object", "POST faults", "[]", 400, "the body must be a JSON object"],
    ["a missing member", "POST faults", {}, 400, "the member scenario is missing"],
    [
      "an unknown member",
      "POST faults",
      { scenaro: "down" },
      400,
      'unknown member "scenaro"; did you mean "scenario"?',
    ],
    [
      "a wrong type",
      "POST forks",
      { port: 70_000 },
      400,
      "port must be a whole number from 0 to 65535, not 70000",
    ],
    ["an unknown failure", "POST faults", { scenario: "conflct" }, 400, "did you mean conflict?"],
    [
      "an unknown option",
      "POST faults",
      { scenario: "conflict", options: { resorce: "pods" } },
      400,
      'did you mean "resource"?',
    ],
    ["a duration", "POST clock", { advance: "5 m" }, 400, 'unknown unit " m" in duration "5 m"'],
    [
      "a time that goes back",
      "POST clock",
      { advance: "-5m" },
      400,
      "advance must be a duration greater than 0",
    ],
    ["an unknown parameter", "GET requests?verbs=get", undefined, 400, 'did you mean "verb"?'],
    [
      "a parameter twice",
      "GET requests?user=a&user=b",
      undefined,
      400,
      "the parameter user is given 2 times",
    ],
    [
      "a choice",
      "POST snapshots/snapshot-1/restore",
      { watches: "stay" },
      400,
      'watches must be "end" or "keep", not "stay"',
    ],
  ])("%s is an error", async (_title, request, body, status, message) => {
    expect(await ask(request, body)).toEqual({
      status,
      body: { status, message: expect.stringContaining(message) },
    });
  });

  test("a body of more than a mebibyte is refused", async () => {
    expect((await ask("POST faults", { scenario: "x".repeat(1 << 20) })).status).toBe(413);
  });

  test("the number of snapshots is limited", async () => {
    for (let count = 0; count < 100; count++) await ask("POST snapshots");
    expect(await ask("POST snapshots")).toEqual({
      status: 409,
      body: { status: 409, message: "there are 100 snapshots, the limit; remove one first" },
    });
  });
});

test("the OpenAPI document describes every route", async () => {
  const { status, body } = await ask("GET openapi.json");
  expect(status).toBe(200);
  // The shape that the following lines compare.
  const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, object>> };
  expect(openapi).toBe("3.1.0");
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace("/kubedouble/v1/", "")}`),
  );
  expect(routes).toEqual([
    "GET faults",
    "POST faults",
    "GET faults/{id}",
    "DELETE faults/{id}",
    "POST check",
    "GET requests",
    "DELETE requests",
    "GET clock",
    "POST clock",
    "GET release",
    "POST upgrade",
    "POST downgrade",
    "POST compact",
    "POST reset",
    "GET snapshots",
    "POST snapshots",
    "POST snapshots/{id}/restore",
    "DELETE snapshots/{id}",
    "GET forks",
    "POST forks",
    "DELETE forks/{id}",
    "GET openapi.json",
  ]);
  expect(paths["/kubedouble/v1/faults"]?.["post"]).toMatchObject({
    requestBody: {
      content: { "application/json": { schema: { required: ["scenario"], additionalProperties: false } } },
    },
    responses: { 201: {}, 400: {}, 409: {} },
  });
});
