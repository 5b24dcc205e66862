import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const key = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
const exists = { matchExpressions: [{ key, operator: "Exists" }] };
const doesNotExist = { matchExpressions: [{ key, operator: "DoesNotExist" }] };
const own = { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Exists" }] };
const mixed = { ...own, matchExpressions: [...own.matchExpressions, { key, operator: "Exists" }] };

function path(version: string): string {
  return `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`;
}

async function selectors(
  send: SendRequest,
  written: string,
  selector: object | undefined,
): Promise<readonly unknown[]> {
  const apiVersion = `policy/${written}`;
  const kind = "PodDisruptionBudget";
  const spec = { minAvailable: 1, ...(selector && { selector }) };
  const { code } = await send("POST", path(written), { apiVersion, kind, metadata: { name: "b" }, spec });
  expect(code).toBe(201);
  const read = await Promise.all(["v1beta1", "v1"].map((version) => send("GET", `${path(version)}/b`)));
  return read.map(({ object }) => object.spec.selector);
}

describe.each(["1.21", "1.24"])("the selector of a budget in %s that is", (release) => {
  test.each<[title: string, version: string, selector: object | undefined, v1beta1: unknown, v1: unknown]>([
    ["empty in v1beta1", "v1beta1", {}, {}, exists],
    ["empty in v1", "v1", {}, doesNotExist, {}],
    ["of every pod in v1beta1", "v1beta1", doesNotExist, doesNotExist, {}],
    ["of no pod in v1", "v1", exists, {}, exists],
    ["the requirement of v1, in v1beta1", "v1beta1", exists, doesNotExist, {}],
    ["the requirement of v1beta1, in v1", "v1", doesNotExist, doesNotExist, {}],
    ["the requirement of v1 among others", "v1", mixed, own, own],
    ["the requirement of v1 among others, in v1beta1", "v1beta1", mixed, own, own],
    ["another selector", "v1beta1", own, own, own],
    ["absent", "v1beta1", undefined, undefined, undefined],
  ])("%s", async (_title, version, selector, v1beta1, v1) => {
    const send = testClient(quietCluster({ release }));
    expect(await selectors(send, version, selector)).toEqual([v1beta1, v1]);
  });
});

test("a budget of 1.32 keeps a requirement that matches no pod, and loses the label otherwise", async () => {
  const send = testClient(quietCluster({ release: "1.32" }));
  const written = async (name: string, selector: object) => {
    const { object } = await send("POST", path("v1"), { metadata: { name }, spec: { selector } });
    return object.spec.selector;
  };
  expect(await written("a", exists)).toEqual(exists);
  expect(await written("b", doesNotExist)).toEqual({});
  expect(await written("c", mixed)).toEqual(own);
});

test.each([
  ["1.20", "v1beta1", 201],
  ["1.24", "v1beta1", 201],
  ["1.24", "v1", 429],
])("with a budget of %s without a selector in %s, an eviction returns %s", async (release, version, code) => {
  const send = testClient(
    quietCluster({ release, controllers: ["serviceaccount-controller", "serviceaccount-token-controller"] }),
  );
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { containers: [{ name: "c", image: "i" }], nodeName: "n" };
  await send("POST", pods, { metadata: { name: "p", labels: { a: "b" } }, spec });
  const conditions = [{ type: "Ready", status: "True" }];
  await send("PATCH", `${pods}/p/status`, { status: { phase: "Running", conditions } });
  await send("POST", path(version), { metadata: { name: "b" }, spec: { minAvailable: 1, selector: {} } });
  const eviction = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "p" } };
  expect((await send("POST", `${pods}/p/eviction`, eviction)).code).toBe(code);
});
