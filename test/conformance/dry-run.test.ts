import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RawAnswer, RawRequest } from "./quiet-server.ts";
import { configMaps, quietServer } from "./refusals.ts";

const nobody = { name: "nobody", uid: "", groups: ["system:authenticated"], extra: {} };
const server = quietServer({ authorizationMode: "RBAC", tokens: new Map([["nobody", nobody]]) });
const core = "/api/v1/namespaces/default";
const map = `${configMaps}/there`;
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const deployment = `${deployments}/there`;
const pods = `${core}/pods`;
const pod = `${pods}/there`;

function sent(method: string, target: string, body: object | string = "", type = "json"): RawRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method, target, headers: { "content-type": `application/${type}` }, body: text };
}

const named = (name: string) => ({ metadata: { name } });
const labels = { app: "there" };
const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };

beforeAll(async () => {
  await server.cluster.create({ apiVersion: "v1", kind: "ServiceAccount", ...named("default") });
  const objects: readonly [string, object][] = [
    [configMaps, { ...named("there"), data: { k: "v" } }],
    [configMaps, { metadata: { name: "held", finalizers: ["x.io/f"] } }],
    [deployments, { ...named("there"), spec: { replicas: 1, selector: { matchLabels: labels }, template } }],
    [pods, { metadata: { name: "there", labels }, spec: template.spec }],
    ["/api/v1/nodes", named("n")],
  ];
  for (const [collection, object] of objects) {
    expect((await server.ask(sent("POST", collection, object))).status).toBe(201);
  }
});

let revision: string;
beforeEach(async () => {
  revision = await server.revision();
});

function rehearsed(request: RawRequest, query = "dryRun=All"): Promise<RawAnswer> {
  const separator = request.target.includes("?") ? "&" : "?";
  return server.ask({ ...request, target: `${request.target}${separator}${query}` });
}

const applied = { apiVersion: "v1", kind: "ConfigMap", ...named("new"), data: { a: "1" } };

/** Every way to write. A dry run changes nothing. */
const writes: readonly (readonly [title: string, request: RawRequest, code: number, answer: object])[] = [
  ["POST", sent("POST", configMaps, { ...named("new"), data: { a: "1" } }), 201, { data: { a: "1" } }],
  ["PUT", sent("PUT", map, { ...named("there"), data: { a: "1" } }), 200, { data: { a: "1" } }],
  [
    "PUT that creates",
    sent("PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/new", named("new")),
    201,
    { kind: "Lease" },
  ],
  [
    "a JSON patch",
    sent("PATCH", map, [{ op: "add", path: "/data/a", value: "1" }], "json-patch+json"),
    200,
    { data: { a: "1", k: "v" } },
  ],
  [
    "a merge patch",
    sent("PATCH", map, { data: { a: "1" } }, "merge-patch+json"),
    200,
    { data: { a: "1", k: "v" } },
  ],
  [
    "a strategic merge patch",
    sent("PATCH", map, { data: { k: null } }, "strategic-merge-patch+json"),
    200,
    { metadata: { name: "there" } },
  ],
  [
    "an apply",
    sent("PATCH", `${map}?fieldManager=m`, { ...applied, ...named("there") }, "apply-patch+yaml"),
    200,
    { data: { a: "1", k: "v" } },
  ],
  [
    "an apply that creates",
    sent("PATCH", `${configMaps}/new?fieldManager=m`, applied, "apply-patch+yaml"),
    201,
    { data: { a: "1" } },
  ],
  ["DELETE", sent("DELETE", map), 200, { kind: "Status", status: "Success", details: { name: "there" } }],
  ["DELETE of an object with finalizers", sent("DELETE", `${configMaps}/held`), 200, { kind: "ConfigMap" }],
  ["DELETE with a grace period", sent("DELETE", pod), 200, { kind: "Pod" }],
  ["DELETE of a collection", sent("DELETE", configMaps), 200, { kind: "ConfigMapList" }],
  [
    "PUT of a status",
    sent("PUT", `${deployment}/status`, { ...named("there"), status: { replicas: 3 } }),
    200,
    { status: { replicas: 3 } },
  ],
  [
    "a patch of a scale",
    sent("PATCH", `${deployment}/scale`, { spec: { replicas: 5 } }, "merge-patch+json"),
    200,
    { kind: "Scale", spec: { replicas: 5 } },
  ],
  [
    "POST of a binding",
    sent("POST", `${pod}/binding`, { ...named("there"), target: { kind: "Node", name: "n" } }),
    201,
    { kind: "Status", status: "Success" },
  ],
  [
    "POST of an eviction",
    sent("POST", `${pod}/eviction`, named("there")),
    201,
    { kind: "Status", status: "Success" },
  ],
  [
    "POST of a token request",
    sent("POST", `${core}/serviceaccounts/default/token`, {}),
    201,
    { kind: "TokenRequest" },
  ],
  [
    "PUT of a namespace's finalizers",
    sent("PUT", "/api/v1/namespaces/default/finalize", {
      ...named("default"),
      spec: { finalizers: ["x.io/f"] },
    }),
    200,
    { spec: { finalizers: ["x.io/f"] } },
  ],
  [
    "POST of a review",
    sent("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    }),
    201,
    { status: { allowed: true } },
  ],
];

describe("a dry run", () => {
  test.each(writes)(
    "of %s returns the usual response, and stores nothing",
    async (_title, request, code, answer) => {
      const { status, text } = await rehearsed(request);
      expect(status).toBe(code);
      expect(JSON.parse(text)).toMatchObject(answer);
      expect(await server.revision()).toBe(revision);
    },
  );

  test.each(writes)("of %s supports only the value All", async (_title, request) => {
    const options = {
      POST: "CreateOptions",
      PUT: "UpdateOptions",
      PATCH: "PatchOptions",
      DELETE: "DeleteOptions",
    };
    const kind = options[request.method as keyof typeof options];
    for (const [query, shown] of [
      ["dryRun=Some", '"Some"'],
      ["dryRun=", '""'],
      ["dryRun=All&dryRun=x", '"All", "x"'],
    ]) {
      const { status, text } = await rehearsed(request, query);
      expect([status, JSON.parse(text).message]).toEqual([
        422,
        `${kind}.meta.k8s.io "" is invalid: dryRun: Unsupported value: []string{${shown}}: supported values: "All"`,
      ]);
    }
    expect(await server.revision()).toBe(revision);
  });
});

describe("the result of a dry run", () => {
  const versionOf = ({ text }: RawAnswer): string | undefined => JSON.parse(text).metadata.resourceVersion;

  test("for a new object has every field except the resourceVersion, and a generated name", async () => {
    const made = JSON.parse(
      (await rehearsed(sent("POST", configMaps, { metadata: { generateName: "x-" } }))).text,
    );
    expect(made.metadata).toEqual({
      name: expect.stringMatching(/^x-[a-z0-9]{5}$/),
      generateName: "x-",
      namespace: "default",
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creationTimestamp: expect.any(String),
      managedFields: [expect.anything()],
    });
    expect(
      versionOf(
        await rehearsed(sent("PATCH", `${configMaps}/new?fieldManager=m`, applied, "apply-patch+yaml")),
      ),
    ).toBe(undefined);
  });

  test.each([
    ["POST", configMaps, "json"],
    ["PATCH", `${configMaps}/new?fieldManager=m`, "apply-patch+yaml"],
  ])("for a new object has the resourceVersion that the client sent: %s", async (method, target, type) => {
    for (const resourceVersion of ["7", "0"]) {
      const object = { ...applied, metadata: { name: "new", resourceVersion } };
      expect(versionOf(await rehearsed(sent(method, target, object, type)))).toBe(resourceVersion);
    }
  });

  test("for a change has the current resourceVersion", async () => {
    const before = versionOf(await server.ask({ method: "GET", target: map }));
    expect(versionOf(await rehearsed(sent("PUT", map, named("there"))))).toBe(before);
    expect(versionOf(await rehearsed(sent("PATCH", map, { data: { b: "1" } }, "merge-patch+json")))).toBe(
      before,
    );
  });

  test("is the same for a repeated parameter, and for dryRun in the options of a deletion", async () => {
    expect((await rehearsed(sent("DELETE", map), "dryRun=All&dryRun=All")).status).toBe(200);
    expect((await server.ask(sent("DELETE", map, { dryRun: ["All"] }))).status).toBe(200);
    expect(
      (
        await server.ask(
          sent("POST", `${pod}/eviction`, { ...named("there"), deleteOptions: { dryRun: ["All"] } }),
        )
      ).status,
    ).toBe(201);
    expect(await server.revision()).toBe(revision);
  });

  test.each<[title: string, request: RawRequest, code: number, message: string]>([
    [
      "of an existing object",
      sent("POST", configMaps, named("there")),
      409,
      'configmaps "there" already exists',
    ],
    [
      "of a change of a missing object",
      sent("PUT", `${configMaps}/new`, named("new")),
      404,
      'configmaps "new" not found',
    ],
    [
      "of a deletion of a missing object",
      sent("DELETE", `${configMaps}/new`),
      404,
      'configmaps "new" not found',
    ],
    [
      "of a change with an outdated resourceVersion",
      sent("PUT", map, { metadata: { name: "there", resourceVersion: "1" } }),
      409,
      'Operation cannot be fulfilled on configmaps "there": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "of an invalid object",
      sent("POST", configMaps, named("A")),
      422,
      `ConfigMap "A" is invalid: metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      "in a missing namespace",
      sent("POST", "/api/v1/namespaces/none/configmaps", named("new")),
      404,
      'namespaces "none" not found',
    ],
    ["of a connection", sent("POST", `${pod}/exec?command=ls`), 400, "dryRun is not supported"],
    ["of a connection of another kind", sent("GET", `${pod}/proxy`), 400, "dryRun is not supported"],
  ])("%s fails like the write", async (_title, request, code, message) => {
    const { status, text } = await rehearsed(request);
    expect([status, JSON.parse(text).message]).toEqual([code, message]);
  });

  test.each(writes.filter(([title]) => title !== "POST of a review"))(
    "of %s requires permission to write",
    async (_title, request) => {
      const { status } = await rehearsed({
        ...request,
        headers: { ...request.headers, authorization: "Bearer nobody" },
      });
      expect(status).toBe(403);
    },
  );

  test("does not change its objects", async () => {
    for (const [, request] of writes) await rehearsed(request);
    const { data } = JSON.parse((await server.ask({ method: "GET", target: map })).text);
    expect(data).toEqual({ k: "v" });
    expect(versionOf(await server.ask({ method: "GET", target: pod }))).toBeDefined();
    expect((await server.ask({ method: "GET", target: `${configMaps}/new` })).status).toBe(404);
  });
});
