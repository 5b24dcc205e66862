import { expect, test } from "vitest";
import { quietCluster, testClient } from "./test-client.ts";

test("a server counts what its refusals of updates repeat, and what those of creates repeat it does not", async () => {
  await using cluster = quietCluster({ release: "1.35" });
  const send = testClient(cluster);
  const path = "/api/v1/namespaces/default/configmaps";
  const metadata = { name: "m", labels: { "a b": "c" } };
  expect((await send("POST", path, { metadata })).code).toBe(422);
  expect((await send("POST", path, { metadata: { name: "m" } })).code).toBe(201);
  const count = async () => {
    const text = await (await cluster.fetch("https://cluster.test/metrics")).text();
    return Number(/^apiserver_validation_duplicate_validation_error_total (\d+)$/m.exec(text)?.[1]);
  };
  expect(await count()).toBe(0);
  const { code, findings } = await send("PATCH", `${path}/m`, { metadata });
  expect(code).toBe(422);
  expect(await count()).toBe(findings.length - new Set(findings).size);
  expect(await count()).toBeGreaterThan(0);
});
