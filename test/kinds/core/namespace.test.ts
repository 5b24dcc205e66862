import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/namespaces";
const unqualified = "name is neither a standard finalizer name nor is it fully qualified";
const label = "kubernetes.io/metadata.name";

function namespace(spec: object = {}, metadata: object = {}): object {
  return { metadata: { name: "n", ...metadata }, spec };
}

describe("a Namespace", () => {
  test("is active, and has a finalizer and its name as a label, regardless of its spec", async () => {
    const send = testClient(quietCluster());
    const sent = { ...namespace({}, { labels: { [label]: "x", a: "b" } }), status: { phase: "Terminating" } };
    const { object } = await send("POST", path, sent);
    expect(object.status).toEqual({ phase: "Active" });
    expect(object.spec).toEqual({ finalizers: ["kubernetes"] });
    expect(object.metadata.labels).toEqual({ [label]: "n", a: "b" });
    expect(object.metadata.generation).toBeUndefined();
    const generated = await send("POST", path, { metadata: { generateName: "g-" } });
    expect(generated.object.metadata.labels[label]).toBe(generated.object.metadata.name);
  });

  test("gets its label back on every write", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, namespace());
    for (const endpoint of ["", "/status", "/finalize"]) {
      const sent = { ...namespace({ finalizers: ["kubernetes"] }), status: { phase: "Active" } };
      const { object } = await send("PUT", `${path}/n${endpoint}`, sent);
      expect([endpoint, object.metadata.labels]).toEqual([endpoint, { [label]: "n" }]);
    }
  });

  test("changes its finalizers only through /finalize, which keeps its status", async () => {
    const send = testClient(quietCluster());
    const { object: made } = await send("POST", path, namespace({ finalizers: ["a.b/c"] }));
    expect(made.spec.finalizers).toEqual(["a.b/c", "kubernetes"]);
    const change = { spec: { finalizers: ["kubernetes"] }, status: { phase: "Terminating" } };
    const { object: kept } = await send("PATCH", `${path}/n`, change);
    expect([kept.spec, kept.status]).toEqual([made.spec, made.status]);
    const sent = { ...namespace(change.spec), status: change.status };
    const { object: finalized } = await send("PUT", `${path}/n/finalize`, sent);
    expect([finalized.spec.finalizers, finalized.status]).toEqual([["kubernetes"], { phase: "Active" }]);
    const { object: reported } = await send("PATCH", `${path}/n/status`, { spec: { finalizers: ["x.y/z"] } });
    expect(reported.spec.finalizers).toEqual(["kubernetes"]);
  });
});

describe("a Namespace is refused for", () => {
  test.each<[title: string, body: object, findings: readonly unknown[]]>([
    [
      "an unqualified finalizer",
      namespace({ finalizers: ["bad"] }),
      [`spec.finalizers: Invalid value: "bad": ${unqualified}`],
    ],
    [
      "a finalizer that is not a name",
      namespace({ finalizers: ["a b"] }),
      [
        expect.stringMatching(/^spec\.finalizers: Invalid value: "a b": name part must consist of/),
        `spec.finalizers: Invalid value: "a b": ${unqualified}`,
      ],
    ],
    [
      "a too long name, reported for its label as well",
      namespace({}, { name: "n".repeat(64) }),
      [
        `metadata.name: Invalid value: "${"n".repeat(64)}": must be no more than 63 characters`,
        `metadata.labels: Invalid value: "${"n".repeat(64)}": must be no more than 63 characters`,
      ],
    ],
    [
      "a name with dots",
      namespace({}, { name: "a.b" }),
      ['metadata.name: Invalid value: "a.b": must not contain dots'],
    ],
  ])("%s", async (_title, body, findings) => {
    expect((await testClient(quietCluster())("POST", path, body)).findings).toEqual(findings);
  });

  test("changed finalizers, each with its index", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, namespace());
    const { findings } = await send(
      "PUT",
      `${path}/n/finalize`,
      namespace({ finalizers: ["kubernetes", "bad"] }),
    );
    expect(findings).toEqual([`spec.finalizers[1]: Invalid value: "bad": ${unqualified}`]);
  });

  test("a phase that does not match", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, namespace());
    const phase = async (name: string) =>
      (await send("PATCH", `${path}/n/status`, { status: { phase: name } })).findings;
    expect(await phase("Terminating")).toEqual([
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    ]);
    await send("DELETE", `${path}/n`);
    expect(await phase("Active")).toEqual([
      "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
    ]);
  });
});

describe("the finalization of a Namespace", () => {
  test("starts with a phase, can be repeated, and completes with the last finalizer", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, namespace());
    const first = await send("DELETE", `${path}/n`);
    expect([first.code, first.object.status.phase]).toEqual([200, "Terminating"]);
    expect(first.object.metadata.deletionTimestamp).toBeDefined();
    expect(first.object.metadata.deletionGracePeriodSeconds).toBeUndefined();
    const second = await send("DELETE", `${path}/n`);
    expect([second.code, second.object]).toEqual([200, first.object]);
    const last = await send("PUT", `${path}/n/finalize`, { metadata: { name: "n" }, spec: {} });
    expect(last.code).toBe(200);
    expect((await send("GET", `${path}/n`)).code).toBe(404);
  });

  test("waits for finalizers of its metadata as well", async () => {
    const send = testClient(quietCluster());
    await send("POST", path, namespace({}, { finalizers: ["a.b/c"] }));
    await send("DELETE", `${path}/n`);
    await send("PUT", `${path}/n/finalize`, { metadata: { name: "n", finalizers: ["a.b/c"] }, spec: {} });
    expect((await send("GET", `${path}/n`)).code).toBe(200);
    await send("PATCH", `${path}/n`, { metadata: { finalizers: null } });
    expect((await send("GET", `${path}/n`)).code).toBe(404);
  });

  test.each(["default", "kube-system", "kube-public"])("is refused for %s", async (name) => {
    const { code, findings } = await testClient(quietCluster())("DELETE", `${path}/${name}`);
    expect([code, ...findings]).toEqual([
      403,
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    ]);
  });

  test("is allowed for kube-node-lease", async () => {
    expect((await testClient(quietCluster())("DELETE", `${path}/kube-node-lease`)).code).toBe(200);
  });

  test("prevents new objects", async () => {
    const send = testClient(quietCluster());
    const sent = { metadata: { name: "x" } };
    await send("POST", path, namespace());
    await send("DELETE", `${path}/n`);
    const { code, object } = await send("POST", `${path}/n/configmaps`, sent);
    expect([code, object.message]).toEqual([
      403,
      'configmaps "x" is forbidden: unable to create new content in namespace n because it is being terminated',
    ]);
    expect(object.details.causes).toEqual([
      {
        reason: "NamespaceTerminating",
        message: "namespace n is being terminated",
        field: "metadata.namespace",
      },
    ]);
    const missing = await send("POST", `${path}/m/configmaps`, sent);
    expect([missing.code, missing.object.message, missing.object.details.kind]).toEqual([
      404,
      'namespaces "m" not found',
      "namespaces",
    ]);
    const read = await send("GET", `${path}/m/configmaps/x`);
    expect([read.code, read.object.message]).toEqual([404, 'configmaps "x" not found']);
  });
});
