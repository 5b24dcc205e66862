import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/apis/node.k8s.io/v1/runtimeclasses";

describe("a RuntimeClass is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an invalid handler",
      { handler: "H_" },
      [expect.stringContaining('handler: Invalid value: "H_": a lowercase RFC 1123 label')],
    ],
    [
      "overhead of an unknown resource",
      { overhead: { podFixed: { foo: "1" } } },
      [
        "overhead.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified",
        "overhead.limits[foo]: Invalid value: foo: must be a standard resource for containers",
      ],
    ],
    [
      "invalid node selectors and tolerations",
      { scheduling: { nodeSelector: { "a b": "c" }, tolerations: [{ key: "a", operator: "Q" }] } },
      [
        expect.stringContaining('scheduling.nodeSelector: Invalid value: "a b": name part must consist of'),
        'scheduling.tolerations[0].operator: Unsupported value: "Q": supported values: "Equal", "Exists"',
      ],
    ],
  ])("%s", async (_title, fields, findings) => {
    const body = { metadata: { name: "r" }, handler: "h", ...fields };
    expect((await testClient(quietCluster())("POST", path, body)).findings).toEqual(findings);
  });
});

test("the overhead of a RuntimeClass may change, and is validated again", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "r" }, handler: "h" });
  const overhead = { podFixed: { cpu: "1" } };
  expect((await send("PATCH", `${path}/r`, { overhead })).object.overhead).toEqual(overhead);
  expect((await send("PATCH", `${path}/r`, { overhead: { podFixed: { foo: "1" } } })).code).toBe(422);
});

test("a RuntimeClass warns about deprecated labels", async () => {
  const send = testClient(quietCluster());
  const scheduling = { nodeSelector: { "beta.kubernetes.io/os": "linux" } };
  const warnings = ['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead'];
  const made = await send("POST", path, { metadata: { name: "r" }, handler: "h", scheduling });
  expect(made.warnings).toEqual(warnings);
  expect((await send("PATCH", `${path}/r`, { metadata: { labels: { a: "b" } } })).warnings).toEqual(warnings);
});

test("the handler of a RuntimeClass is immutable", async () => {
  const send = testClient(quietCluster());
  await send("POST", path, { metadata: { name: "r" }, handler: "h" });
  const { findings } = await send("PATCH", `${path}/r`, { handler: "z" });
  expect(findings).toEqual(['handler: Invalid value: "z": field is immutable']);
});
