import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { entriesOf } from "../arbitraries/owned-object.ts";
import { type Answer, ApplyServer, configOf, deployments, patchTypes } from "./apply-server.ts";

let server: ApplyServer;
beforeEach(() => {
  server = new ApplyServer();
});
afterEach(() => server.cluster.close());

const at = `${deployments}/d`;
const deployment = (more: JsonObject): JsonObject => configOf("apps/v1", "Deployment", at, more);
const specOf = (more: JsonObject): JsonObject => ({
  selector: { matchLabels: { app: "d" } },
  template: { metadata: { labels: { app: "d" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  ...more,
});
const withReplicas = (replicas: number): JsonObject => deployment({ spec: specOf({ replicas }) });
const withoutReplicas = deployment({ spec: specOf({}) });
const replicas = ".spec.replicas";

describe("an apply of status", () => {
  const applyStatus = (status: JsonObject, manager: string, query = ""): Promise<Answer> =>
    server.apply(`${at}/status`, deployment({ status }), manager, query);
  const available = (status: string): JsonObject => ({ type: "Available", status });

  beforeEach(async () => {
    await server.apply(at, withReplicas(1), "me");
  });

  test("owns what it applies, through the subresource", async () => {
    expect((await applyStatus({ replicas: 1, conditions: [available("True")] }, "ctrl")).code).toBe(200);
    expect((await server.owners(at))["ctrl through status"]).toEqual([
      ".status.replicas",
      '.status.conditions[type="Available"]',
      '.status.conditions[type="Available"].status',
      '.status.conditions[type="Available"].type',
    ]);
  });

  test("conflicts with other managers that apply status, but not with managers that apply the object", async () => {
    await applyStatus({ replicas: 1 }, "ctrl");
    expect((await applyStatus({ replicas: 2 }, "other")).message).toBe(
      'Apply failed with 1 conflict: conflict with "ctrl" with subresource "status": .status.replicas',
    );
    const before = await server.get(at);
    expect((await server.apply(at, deployment({ status: { replicas: 2 } }), "other")).code).toBe(200);
    expect(await server.get(at)).toEqual(before);
  });

  test("neither changes nor owns the rest of the object", async () => {
    const config = deployment({ spec: { replicas: 9 }, status: { replicas: 1 } });
    await server.apply(`${at}/status`, config, "ctrl");
    expect(await server.get(at)).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1 } });
    expect((await server.owners(at))["ctrl through status"]).toEqual([".status.replicas"]);
  });

  test("is tracked separately from the same manager's apply of the object", async () => {
    await applyStatus({ replicas: 1 }, "me");
    expect(Object.keys(await server.owners(at)).sort()).toEqual(["me", "me through status"]);
    await server.apply(`${at}/status`, deployment({}), "me");
    expect(Object.keys(await server.owners(at))).toEqual(["me"]);
    expect((await server.get(at))["status"]).toEqual({});
  });

  test("merges conditions of several managers", async () => {
    await applyStatus({ conditions: [available("True")] }, "a");
    await applyStatus({ conditions: [{ type: "Progressing", status: "False" }] }, "b");
    const { status } = await server.get(at);
    expect(status).toMatchObject({ conditions: [{ type: "Available" }, { type: "Progressing" }] });
    await applyStatus({}, "a");
    expect((await server.get(at))["status"]).toMatchObject({ conditions: [{ type: "Progressing" }] });
  });
});

describe("a scale", () => {
  const scaleConfig = (count: number): JsonObject => ({
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "d", namespace: "default" },
    spec: { replicas: count },
  });
  const applyScale = (count: number, manager: string, query = ""): Promise<Answer> =>
    server.apply(`${at}/scale`, scaleConfig(count), manager, query);
  const patchScale = (count: number, manager: string): Promise<Answer> =>
    server.send(
      "PATCH",
      `${at}/scale`,
      { spec: { replicas: count } },
      { contentType: patchTypes.merge, manager },
    );

  /** The managers that own the number of replicas. */
  async function ownersOfReplicas(): Promise<readonly string[]> {
    const owners = Object.entries(await server.owners(at));
    return owners.flatMap(([owner, fields]) => (fields.includes(replicas) ? [owner] : [])).sort();
  }

  test("shows no managedFields, regardless of the owner of the replicas", async () => {
    await server.apply(at, withReplicas(1), "me");
    expect((await server.get(`${at}/scale`)).metadata).not.toHaveProperty("managedFields");
    expect((await applyScale(1, "you")).object.metadata).not.toHaveProperty("managedFields");
  });

  test("owns the replicas of the object after an apply, in the version of the object and without a time", async () => {
    await server.apply(at, withReplicas(1), "me");
    await applyScale(1, "you");
    const [you] = entriesOf(await server.get(at)).filter(({ manager }) => manager === "you");
    expect(you).toEqual({
      manager: "you",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
      subresource: "scale",
    });
    expect(await ownersOfReplicas()).toEqual(["me", "you through scale"]);
  });

  test("conflicts with the owner of the replicas, and vice versa", async () => {
    await server.apply(at, withReplicas(1), "me");
    expect((await applyScale(2, "you")).message).toBe(
      `Apply failed with 1 conflict: conflict with "me": ${replicas}`,
    );
    expect((await applyScale(2, "you", "force=true")).object).toMatchObject({ spec: { replicas: 2 } });
    expect(await ownersOfReplicas()).toEqual(["you through scale"]);
    expect((await server.apply(at, withReplicas(1), "me")).message).toBe(
      `Apply failed with 1 conflict: conflict with "you" with subresource "scale": ${replicas}`,
    );
  });

  test("without an owner belongs to before-first-apply, which conflicts with the first apply", async () => {
    await server.apply(at, withoutReplicas, "me");
    expect((await applyScale(2, "you")).message).toBe(
      `Apply failed with 1 conflict: conflict with "before-first-apply" with subresource "scale" using autoscaling/v1: ${replicas}`,
    );
  });

  test("stays without an owner when a write changes it", async () => {
    await server.apply(at, withoutReplicas, "me");
    expect((await patchScale(2, "you")).code).toBe(200);
    expect(await server.get(at)).toMatchObject({ spec: { replicas: 2 } });
    expect(await ownersOfReplicas()).toEqual([]);
  });

  test("takes over the replicas when it is written", async () => {
    await server.apply(at, withReplicas(1), "me");
    await patchScale(2, "hpa");
    expect(await ownersOfReplicas()).toEqual(["hpa (Update apps/v1 through scale)"]);
    await patchScale(3, "other");
    expect(await ownersOfReplicas()).toEqual(["other (Update apps/v1 through scale)"]);
    await patchScale(3, "nobody");
    expect(await ownersOfReplicas()).toEqual(["other (Update apps/v1 through scale)"]);
  });

  test("returns to the default when its only owner gives it up", async () => {
    await server.apply(at, withReplicas(1), "me");
    await applyScale(3, "you", "force=true");
    const empty: JsonObject = { apiVersion: "autoscaling/v1", kind: "Scale" };
    expect((await server.apply(`${at}/scale`, empty, "you")).object).toMatchObject({ spec: {} });
    expect(await ownersOfReplicas()).toEqual([]);
  });

  test("is refused with another kind or another version", async () => {
    await server.apply(at, withReplicas(1), "me");
    expect((await server.apply(`${at}/scale`, withReplicas(2), "you")).message).toBe(
      "invalid object type: apps/v1, Kind=Deployment",
    );
  });

  test.each(["replicasets", "statefulsets"])("of %s is owned like that of deployments", async (resource) => {
    const path = `/apis/apps/v1/namespaces/default/${resource}/d`;
    const kind = resource === "replicasets" ? "ReplicaSet" : "StatefulSet";
    const config = (count: number): JsonObject =>
      configOf("apps/v1", kind, path, {
        spec: specOf({ replicas: count, ...(kind === "StatefulSet" && { serviceName: "s" }) }),
      });
    await server.apply(path, config(1), "me");
    await server.apply(`${path}/scale`, scaleConfig(2), "you", "force=true");
    const owners = await server.owners(path);
    expect(owners["you through scale"]).toEqual([replicas]);
    expect(owners["me"]).not.toContain(replicas);
  });

  test("of a replication controller is owned in the core version", async () => {
    const path = "/api/v1/namespaces/default/replicationcontrollers/d";
    const { selector: _selector, ...spec } = specOf({ replicas: 1 });
    await server.apply(path, configOf("v1", "ReplicationController", path, { spec }), "me");
    await server.apply(`${path}/scale`, scaleConfig(2), "you", "force=true");
    const [you] = entriesOf(await server.get(path)).filter(({ manager }) => manager === "you");
    expect(you).toMatchObject({ apiVersion: "v1", fieldsV1: { "f:spec": { "f:replicas": {} } } });
  });

  describe("is handed over", () => {
    test("by an applier that omits the replicas after an autoscaler owns them", async () => {
      await server.apply(at, withReplicas(3), "me");
      // The autoscaler writes the current number, so the owner does not change.
      await patchScale(3, "hpa");
      expect(await ownersOfReplicas()).toEqual(["me"]);
      await patchScale(5, "hpa");
      expect(await ownersOfReplicas()).toEqual(["hpa (Update apps/v1 through scale)"]);
      expect((await server.apply(at, withReplicas(3), "me")).code).toBe(409);
      expect((await server.apply(at, withoutReplicas, "me")).code).toBe(200);
      expect(await server.get(at)).toMatchObject({ spec: { replicas: 5 } });
      await patchScale(7, "hpa");
      expect(await server.get(at)).toMatchObject({ spec: { replicas: 7 } });
      expect(await ownersOfReplicas()).toEqual(["hpa (Update apps/v1 through scale)"]);
    });

    test("by a manager that shares the replicas with an applier of the scale, and then omits them", async () => {
      await server.apply(at, withReplicas(3), "me");
      await applyScale(3, "hpa");
      await server.apply(at, withoutReplicas, "me");
      expect(await server.get(at)).toMatchObject({ spec: { replicas: 3 } });
      expect(await ownersOfReplicas()).toEqual(["hpa through scale"]);
      expect((await applyScale(4, "hpa")).code).toBe(200);
    });

    test("to the default by a manager that omits the replicas too early", async () => {
      await server.apply(at, withReplicas(3), "me");
      await server.apply(at, withoutReplicas, "me");
      expect(await server.get(at)).toMatchObject({ spec: { replicas: 1 } });
    });

    test("and taken again by force", async () => {
      await server.apply(at, withReplicas(3), "me");
      await patchScale(5, "hpa");
      expect((await server.apply(at, withReplicas(3), "me", "force=true")).code).toBe(200);
      expect(await server.get(at)).toMatchObject({ spec: { replicas: 3 } });
      expect(await ownersOfReplicas()).toEqual(["me"]);
    });
  });

  test("does not change the other entries of the object", async () => {
    await server.apply(at, withReplicas(1), "me");
    await server.send(
      "PATCH",
      at,
      { metadata: { labels: { a: "1" } } },
      { contentType: patchTypes.merge, manager: "w" },
    );
    const before = entriesOf(await server.get(at)).filter(({ manager }) => manager === "w");
    await patchScale(2, "hpa");
    const after = entriesOf(await server.get(at)).filter(({ manager }) => manager === "w");
    expect(after).toEqual(before);
  });
});

test("a client that resizes a pod owns the resources of its containers, and no other field that it sends", async () => {
  server = new ApplyServer({ release: "1.33" });
  const pods = "/api/v1/namespaces/default/pods";
  await server.send("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  const withCpu = (cpu: string): JsonObject => ({
    spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu } } }] },
  });
  await server.send("POST", pods, { metadata: { name: "p" }, ...withCpu("1") }, { manager: "m" });
  const sent = { metadata: { labels: { a: "1" } }, ...withCpu("2") };
  const sending = { contentType: patchTypes.strategic, manager: "resizer" };
  expect((await server.send("PATCH", `${pods}/p/resize`, sent, sending)).message).toBe("");
  const pod = await server.get(`${pods}/p`);
  expect(pod).toMatchObject(withCpu("2"));
  expect(pod.metadata.labels).toBeUndefined();
  expect((await server.owners(`${pods}/p`))["resizer (Update v1 through resize)"]).toEqual([
    '.spec.containers[name="c"].resources.requests.cpu',
  ]);
});
