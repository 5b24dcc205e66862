import { describe, expect, test } from "vitest";
import { quietCluster, type TestResponse, testClient } from "../../registry/test-client.ts";

const classes = "/apis/node.k8s.io/v1/runtimeclasses";
const pods = "/api/v1/namespaces/default/pods";

/** The response to a new pod with these fields in its spec. */
async function created(fields: object): Promise<TestResponse> {
  const cluster = quietCluster();
  await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
  const send = testClient(cluster);
  const classOverheads = { heavy: { podFixed: heavy }, light: undefined, empty: {} };
  for (const [name, overhead] of Object.entries(classOverheads)) {
    await send("POST", classes, { metadata: { name }, handler: "h", overhead });
  }
  const spec = { containers: [{ name: "c", image: "i" }], ...fields };
  return send("POST", pods, { metadata: { name: "p" }, spec });
}

const heavy = { cpu: "100m", memory: "1Mi" };
const noClass = "Pod Overhead set without corresponding RuntimeClass defined Overhead";
const mismatch = "Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Upstream: plugin/pkg/admission/runtimeclass/admission.go. */
describe("the overhead of a pod", () => {
  test.each<[string, object, object | undefined]>([
    ["is that of its class", { runtimeClassName: "heavy" }, heavy],
    ["may be given as in its class", { runtimeClassName: "heavy", overhead: heavy }, heavy],
    [
      "may be written in other units",
      { runtimeClassName: "heavy", overhead: { cpu: "0.1", memory: "1024Ki" } },
      heavy,
    ],
    ["is absent without a class", {}, undefined],
    ["is absent if its class has none", { runtimeClassName: "light" }, undefined],
    ["is absent if that of its class is empty", { runtimeClassName: "empty" }, undefined],
  ])("%s", async (_title, fields, overhead) => {
    const { code, object } = await created(fields);
    expect(code).toBe(201);
    expect(object.spec.overhead).toEqual(overhead);
  });

  test.each<[string, object, string]>([
    ["without a class", { overhead: heavy }, noClass],
    ["with a class that has none", { runtimeClassName: "light", overhead: heavy }, noClass],
    ["with a class whose overhead is empty", { runtimeClassName: "empty", overhead: heavy }, mismatch],
    ["with a class that has another", { runtimeClassName: "heavy", overhead: { cpu: "1" } }, mismatch],
    ["that is empty, with a class that has one", { runtimeClassName: "heavy", overhead: {} }, mismatch],
  ])("is refused %s", async (_title, fields, reason) => {
    const { code, findings } = await created(fields);
    expect(code).toBe(403);
    expect(findings).toEqual([`pods "p" is forbidden: pod rejected: ${reason}`]);
  });
});
