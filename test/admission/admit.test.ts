import { expect, test } from "vitest";
import { createCluster, type KubeObject } from "../../src/index.ts";
import { binding, configMap, policy } from "./policy-objects.ts";

test("x", async () => {
  const cluster = createCluster({
    objects: [
      policy("Validating", {
        validations: [
          { expression: "has(object.data)", message: "needs data" },
          { expression: "object.metadata.name != 'b'" },
        ],
      }),
      binding("Validating"),
      {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "l", namespace: "default" },
        spec: { limits: [{ type: "Container", defaultRequest: { cpu: "1" } }] },
      },
    ],
  });
  const report = await cluster.admit(configMap("a"), { user: "alice" });
  console.log(report.text);
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "x" }] },
  };
  const r2 = await cluster.admit(pod);
  console.log(r2.text);
  expect(r2.admitted).toBe(true);
});
