import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";

test("try", async () => {
  await using cluster = createCluster({ release: "1.21" });
  await cluster.create({ apiVersion: "policy/v1beta1", kind: "PodDisruptionBudget", metadata: { name: "a" }, spec: { selector: {} } });
  await cluster.create({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports: [{port: 80}] } });
  console.log(JSON.stringify(await cluster.get("policy/v1", "PodDisruptionBudget", "a")));
  console.log(JSON.stringify((await cluster.get("v1", "Service", "s")).spec));
  const t = performance.now();
  const all = [];
  for (const r of ["1.22","1.23", "1.24", "1.25"]) { const rep = await cluster.upgrade(r); all.push([r, rep.unreadable.length, rep.unserved.length, performance.now()-t]); }
  console.log(all);
  console.log(JSON.stringify(await cluster.get("policy/v1", "PodDisruptionBudget", "a")));
  console.log(JSON.stringify((await cluster.get("v1", "Service", "s")).spec));
  await expect(cluster.list("policy/v1beta1", "PodDisruptionBudget")).rejects.toThrow(/x/);
  console.log(await (await cluster.fetch("https://x/version")).text());
});
