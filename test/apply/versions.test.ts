import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { entriesOf } from "../arbitraries/owned-object.ts";
import { ApplyServer, configOf, patchTypes } from "./apply-server.ts";

let server: ApplyServer;
afterEach(() => server.cluster.close());

describe("an autoscaler, whose target is a field in v1 and a list item in v2", () => {
  const at = (version: string): string =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/h`;
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  const v1 = (spec: JsonObject): JsonObject =>
    configOf("autoscaling/v1", "HorizontalPodAutoscaler", at("v1"), { spec });
  const v2 = (spec: JsonObject): JsonObject =>
    configOf("autoscaling/v2", "HorizontalPodAutoscaler", at("v2"), { spec });
  const cpu = (averageUtilization: number): JsonObject => ({
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
  });
  const target = ["apiVersion", "kind", "name"].map((name) => `.spec.scaleTargetRef.${name}`);
  const common = { scaleTargetRef, maxReplicas: 5 };
  const applyV1 = (spec: JsonObject, manager: string, query = "") =>
    server.apply(at("v1"), v1({ scaleTargetRef, ...spec }), manager, query);
  const applyV2 = (spec: JsonObject, manager: string, query = "") =>
    server.apply(at("v2"), v2({ scaleTargetRef, ...spec }), manager, query);
  const conflict = (path: string): string => `Apply failed with 1 conflict: conflict with "me": ${path}`;

  beforeEach(async () => {
    server = new ApplyServer();
    const applied = await applyV1({ maxReplicas: 5, targetCPUUtilizationPercentage: 50 }, "me");
    expect(applied.code).toBe(201);
  });

  test("has the same entries in every version", async () => {
    const entries = entriesOf(await server.get(at("v1")));
    expect(entries).toMatchObject([{ manager: "me", apiVersion: "autoscaling/v1" }]);
    expect(entriesOf(await server.get(at("v2")))).toEqual(entries);
  });

  test("conflicts with other managers in another version, using the field names of that version", async () => {
    expect((await applyV2({ maxReplicas: 6 }, "you")).message).toBe(conflict(".spec.maxReplicas"));
    expect((await applyV2({ maxReplicas: 5, metrics: [cpu(60)] }, "you")).message).toBe(
      conflict(".spec.targetCPUUtilizationPercentage"),
    );
  });

  test("is shared by managers that apply the same values in another version", async () => {
    expect((await applyV2({ maxReplicas: 5, metrics: [cpu(50)] }, "you")).code).toBe(200);
    // The target is one atomic value in v1, and has separate fields in v2.
    expect(await server.owners(at("v1"))).toEqual({
      me: [".spec.maxReplicas", ".spec.scaleTargetRef", ".spec.targetCPUUtilizationPercentage"],
      you: [".spec.maxReplicas", ".spec.metrics", ...target],
    });
  });

  test("is taken by force with the field names of its own version", async () => {
    await applyV2({ maxReplicas: 5, metrics: [cpu(60)] }, "you", "force=true");
    expect((await server.get(at("v1")))["spec"]).toMatchObject({ targetCPUUtilizationPercentage: 60 });
    expect((await server.owners(at("v1")))["me"]).toEqual([".spec.maxReplicas", ".spec.scaleTargetRef"]);
  });

  test("keeps one entry when the same manager applies it in another version", async () => {
    expect((await applyV2({ maxReplicas: 7, metrics: [cpu(70)] }, "me")).code).toBe(200);
    const entries = entriesOf(await server.get(at("v2")));
    expect(entries).toMatchObject([{ manager: "me", apiVersion: "autoscaling/v2" }]);
    expect(await server.owners(at("v2"))).toEqual({
      me: [".spec.maxReplicas", ".spec.metrics", ...target],
    });
  });

  test("loses a field that its owner omits in another version", async () => {
    await applyV1({ maxReplicas: 5, minReplicas: 3 }, "me");
    await applyV2({ maxReplicas: 5 }, "me");
    expect((await server.get(at("v1")))["spec"]).toMatchObject({ minReplicas: 1 });
  });

  test("keeps fields in another version that conversion would fill in", async () => {
    await applyV2({ maxReplicas: 5 }, "me");
    // A v1 autoscaler without a target has one in v2, so no field is missing there.
    expect((await server.get(at("v1")))["spec"]).toMatchObject({ targetCPUUtilizationPercentage: 50 });
  });

  test("keeps the fields of other managers in their version", async () => {
    await applyV1({ maxReplicas: 5, targetCPUUtilizationPercentage: 50 }, "you");
    await applyV2({ maxReplicas: 5 }, "me");
    expect((await server.get(at("v2")))["spec"]).toMatchObject({ metrics: [cpu(50)] });
    expect((await server.owners(at("v2")))["you"]).toContain(".spec.targetCPUUtilizationPercentage");
  });

  test("has one entry for each version that a client writes", async () => {
    const sending = { contentType: patchTypes.merge, manager: "w" };
    await server.send("PATCH", at("v1"), { spec: { maxReplicas: 8 } }, sending);
    await server.send("PATCH", at("v2"), { spec: { minReplicas: 2 } }, sending);
    expect(await server.owners(at("v1"))).toEqual({
      me: [".spec.scaleTargetRef", ".spec.targetCPUUtilizationPercentage"],
      "w (Update autoscaling/v1)": [".spec.maxReplicas"],
      "w (Update autoscaling/v2)": [".spec.minReplicas"],
    });
  });

  test("is not changed by an apply of its current values in any version", async () => {
    await applyV2({ ...common, metrics: [cpu(50)] }, "you");
    const before = await server.get(at("v2"));
    await applyV2({ ...common, metrics: [cpu(50)] }, "you");
    await applyV1({ ...common, targetCPUUtilizationPercentage: 50 }, "me");
    expect(await server.get(at("v2"))).toEqual(before);
  });
});

describe("an event, which is served by the core group and by its own group", () => {
  const core = "/api/v1/namespaces/default/events/e";
  const own = "/apis/events.k8s.io/v1/namespaces/default/events/e";
  const event = {
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    reason: "R",
    type: "Normal",
  };

  test.each([
    ["the core group", own, core, "v1"],
    ["its own group", core, own, "events.k8s.io/v1"],
  ])("has only entries of %s after a write to it", async (_title, _other, path, apiVersion) => {
    server = new ApplyServer();
    await server.send("POST", "/api/v1/namespaces/default/events", event, { manager: "m" });
    const labels = { metadata: { labels: { a: "1" } } };
    const sending = { contentType: patchTypes.merge, manager: "n" };
    expect((await server.send("PATCH", path, labels, sending)).code).toBe(200);
    const owners = Object.keys(await server.owners(core)).sort();
    expect(owners).toEqual([...(path === core ? ["m (Update v1)"] : []), `n (Update ${apiVersion})`].sort());
  });
});

describe("an entry of a version that is no longer served", () => {
  const at = (version: string): string => `/apis/batch/${version}/namespaces/default/cronjobs/c`;
  const cronJob = (version: string, spec: JsonObject): JsonObject =>
    configOf(`batch/${version}`, "CronJob", at(version), { spec });
  const spec = (schedule: string): JsonObject => ({
    schedule,
    jobTemplate: {
      spec: {
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    },
  });

  test("causes no conflicts, and is removed by the next write", async () => {
    server = new ApplyServer({ release: "1.24" });
    await server.apply(at("v1beta1"), cronJob("v1beta1", spec("1 * * * *")), "old");
    await server.apply(at("v1"), cronJob("v1", { suspend: true }), "new");
    expect(Object.keys(await server.owners(at("v1"))).sort()).toEqual(["new", "old"]);
    const snapshot = server.cluster.snapshot();
    await server.cluster.close();
    server = new ApplyServer({ release: "1.25" });
    server.cluster.restore(snapshot);
    expect(Object.keys(await server.owners(at("v1"))).sort()).toEqual(["new", "old"]);
    expect((await server.apply(at("v1"), cronJob("v1", { schedule: "2 * * * *" }), "they")).code).toBe(200);
    expect(await server.owners(at("v1"))).toEqual({ new: [".spec.suspend"], they: [".spec.schedule"] });
  });
});
