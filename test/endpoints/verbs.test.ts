import { beforeAll, describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { deleteReturns } from "../../src/scenario/presets.ts";
import { binding, policy } from "../admission/policy-objects.ts";
import { as, json, yaml } from "../conformance/media-types.ts";
import { OpenWatch } from "../conformance/open-watch.ts";
import { QuietServer, type RawAnswer } from "../conformance/quiet-server.ts";
import { gadget, gadgetDefinition, gadgetsPath, gadgetVersion } from "../kinds/apiextensions/gadgets.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const map = (name: string, metadata: object = {}, more: object = {}) => ({
  metadata: { name, ...metadata },
  ...more,
});

/** Sends requests to a new server, and reads JSON. */
function newServer(options: ConstructorParameters<typeof QuietServer>[0] = {}) {
  const server = new QuietServer(options);
  const send = async (
    method: string,
    target: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = method === "PATCH" ? "application/merge-patch+json" : json;
    const sent = { "content-type": type, ...headers };
    return read(
      await server.ask({ method, target, headers: sent, ...(text !== undefined && { body: text }) }),
    );
  };
  return { server, send };
}

function read({ status, text, headers }: RawAnswer) {
  const object = text.startsWith("{") ? JSON.parse(text) : { message: text };
  return { code: status, object, message: object.message, headers };
}

const negotiation =
  "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";
const wrongRevision = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';

// The first writes of each kind load code, which takes longer than the tests.
beforeAll(async () => {
  const { send } = newServer();
  const apply = { "content-type": "application/apply-patch+yaml" };
  await send("POST", configMaps, map("m", { generateName: "m" }), { accept: as("Table") });
  await send("PUT", `${leases}/l`, map("l"));
  const config = { apiVersion: "v1", kind: "ConfigMap", ...map("m", {}, { data: { k: "v" } }) };
  await send("PATCH", `${configMaps}/m?fieldManager=me&force=true`, config, apply);
  await send("GET", `${configMaps}/m`, undefined, { accept: yaml });
  await send("POST", "/api/v1/namespaces/default/serviceaccounts", map("s"));
  await send("POST", "/api/v1/namespaces/default/serviceaccounts/s/token", { spec: {} });
  await send("GET", "/apis/apps/v1/namespaces/default/deployments/d/scale");
  await send("POST", "/apis/apps/v1/namespaces/default/deployments", map("d"));
  await send("GET", "/api/v1/namespaces/default/pods/p/log");
  await send("GET", "/metrics");
}, 90_000);

describe("GET of an object", () => {
  // Upstream: apiserver, pkg/endpoints/handlers/get.go, GetResource.
  test("no longer exports it", async () => {
    const { send } = newServer();
    const message = "the export parameter, deprecated since v1.14, is no longer supported";
    for (const value of ["true", "1"])
      expect((await send("GET", `/api/v1/namespaces/default?export=${value}`)).message).toBe(message);
    expect((await send("GET", "/api/v1/namespaces/default?export=false")).code).toBe(200);
    const html = { accept: "text/html" };
    expect((await send("GET", "/api/v1/namespaces/default?export=true", undefined, html)).code).toBe(406);
  });

  test("reads a revision, and waits for a later one", async () => {
    const { send } = newServer();
    expect((await send("GET", "/api/v1/namespaces/default?resourceVersion=0")).code).toBe(200);
    expect((await send("GET", "/api/v1/namespaces/default?resourceVersion=1")).code).toBe(200);
    expect(await send("GET", "/api/v1/namespaces/default?resourceVersion=x")).toMatchObject({
      code: 500,
      message: wrongRevision,
    });
    const late = await send("GET", "/api/v1/namespaces/nothing?resourceVersion=100000");
    expect(late).toMatchObject({
      code: 504,
      message: expect.stringMatching(/^Timeout: Too large resource version: 100000/),
    });
  });
});

describe("DELETE of an object", () => {
  test("answers a Status of what is gone, with its group, and a kind that says so the object", async () => {
    const { send } = newServer();
    const { uid } = (await send("POST", configMaps, map("m"))).object.metadata;
    const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    expect(await send("DELETE", `${configMaps}/m`)).toMatchObject({
      code: 200,
      object: { ...success, details: { name: "m", kind: "configmaps", uid } },
    });
    const lease = (await send("POST", leases, map("l"))).object.metadata.uid;
    const details = { name: "l", group: "coordination.k8s.io", kind: "leases", uid: lease };
    expect((await send("DELETE", `${leases}/l`)).object).toEqual({ ...success, details });
    expect((await send("GET", `${leases}/l`)).code).toBe(404);
    await send("POST", "/api/v1/namespaces/default/serviceaccounts", map("s"));
    const gone = await send("DELETE", "/api/v1/namespaces/default/serviceaccounts/s");
    expect([gone.code, gone.object.kind]).toEqual([200, "ServiceAccount"]);
  });

  test("answers the object and, for clients that send orphanDependents, 202 while it is not gone", async () => {
    const { send } = newServer();
    const codes: unknown[] = [];
    for (const options of [{ orphanDependents: false }, { propagationPolicy: "Background" }, {}]) {
      await send("POST", configMaps, map("m", { finalizers: ["example.com/f"] }));
      const { code, object } = await send("DELETE", `${configMaps}/m`, options);
      codes.push([code, object.kind, object.metadata.name]);
    }
    const kept = ["ConfigMap", "m"];
    expect(codes).toEqual([202, 200, 200].map((code) => [code, ...kept]));
    await send("POST", configMaps, map("n"));
    expect((await send("DELETE", `${configMaps}/n`, { orphanDependents: false })).code).toBe(200);
    const orphan = map("o", { finalizers: ["example.com/f"] });
    await send("POST", configMaps, orphan);
    expect((await send("DELETE", `${configMaps}/o`, { orphanDependents: true })).code).toBe(200);
  });

  test("checks Accept, then the options, then the object", async () => {
    const { send } = newServer();
    const target = `${configMaps}/nothing?propagationPolicy=Zed`;
    expect((await send("DELETE", target, undefined, { accept: "text/html" })).code).toBe(406);
    expect((await send("DELETE", target)).code).toBe(422);
    expect((await send("DELETE", `${configMaps}/nothing`)).code).toBe(404);
    expect((await send("DELETE", `${configMaps}/nothing`, undefined, { accept: as("Table") })).code).toBe(
      404,
    );
  });

  test.each(["object", "status"] as const)(
    "answers the %s if a test wants it, once it is gone",
    async (wanted) => {
      await using cluster = createCluster({ controllers: [] });
      cluster.inject(deleteReturns(wanted));
      const kind = wanted === "object" ? "ConfigMap" : "Status";
      const remove = async (name: string, finalizers: readonly string[]) => {
        const object = {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name, namespace: "default", finalizers },
        };
        await cluster.create(object);
        const authorization = `Bearer ${cluster.adminToken()}`;
        const init = { method: "DELETE", headers: { authorization } };
        return (await cluster.fetch(`https://cluster.test${configMaps}/${name}`, init)).json();
      };
      expect(await remove("gone", [])).toMatchObject({ kind });
      expect(await remove("kept", ["example.com/f"])).toMatchObject({ kind: "ConfigMap" });
    },
  );

  test("reports who may not, and changes nothing in a dry run", async () => {
    const { send } = newServer();
    await send("POST", configMaps, map("m"));
    expect((await send("DELETE", `${configMaps}/m?dryRun=All`)).code).toBe(200);
    expect((await send("GET", `${configMaps}/m`)).code).toBe(200);
    const system = await send("DELETE", "/api/v1/namespaces/default");
    expect(system).toMatchObject({
      code: 403,
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
  });
});

describe("DELETE of a collection", () => {
  const names = ({ object }: { object: { items: readonly { metadata: { name: string } }[] } }) =>
    object.items.map(({ metadata }) => metadata.name).join("");

  test("answers what it deleted, in the order of its pages", async () => {
    const { send } = newServer();
    for (const name of ["a", "b", "c"]) await send("POST", configMaps, map(name, { labels: { name } }));
    expect(names(await send("DELETE", `${configMaps}?labelSelector=name%3Db`))).toBe("b");
    expect(names(await send("DELETE", `${configMaps}?dryRun=All`))).toBe("ac");
    expect(names(await send("GET", configMaps))).toBe("ac");
    const table = await send("DELETE", `${configMaps}?limit=1`, undefined, { accept: as("Table") });
    expect([table.object.kind, table.object.rows.length]).toEqual(["Table", 1]);
    expect(names(await send("DELETE", configMaps))).toBe("c");
  });

  test("checks Accept, then the list, then the options", async () => {
    const { send } = newServer();
    const html = { accept: "text/html" };
    const target = `${configMaps}?labelSelector=%3D&propagationPolicy=Zed`;
    expect((await send("DELETE", target, undefined, html)).code).toBe(406);
    expect((await send("DELETE", target)).code).toBe(400);
    expect((await send("DELETE", `${configMaps}?propagationPolicy=Zed`)).code).toBe(422);
  });

  test("asks admission about every object", async () => {
    const { send } = newServer();
    expect((await send("DELETE", "/api/v1/namespaces?fieldSelector=metadata.name%3Ddefault")).code).toBe(405);
  });

  // Upstream: apiserver, pkg/endpoints/handlers/delete.go, DeleteCollection.
  test("does not delete what cannot be read", async () => {
    const { send } = newServer({ featureGates: { AllowUnsafeMalformedObjectDeletion: true } });
    const body = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    expect(await send("DELETE", configMaps, body)).toMatchObject({
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option',
    });
  });
});

describe("POST", () => {
  test("checks Accept, then the type of the body, then the options, then the body", async () => {
    const { send } = newServer();
    const text = { "content-type": "text/plain" };
    const html = { accept: "text/html" };
    const target = `${configMaps}?dryRun=Some`;
    expect((await send("POST", target, "zz", { ...text, ...html })).code).toBe(406);
    expect((await send("POST", target, "zz", text)).code).toBe(415);
    expect((await send("POST", target, "zz")).code).toBe(422);
    expect((await send("POST", configMaps, "zz")).code).toBe(400);
    const elsewhere = await send("POST", configMaps, map("M", { namespace: "other" }));
    expect(elsewhere).toMatchObject({
      code: 400,
      message: "the namespace of the provided object does not match the namespace sent on the request",
    });
  });

  test("creates an object with new system fields and the manager of its fields", async () => {
    const { send } = newServer();
    const old = { uid: "mine", creationTimestamp: "2000-01-01T00:00:00Z", deletionGracePeriodSeconds: 5 };
    const { code, object } = await send(
      "POST",
      `${configMaps}?fieldManager=me`,
      map("m", old, { data: { k: "v" } }),
    );
    expect(code).toBe(201);
    expect(object.metadata.uid).not.toBe("mine");
    expect(object.metadata.creationTimestamp).not.toBe(old.creationTimestamp);
    expect(object.metadata.deletionGracePeriodSeconds).toBeUndefined();
    expect(object.metadata.managedFields).toMatchObject([{ manager: "me", operation: "Update" }]);
  });

  test("drops owners that are named twice, with a warning", async () => {
    const { send } = newServer();
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };
    const twice = map("m", { ownerReferences: [owner, owner] });
    for (const [method, target] of [
      ["POST", configMaps],
      ["PUT", `${configMaps}/m`],
    ] as const) {
      const { object, headers } = await send(method, target, twice);
      expect(object.metadata.ownerReferences).toEqual([owner]);
      expect(headers.get("warning")).toMatch(/contains duplicate entries; .*duplicate UID\(s\) observed: u"/);
    }
  });

  // Upstream: apiserver, pkg/endpoints/handlers/rest.go, AllowsMediaTypeTransform.
  test("of what can only be created has no Table", async () => {
    const { send } = newServer();
    const review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const body = { spec: { nonResourceAttributes: { path: "/", verb: "get" } } };
    expect((await send("POST", review, body, { accept: as("Table") })).code).toBe(406);
    expect((await send("POST", review, body)).object.status.allowed).toBe(true);
    const table = await send("POST", configMaps, map("m"), { accept: as("Table") });
    expect([table.code, table.object.kind]).toEqual([201, "Table"]);
  });

  test("to a subresource names the object in the path", async () => {
    const { send } = newServer();
    await send("POST", "/api/v1/namespaces/default/serviceaccounts", map("s"));
    const token = "/api/v1/namespaces/default/serviceaccounts/s/token";
    const { code, object } = await send("POST", token, { spec: {} });
    expect([code, object.kind, object.metadata.name]).toEqual([201, "TokenRequest", "s"]);
  });

  test("without a name makes one", async () => {
    const { send } = newServer();
    const { object } = await send("POST", configMaps, { metadata: { generateName: "m-" } });
    expect(object.metadata.name).toMatch(/^m-[a-z0-9]{5}$/);
  });

  test("in a dry run stores nothing", async () => {
    const { send } = newServer();
    expect((await send("POST", `${configMaps}?dryRun=All`, map("m"))).code).toBe(201);
    expect((await send("GET", `${configMaps}/m`)).code).toBe(404);
  });
});

describe("PUT", () => {
  test("checks Accept, then the type of the body, then the options, then the body", async () => {
    const { send } = newServer();
    const text = { "content-type": "text/plain" };
    const html = { accept: "text/html" };
    const target = `${configMaps}/m?dryRun=Some`;
    expect((await send("PUT", target, "zz", { ...text, ...html })).code).toBe(406);
    expect((await send("PUT", target, "zz", text)).code).toBe(415);
    expect((await send("PUT", target, "zz")).code).toBe(422);
    expect((await send("PUT", `${configMaps}/m`, "zz")).code).toBe(400);
    expect((await send("PUT", `${configMaps}/m`, map("m", { namespace: "o" }))).code).toBe(400);
    expect(await send("PUT", `${configMaps}/m`, map("n"))).toMatchObject({
      code: 400,
      message: "the name of the object (n) does not match the name on the URL (m)",
    });
    expect((await send("PUT", `${configMaps}/m`, map("m"))).code).toBe(404);
  });

  test("answers 201 if it creates the object, and then 200", async () => {
    const { send } = newServer();
    const created = await send("PUT", `${leases}/l`, map("l"));
    expect(created.code).toBe(201);
    expect((await send("PUT", `${leases}/l`, created.object)).code).toBe(200);
  });

  test("that creates the object is admitted as a create", async () => {
    const rule = { apiGroups: ["coordination.k8s.io"], apiVersions: ["v1"], resources: ["leases"] };
    const denying = (operation: string, expression: string) => ({
      matchConstraints: { resourceRules: [{ ...rule, operations: [operation] }] },
      validations: [{ expression, message: `no ${operation}` }],
    });
    const objects = [
      policy("Validating", denying("CREATE", "object.metadata.name != 'l'"), "create"),
      policy("Validating", denying("UPDATE", "false"), "update"),
      binding("Validating", { policyName: "create" }, "create"),
      binding("Validating", { policyName: "update" }, "update"),
    ];
    const { send } = newServer({ objects });
    expect(await send("PUT", `${leases}/l`, map("l"))).toMatchObject({
      code: 422,
      message: expect.stringContaining("denied request: no CREATE"),
    });
    expect((await send("GET", `${leases}/l`)).code).toBe(404);
    const created = await send("PUT", `${leases}/m`, map("m"));
    expect(created.code).toBe(201);
    const changed = { ...created.object, spec: { holderIdentity: "me" } };
    expect((await send("PUT", `${leases}/m`, changed)).message).toContain("denied request: no UPDATE");
  });

  test("needs the uid of the object if it has one", async () => {
    const { send } = newServer();
    const { uid } = (await send("POST", configMaps, map("m"))).object.metadata;
    expect((await send("PUT", `${configMaps}/m`, map("m", { uid: "other" }))).code).toBe(409);
    expect((await send("PUT", `${configMaps}/m`, map("m", { uid }))).code).toBe(200);
    expect((await send("PUT", `${configMaps}/m`, map("m", { uid: "" }))).code).toBe(200);
  });

  test("names the manager of what it changes", async () => {
    const { send } = newServer();
    await send("POST", `${configMaps}?fieldManager=one`, map("m", {}, { data: { a: "1" } }));
    const { object } = await send(
      "PUT",
      `${configMaps}/m?fieldManager=two`,
      map("m", {}, { data: { a: "2" } }),
    );
    expect(object.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual([
      "one",
      "two",
    ]);
  });
});

describe("PATCH", () => {
  test("creates what does not exist only by an apply to the object itself", async () => {
    const { send } = newServer();
    const applied = { "content-type": "application/apply-patch+yaml" };
    const object = { apiVersion: "v1", kind: "ConfigMap", ...map("m", {}, { data: { k: "v" } }) };
    const created = await send("PATCH", `${configMaps}/m?fieldManager=me`, object, applied);
    expect([created.code, created.object.metadata.managedFields[0].operation]).toEqual([201, "Apply"]);
    expect((await send("PATCH", `${configMaps}/m?fieldManager=me`, object, applied)).code).toBe(200);
    expect(await send("PATCH", `${leases}/l`, {})).toMatchObject({
      code: 404,
      message: 'leases.coordination.k8s.io "l" not found',
    });
    const node = { apiVersion: "v1", kind: "Node", ...map("n") };
    const status = await send("PATCH", "/api/v1/nodes/n/status?fieldManager=me", node, applied);
    expect(status.code).toBe(404);
  });

  test("by force takes the fields of other managers", async () => {
    const { send } = newServer();
    const applied = { "content-type": "application/apply-patch+yaml" };
    const object = (k: string) => ({ apiVersion: "v1", kind: "ConfigMap", ...map("m", {}, { data: { k } }) });
    const target = `${configMaps}/m?fieldManager`;
    await send("PATCH", `${target}=one`, object("1"), applied);
    expect((await send("PATCH", `${target}=two`, object("2"), applied)).code).toBe(409);
    expect((await send("PATCH", `${target}=two&force=false`, object("2"), applied)).code).toBe(409);
    expect((await send("PATCH", `${target}=two&force=true`, object("2"), applied)).code).toBe(200);
  });

  test("names the manager of what it changes, and needs the name in the path", async () => {
    const { send } = newServer();
    await send("POST", `${configMaps}?fieldManager=one`, map("m", {}, { data: { a: "1" } }));
    const { object } = await send("PATCH", `${configMaps}/m?fieldManager=two`, { data: { a: "2" } });
    expect(object.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual([
      "one",
      "two",
    ]);
    expect((await send("PATCH", `${configMaps}/m`, { metadata: { name: "n" } })).code).toBe(400);
    expect((await send("PATCH", `${configMaps}/m`, { metadata: { namespace: "n" } })).code).toBe(400);
  });

  test("of a scale tracks the fields of the object", async () => {
    const { send } = newServer();
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    const labels = { app: "d" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await send("POST", deployments, map("d", {}, { spec: { selector: { matchLabels: labels }, template } }));
    const scale = await send("PATCH", `${deployments}/d/scale?fieldManager=me`, { spec: { replicas: 3 } });
    expect([scale.code, scale.object.kind, scale.object.spec.replicas]).toEqual([200, "Scale", 3]);
    const { object } = await send("GET", `${deployments}/d`);
    expect(object.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: "me", subresource: "scale" }),
    );
  });
});

test.each([
  ["POST", configMaps, "CreateOptions"],
  ["PUT", `${configMaps}/m`, "UpdateOptions"],
  ["PATCH", `${configMaps}/m`, "PatchOptions"],
])("%s names its options when it refuses them", async (method, target, kind) => {
  const { send } = newServer();
  expect((await send(method, `${target}?dryRun=Some`, {})).message).toMatch(
    new RegExp(`^${kind}\\.meta\\.k8s\\.io "" is invalid: dryRun: `),
  );
});

describe("a watch", () => {
  test("of one object sends what concerns it alone", async () => {
    const { server, send } = newServer();
    for (const name of ["a", "b"]) await send("POST", configMaps, map(name));
    const path = "/api/v1/watch/namespaces/default/configmaps/a";
    const watches = [
      await OpenWatch.open(server, path),
      await OpenWatch.open(server, `${path}?labelSelector=!x`),
      await OpenWatch.open(server, `${path}?fieldSelector=metadata.name%3Da`),
    ];
    for (const name of ["b", "a"]) await send("PATCH", `${configMaps}/${name}`, { data: { k: "v" } });
    for (const watch of watches) {
      const events = await watch.events();
      expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
        "ADDED a",
        "MODIFIED a",
      ]);
      watch.leave();
    }
    expect(await send("GET", `${path}?fieldSelector=metadata.name%3Db`)).toMatchObject({
      code: 400,
      message: "fieldSelector metadata.name doesn't match requested name",
    });
  });

  test("checks includeObject only if it has Tables", async () => {
    const { server, send } = newServer();
    const path = `${configMaps}?watch=1&includeObject=x`;
    expect((await send("GET", path, undefined, { accept: as("Table") })).code).toBe(400);
    (await OpenWatch.open(server, path)).leave();
  });

  test("has events in its version, though they follow what another watch was sent", async () => {
    const { server, send } = newServer();
    const path = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" } };
    const { object } = await send("POST", path("v2"), { ...map("h"), spec });
    await send("PATCH", `${path("v2")}/h`, { spec: { maxReplicas: 4 } });
    const first = await OpenWatch.open(server, `${path("v1")}?watch=1`);
    expect(await first.events()).toMatchObject([{ type: "ADDED", object: { apiVersion: "autoscaling/v1" } }]);
    const since = `resourceVersion=${object.metadata.resourceVersion}`;
    const second = await OpenWatch.open(server, `${path("v1")}?watch=1&${since}`);
    const changed = { type: "MODIFIED", object: { apiVersion: "autoscaling/v1" } };
    expect(await second.events()).toMatchObject([changed]);
    for (const watch of [first, second]) watch.leave();
  });
});

describe("the router", () => {
  // Upstream: apiserver, pkg/endpoints/installer.go: Produces.
  test.each([
    ["GET", configMaps, "application/json;stream=watch", 200],
    ["GET", `${configMaps}/m`, "application/json;stream=watch", 200],
    ["GET", configMaps, "application/vnd.kubernetes.protobuf;stream=watch", 200],
    ["GET", configMaps, "text/plain", 406],
    ["GET", "/api/v1/namespaces/default/pods/p/log", "text/plain", 406],
    ["GET", "/api/v1/namespaces/default/pods/p/log", "text/html", 406],
    ["GET", "/api/v1/namespaces/default/pods/p/proxy/", "text/html", 404],
  ])("%s %s, accepting %s, answers %i or passes", async (method, target, accept, code) => {
    const { send } = newServer();
    await send("POST", configMaps, map("m"));
    const answer = await send(method, target, undefined, { accept });
    expect([answer.code, target.includes("watch") || answer.code]).toEqual([code, code]);
  });

  test.each(["/api", "/api/v1", "/apis/apps", "/apis/apps/v1"])("only reads %s", async (path) => {
    const { send } = newServer();
    expect((await send("POST", path, {})).code).toBe(405);
    expect((await send("GET", path)).code).toBe(200);
  });

  test("reads the timeout of a request, but not of a connection", async () => {
    const { send } = newServer();
    expect((await send("GET", `${configMaps}?timeout=x`)).code).toBe(400);
    expect((await send("GET", "/api/v1/namespaces/default/pods/p/log?timeout=x")).code).toBe(404);
  });

  test("warns of deprecated versions, and counts requests to them by the release that removes them", async () => {
    const { send } = newServer({ release: "1.24" });
    const budgets = "/apis/policy/v1beta1/poddisruptionbudgets";
    expect((await send("GET", budgets)).headers.get("warning")).toBe(
      '299 - "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget"',
    );
    expect((await send("GET", "/apis/policy/v1/poddisruptionbudgets")).headers.has("warning")).toBe(false);
    const { message } = await send("GET", "/metrics");
    expect(message).toMatch(
      /apiserver_requested_deprecated_apis\{group="policy",removed_release="1\.25",resource="poddisruptionbudgets",subresource="",version="v1beta1"\} 1/,
    );
    expect(message).not.toMatch(/apiserver_requested_deprecated_apis\{[^}]*version="v1"\}/);
  });

  test("checks the formats of a log twice, since its text may have any", async () => {
    const { send } = newServer();
    const log = "/api/v1/namespaces/default/pods/p/log";
    expect((await send("GET", log, undefined, { accept: "text/html" })).message).toMatch(
      /^406: Not Acceptable/,
    );
    const { message } = await send("GET", log, undefined, { accept: "text/plain" });
    expect(message).toMatch(/^only the following media types are accepted: /);
  });

  // Upstream: apiextensions-apiserver, pkg/apiserver/customresource_handler.go.
  test("does not route custom resources: their handlers refuse formats in their own words", async () => {
    const { server, send } = newServer();
    await server.cluster.create(gadgetDefinition([gadgetVersion("v1", { type: "object" })]));
    await server.cluster.settle();
    const gadgets = gadgetsPath("v1");
    expect((await send("POST", gadgets, gadget("a", {}))).code).toBe(201);
    const accepting = (accept: string) => send("GET", gadgets, undefined, { accept });
    expect(await accepting("text/html")).toMatchObject({
      code: 406,
      message: expect.stringMatching(/^only the following media types are accepted: /),
    });
    expect((await accepting("application/vnd.kubernetes.protobuf")).code).toBe(406);
    const patched = (type: string) => send("PATCH", `${gadgets}/a`, "{}", { "content-type": type });
    expect(await patched("text/plain")).toMatchObject({
      code: 415,
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    });
    expect((await patched("application/merge-patch+json")).code).toBe(200);
  });

  test("takes the name of what is created from the object if the path has none", async () => {
    const { send } = newServer();
    const target = { kind: "Node", name: "n" };
    const bindings = "/api/v1/namespaces/default/bindings";
    expect(await send("POST", bindings, { metadata: { name: "p" }, target })).toMatchObject({
      code: 404,
      message: 'pods "p" not found',
    });
    const ofPod = "/api/v1/namespaces/default/pods/q/binding";
    expect(await send("POST", ofPod, { metadata: { name: "q" }, target })).toMatchObject({
      code: 404,
      message: 'pods "q" not found',
    });
  });

  test("serves what is not stored", async () => {
    const { send } = newServer();
    const { code, object } = await send("GET", "/api/v1/componentstatuses");
    expect([code, object.kind]).toEqual([200, "ComponentStatusList"]);
    expect(await send("GET", "/api/v1/componentstatuses?watch=1")).toMatchObject({
      code: 405,
      message: 'watch is not supported on resources of kind "componentstatuses"',
    });
  });

  test("takes the name from the path, not from a field selector", async () => {
    const { send } = newServer();
    for (const name of ["a", "b"]) await send("POST", configMaps, map(name));
    const { object } = await send("GET", `${configMaps}?fieldSelector=metadata.name%3Da`);
    expect(object.items.length).toBe(1);
    const { code } = await send("DELETE", `${configMaps}?fieldSelector=metadata.name%3Da`);
    expect(code).toBe(200);
    expect((await send("GET", configMaps)).object.items.length).toBe(1);
  });

  test.each([
    ["text/html", 404, '{\n  "kind"'],
    [as("Table"), 404, '{\n  "kind"'],
    [json, 404, '{"kind"'],
    [yaml, 404, "apiVersion: v1\n"],
  ])("words errors for clients that accept %s", async (accept, code, beginning) => {
    const server = new QuietServer();
    const target = accept === "text/html" ? "/api/v1/nothing" : `${configMaps}/nothing`;
    const { status, text } = await server.ask({ method: "GET", target, headers: { accept } });
    expect([status, text.slice(0, beginning.length)]).toEqual([code, beginning]);
  });

  test("has no path for unknown groups and resources", async () => {
    const { send } = newServer();
    expect(await send("GET", "/apis/example.com/v1/things")).toMatchObject({
      code: 404,
      message: "404 page not found\n",
    });
    expect(await send("GET", "/api/v1/things")).toMatchObject({
      code: 404,
      message: "the server could not find the requested resource",
    });
  });
});

test("the formats that the server refuses are named", async () => {
  const { send } = newServer();
  const { message } = await send("GET", configMaps, undefined, { accept: "text/plain" });
  expect(message).toContain("406: Not Acceptable");
  expect((await send("GET", `${configMaps}`, undefined, { accept: as("Nothing") })).message).toBe(
    negotiation,
  );
});
