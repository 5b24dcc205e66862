import { expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

/** The thousandths of large binary amounts overflow (pkg/api/pod/warnings.go). */
test.each([
  ["8Pi", false],
  ["9Pi", true],
  ["1Ei", true],
  ["2Ei", false],
  ["1E", false],
  ["1Gi", false],
  ["1500m", true],
])("memory of %s is taken for a fraction: %s", async (memory, isFraction) => {
  const send = testClient(quietCluster({ controllers: ["serviceaccount-controller"] }));
  const container = { name: "c", image: "i", resources: { limits: { memory }, requests: { memory: "1" } } };
  const { code, warnings } = await send("POST", "/api/v1/namespaces/default/pods", {
    metadata: { name: "p" },
    spec: { containers: [container] },
  });
  expect(code).toBe(201);
  const field = "spec.containers[0].resources.limits[memory]";
  const warning = `${field}: fractional byte value "${memory}" is invalid, must be an integer`;
  expect(warnings).toEqual(isFraction ? [warning] : []);
});
