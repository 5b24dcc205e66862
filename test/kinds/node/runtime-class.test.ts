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
        'scheduling.tolerations.tolerations[0].operator: Unsupported value: "Q": supported values: "Equal", "Exists"',
      ],
    ],
  ])("%s", async (_title, fields, findings) => {
    const body = { metadata: { name: "r" }, handler: "h", ...fields };
    expect((await testClient(quietCluster())("POST", path, body)).findings).toEqual(findings);
  });
});

/** The list keys of a toleration (pkg/apis/node/validation/validation.go). */
describe("two tolerations of a RuntimeClass", () => {
  const one = { key: "a", operator: "Equal", value: "b", effect: "NoExecute" };

  test.each<[string, object, boolean]>([
    ["are duplicates if they are equal", one, true],
    ["are duplicates with different seconds", { ...one, tolerationSeconds: 5 }, true],
    ["may differ in their keys", { ...one, key: "z" }, false],
    ["may differ in their operators", { ...one, operator: "Exists", value: "" }, false],
    ["may differ in their values", { ...one, value: "z" }, false],
    ["may differ in their effects", { ...one, effect: "" }, false],
  ])("%s", async (_title, other, isDuplicate) => {
    const body = { metadata: { name: "r" }, handler: "h", scheduling: { tolerations: [one, other] } };
    const { code, findings } = await testClient(quietCluster({ release: "1.32" }))("POST", path, body);
    expect(code).toBe(isDuplicate ? 422 : 201);
    expect(findings).toEqual(
      isDuplicate
        ? [expect.stringMatching(/^scheduling\.tolerations\[1\]: Duplicate value: core\.Toleration\{/)]
        : [],
    );
  });

  test("have the path of upstream's validation, which named the field twice before 1.35", async () => {
    const scheduling = { tolerations: [{ key: "a", operator: "Q" }] };
    const body = { metadata: { name: "r" }, handler: "h", scheduling };
    const { findings } = await testClient(quietCluster({ release: "1.35" }))("POST", path, body);
    expect(findings).toEqual([
      expect.stringMatching(/^scheduling\.tolerations\[0\]\.operator: Unsupported value/),
    ]);
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
