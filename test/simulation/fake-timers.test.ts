import { expect, test, vi } from "vitest";
import { createCluster, type JsonObject, type KubeObject } from "../../src/index.ts";
import { completes, crashLoop } from "../../src/scenario/presets.ts";

// The only test of its file: what a simulation loads on demand must be there when the fake timers advance.
test("a simulated cluster lives by fake timers: everything happens at its own time", async () => {
  vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z") });
  await using cluster = createCluster({ simulate: true });
  cluster.pods.script({ image: "report" }, completes({ after: "7s" }));
  cluster.pods.script({ image: "broken" }, crashLoop({ after: "5s" }));
  const containers = [{ name: "main", image: "report" }];
  await cluster.create({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "report" },
    spec: {
      schedule: "* * * * *",
      successfulJobsHistoryLimit: 20,
      jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers } } } },
    },
  });
  const spec = { containers: [{ name: "main", image: "broken" }] };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "broken" }, spec });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  const { items } = await cluster.list<KubeObject>("batch/v1", "Job");
  expect(items.map(({ status }) => (status as JsonObject)["completionTime"])).toEqual(
    [1, 2, 3, 4].map((minute) => `2026-01-01T00:0${minute}:07Z`),
  );
  const { status } = await cluster.get("v1", "Pod", "broken");
  expect(status?.containerStatuses?.[0]?.restartCount).toBe(5);
  vi.useRealTimers();
});
