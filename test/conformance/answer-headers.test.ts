import { beforeAll, describe, expect, test } from "vitest";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest, readResponseBody } from "../../src/request/plain-request.ts";
import { ConfigMaps } from "./config-maps.ts";
import { QuietServer } from "./quiet-server.ts";

const server = new QuietServer({ authorizationMode: "RBAC" });
const maps = new ConfigMaps(server, "headers");

beforeAll(() => maps.begin("a"));

const admin = (): string => server.cluster.adminToken();
const dev = server.cluster.token("dev", { groups: ["devs"] });

interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The response as it leaves the server, with every header line. */
function ask(target: string, { method = "GET", token = admin(), headers = {}, body }: Asked = {}) {
  const all = new Map(Object.entries(headers));
  if (token !== "") all.set("authorization", `Bearer ${token}`);
  const bytes = body && { body: new TextEncoder().encode(JSON.stringify(body)) };
  const client = new AbortController();
  // The head of a watch is enough.
  const request = plainRequest({ method, target, headers: all, ...bytes, signal: client.signal });
  return server.handler(request, inProcessPeer).finally(() => client.abort());
}

function linesOf({ headers }: ApiResponse, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

/** Paths for every kind of response, and their status codes. */
const answers: readonly (readonly [title: string, path: string, asked: Asked, status: number])[] = [
  ["an object", `${maps.path}/a`, {}, 200],
  ["a list", maps.path, {}, 200],
  ["a watch", `${maps.path}?watch=1&resourceVersion=0`, {}, 200],
  ["a refusal", `${maps.path}/nobody`, {}, 404],
  ["a forbidden request", "/api/v1/secrets", { token: dev }, 403],
  ["a path unknown to the router", "/api/v1/nothing", {}, 404],
  ["a path unknown to the mux", "/nothing", {}, 404],
  ["discovery", "/apis/apps", {}, 200],
  ["the version", "/version", {}, 200],
  ["health", "/healthz", {}, 200],
  ["the paths", "/", {}, 200],
  ["OpenAPI", "/openapi/v3", {}, 200],
];

describe.each(answers)("%s", (_title, path, asked, status) => {
  test("has its own Audit-Id, or the client's", async () => {
    const [first, second] = [await ask(path, asked), await ask(path, asked)];
    const [id] = linesOf(first, "Audit-Id");
    expect(first.status).toBe(status);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(linesOf(second, "Audit-Id")).not.toEqual([id]);
    const echoed = await ask(path, { ...asked, headers: { "audit-id": "mine" } });
    expect(linesOf(echoed, "Audit-Id")).toEqual(["mine"]);
  });

  test("has the headers Cache-Control and Date, and those of priority and fairness", async () => {
    const answer = await ask(path, asked);
    expect(linesOf(answer, "Cache-Control")).toEqual(["no-cache, private"]);
    expect(linesOf(answer, "Date")).toEqual([new Date(server.cluster.clock.now()).toUTCString()]);
    expect(linesOf(answer, "X-Kubernetes-Pf-Flowschema-Uid")).toHaveLength(1);
    expect(linesOf(answer, "X-Kubernetes-Pf-Prioritylevel-Uid")).toHaveLength(1);
    expect(linesOf(answer, "Server")).toEqual([]);
  });
});

describe("priority and fairness", () => {
  const uidOf = async (resource: string, name: string) => {
    const { body } = await ask(`/apis/flowcontrol.apiserver.k8s.io/v1/${resource}/${name}`);
    return JSON.parse(Buffer.from(await readResponseBody(body)).toString()).metadata.uid;
  };

  test.each([
    ["system:masters", () => admin(), "exempt", "exempt"],
    ["a user", () => dev, "global-default", "global-default"],
    [
      "the scheduler",
      () => server.cluster.token("system:kube-scheduler", { groups: [] }),
      "kube-scheduler",
      "workload-high",
    ],
    [
      "a service account",
      () => server.cluster.token("system:serviceaccount:d:s", { groups: ["system:serviceaccounts"] }),
      "service-accounts",
      "workload-low",
    ],
  ])("returns the flow schema and priority level of %s", async (_title, token, schema, level) => {
    const answer = await ask("/api/v1/namespaces/d/pods", { token: token() });
    expect(linesOf(answer, "X-Kubernetes-Pf-Flowschema-Uid")).toEqual([await uidOf("flowschemas", schema)]);
    expect(linesOf(answer, "X-Kubernetes-Pf-Prioritylevel-Uid")).toEqual([
      await uidOf("prioritylevelconfigurations", level),
    ]);
  });

  test("returns neither to unauthenticated clients", async () => {
    const answer = await ask("/api", { token: "forged" });
    expect(answer.status).toBe(401);
    expect(answer.headers.map(([name]) => name)).not.toContain("X-Kubernetes-Pf-Flowschema-Uid");
  });
});

describe("a refusal", () => {
  test("by authorization has the header nosniff", async () => {
    expect(linesOf(await ask("/api/v1/secrets", { token: dev }), "X-Content-Type-Options")).toEqual([
      "nosniff",
    ]);
    expect(linesOf(await ask("/metrics", { token: dev }), "X-Content-Type-Options")).toEqual(["nosniff"]);
    expect(linesOf(await ask(`${maps.path}/nobody`), "X-Content-Type-Options")).toEqual([]);
    const byAdmission = await ask("/api/v1/namespaces/default", { method: "DELETE" });
    expect([byAdmission.status, linesOf(byAdmission, "X-Content-Type-Options")]).toEqual([403, []]);
  });

  // Of a Forbidden, the header is the authorizer's (apiserver, handlers/responsewriters/errors.go).
  test.each<[string, string, Asked]>([
    ["of namespace lifecycle", "/api/v1/namespaces/default", { method: "DELETE" }],
    [
      "of the registry",
      "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
      { method: "DELETE" },
    ],
    [
      "of a plugin",
      "/api/v1/namespaces/headers/pods",
      {
        method: "POST",
        body: {
          metadata: { name: "p" },
          spec: { priorityClassName: "no", containers: [{ name: "c", image: "i" }] },
        },
      },
    ],
    [
      "of a limit",
      "/api/v1/namespaces/headers/persistentvolumeclaims",
      {
        method: "POST",
        body: {
          metadata: { name: "c" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2" } } },
        },
      },
    ],
  ])("%s has no header nosniff", async (_title, target, asked) => {
    const limits = [{ type: "PersistentVolumeClaim", max: { storage: "1" } }];
    await ask("/api/v1/namespaces/headers/limitranges", {
      method: "POST",
      body: { metadata: { name: "l" }, spec: { limits } },
    });
    const answer = await ask(target, asked);
    expect(answer.status).toBe(403);
    expect(linesOf(answer, "X-Content-Type-Options")).toEqual([]);
  });

  test("of a creation by PUT has no header nosniff", async () => {
    const role = {
      metadata: { name: "updater" },
      rules: [{ apiGroups: [""], resources: ["limitranges"], verbs: ["update"] }],
    };
    const subjects = [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "devs" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "updater" };
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await ask(`${rbac}/clusterroles`, { method: "POST", body: role });
    await ask(`${rbac}/clusterrolebindings`, {
      method: "POST",
      body: { metadata: { name: "updater" }, roleRef, subjects },
    });
    const body = { metadata: { name: "new" }, spec: { limits: [{ type: "Container" }] } };
    const answer = await ask("/api/v1/namespaces/headers/limitranges/new", {
      method: "PUT",
      token: dev,
      body,
    });
    expect(answer.status).toBe(403);
    expect(linesOf(answer, "X-Content-Type-Options")).toEqual([]);
  });

  test("that is temporary has the header Retry-After", async () => {
    const future = Number(await server.revision()) + 1000;
    const target = `${maps.path}/a?resourceVersion=${future}`;
    const { status, headers } = await server.ask({ method: "GET", target });
    expect([status, headers.get("retry-after")]).toEqual([504, "1"]);
  });
});

/** Upstream: apiserver, pkg/server/healthz/healthz.go. */
test.each([
  ["/healthz", ["nosniff"]],
  ["/livez", ["nosniff"]],
  ["/readyz?verbose", ["nosniff"]],
  ["/healthz/ping", []],
  ["/livez/etcd", []],
  ["/readyz/informer-sync", []],
  ["/healthz/nothing", ["nosniff"]],
])("the health check %s has the header nosniff, if it is a root or an error", async (target, expected) => {
  const answer = await ask(target);
  expect(linesOf(answer, "X-Content-Type-Options")).toEqual(expected);
  expect(linesOf(answer, "Content-Type")).toEqual(["text/plain; charset=utf-8"]);
});

describe("warnings", () => {
  const metadata = { name: "warned" };

  test("are one header line each, in the order of their fields", async () => {
    const body = { metadata, color: "red", data: { a: "b" }, shape: "round" };
    const answer = await ask(`${maps.path}?fieldValidation=Warn`, { method: "POST", body });
    expect(answer.status).toBe(201);
    expect(linesOf(answer, "Warning")).toEqual([
      '299 - "unknown field \\"color\\""',
      '299 - "unknown field \\"shape\\""',
    ]);
  });

  test("report deprecated versions in every response", async () => {
    const beta = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas";
    const old = new QuietServer({ release: "1.31" });
    const { headers } = await old.ask({ method: "GET", target: beta });
    expect(headers.get("warning")).toBe(
      '299 - "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema"',
    );
    expect(linesOf(await ask("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"), "Warning")).toEqual([]);
  });
});

describe("HEAD", () => {
  test.each([
    ["/healthz", 200],
    ["/openapi/v2", 200],
    ["/apis", 200],
    ["/api", 405],
    ["/version", 405],
    [maps.path, 405],
    [`${maps.path}/a`, 405],
  ])("%s: %d, without a body", async (path, status) => {
    const answer = await ask(path, { method: "HEAD" });
    expect([answer.status, answer.body]).toEqual([status, undefined]);
    expect(linesOf(answer, "Content-Type")).toHaveLength(1);
  });
});
