import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/networking.k8s.io/v1/ingressclasses";
const reference = { kind: "K", name: "n" };

describe("an IngressClass is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    ["no controller", {}, ["spec.controller: Required value"]],
    [
      "a controller without a domain",
      { controller: "abc" },
      ['spec.controller: Invalid value: "abc": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      "a long controller",
      { controller: `a.b/${"c".repeat(250)}` },
      ["spec.controller: Too long: may not be more than 250 bytes"],
    ],
    [
      "parameters without kind and name",
      { controller: "a.b/c", parameters: { kind: "", name: "" } },
      [
        "spec.parameters.kind: Required value: kind is required",
        "spec.parameters.name: Required value: name is required",
      ],
    ],
    [
      "an invalid scope",
      { controller: "a.b/c", parameters: { ...reference, scope: "Z" } },
      ['spec.parameters.scope: Unsupported value: "Z": supported values: "Cluster", "Namespace"'],
    ],
    [
      "a namespace for cluster-scoped parameters",
      { controller: "a.b/c", parameters: { ...reference, namespace: "x" } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      "parameters that are not path segments",
      { controller: "a.b/c", parameters: { apiGroup: "A_", kind: "a/b", name: "%", scope: null } },
      [
        expect.stringContaining(
          'spec.parameters.apiGroup: Invalid value: "A_": a lowercase RFC 1123 subdomain',
        ),
        "spec.parameters.kind: Invalid value: \"a/b\": may not contain '/'",
        "spec.parameters.name: Invalid value: \"%\": may not contain '%'",
      ],
    ],
    [
      "an invalid namespace",
      { controller: "a.b/c", parameters: { ...reference, scope: "Namespace", namespace: "A." } },
      [expect.stringContaining('spec.parameters.namespace: Invalid value: "A.": a lowercase RFC 1123 label')],
    ],
    [
      "no namespace",
      { controller: "a.b/c", parameters: { ...reference, scope: "Namespace" } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
  ])("%s", async (_title, spec, findings) => {
    const answer = await testClient(quietCluster())("POST", path, { metadata: { name: "c" }, spec });
    expect(answer.findings).toEqual(findings);
  });
});

test("an IngressClass counts changes of its spec; its parameters are cluster-scoped by default", async () => {
  const send = testClient(quietCluster());
  const spec = { controller: "a.b/c", parameters: reference };
  const { object } = await send("POST", path, { metadata: { name: "c" }, spec });
  expect(object).toMatchObject({ metadata: { generation: 1 }, spec: { parameters: { scope: "Cluster" } } });
  const generation = async (change: object) =>
    (await send("PATCH", `${path}/c`, change)).object.metadata.generation;
  expect(await generation({ metadata: { labels: { a: "b" } } })).toBe(1);
  expect(await generation({ spec: { parameters: null } })).toBe(2);
});

test.each<[release: string, sent: object, kept: object]>([
  ["1.20", {}, {}],
  ["1.21", { scope: "Namespace", namespace: "x" }, { scope: null }],
  ["1.22", {}, { scope: "Cluster" }],
  ["1.22", { scope: "Namespace", namespace: "x" }, { scope: "Namespace", namespace: "x" }],
])("in %s an IngressClass has parameters with %o as %o", async (release, sent, kept) => {
  const spec = { controller: "a.b/c", parameters: { ...reference, ...sent } };
  const { code, object } = await testClient(quietCluster({ release }))("POST", path, {
    metadata: { name: "c" },
    spec,
  });
  const { apiGroup: _, ...parameters } = object.spec.parameters;
  expect([code, parameters]).toEqual([201, { ...reference, ...kept }]);
});

test("the controller of an IngressClass is immutable", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "c" }, spec: { controller: "a.b/c" } });
  const { findings } = await send("PATCH", `${path}/c`, { spec: { controller: "a.b/d" } });
  expect(findings).toEqual(['spec.controller: Invalid value: "a.b/d": field is immutable']);
});
