import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";

const start = "2026-01-01T00:00:00Z";

function started(options: ClusterOptions = {}): Cluster {
  return createCluster({ clock: new VirtualClock(start), ...options });
}

const flowControl = "flowcontrol.apiserver.k8s.io";

/** The object, or undefined while it is gone. */
function find(cluster: Cluster, apiVersion: string, kind: string, name: string, namespace?: string) {
  return cluster
    .get(apiVersion, kind, name, namespace === undefined ? {} : { namespace })
    .catch(() => undefined);
}

test.each([
  ["1.32", "v1", "Namespace", "kube-node-lease"],
  ["1.26", "v1", "Namespace", "kube-node-lease"],
  ["1.32", `${flowControl}/v1`, "FlowSchema", "exempt"],
  ["1.32", `${flowControl}/v1`, "FlowSchema", "global-default"],
  ["1.32", `${flowControl}/v1`, "PriorityLevelConfiguration", "catch-all"],
  ["1.32", `${flowControl}/v1`, "PriorityLevelConfiguration", "workload-low"],
  ["1.22", `${flowControl}/v1beta1`, "FlowSchema", "global-default"],
  ["1.21", `${flowControl}/v1beta1`, "FlowSchema", "exempt"],
] as const)(
  "a server of %s creates the %s %s %s again within a minute",
  async (release, apiVersion, kind, name) => {
    await using cluster = started({ release });
    const before = await cluster.get(apiVersion, kind, name);
    await cluster.delete(apiVersion, kind, name);
    await cluster.settle();
    await cluster.clock.advance("59s");
    expect(await find(cluster, apiVersion, kind, name)).toBeUndefined();
    await cluster.clock.advance("1s");
    const after = await cluster.get(apiVersion, kind, name);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.metadata.creationTimestamp).toBe("2026-01-01T00:01:00Z");
    expect(after["spec"]).toEqual(before["spec"]);
    const managerOf = ({ metadata }: typeof after) =>
      (metadata["managedFields"] as JsonObject[])[0]?.["manager"];
    expect(managerOf(after)).toBe(managerOf(before));
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
  },
);

test.each([
  ["1.32", "rbac.authorization.k8s.io/v1", "ClusterRole", "view"],
  ["1.32", "apiregistration.k8s.io/v1", "APIService", "v1.apps"],
  ["1.21", `${flowControl}/v1beta1`, "FlowSchema", "global-default"],
] as const)("a server of %s does not create the %s %s %s again", async (release, apiVersion, kind, name) => {
  await using cluster = started({ release });
  await cluster.delete(apiVersion, kind, name);
  await cluster.clock.advance("1h");
  expect(await find(cluster, apiVersion, kind, name)).toBeUndefined();
});

// Upstream: pkg/registry/flowcontrol/ensurer/strategy.go.
describe("the spec of a suggested FlowSchema that is changed", () => {
  const autoUpdate = "apf.kubernetes.io/autoupdate-spec";
  const changed = async (cluster: Cluster, annotations: JsonObject) => {
    const patch = { metadata: { annotations }, spec: { matchingPrecedence: 777 } };
    await cluster.patch(`${flowControl}/v1`, "FlowSchema", "global-default", patch, { type: "merge" });
    await cluster.clock.advance("1m");
    const { metadata, spec } = await cluster.get(`${flowControl}/v1`, "FlowSchema", "global-default");
    return [
      metadata.annotations?.[autoUpdate],
      (spec as JsonObject)["matchingPrecedence"],
      metadata["generation"],
    ];
  };

  test.each([
    ["comes back", {}, ["true", 9900, 3]],
    ["stays where an annotation says so", { [autoUpdate]: "false" }, ["false", 777, 2]],
    ["stays where an annotation no longer says anything", { [autoUpdate]: null }, ["false", 777, 2]],
    ["comes back where an annotation says so in another form", { [autoUpdate]: "1" }, ["1", 9900, 3]],
  ])("%s", async (_title, annotations, expected) => {
    await using cluster = started();
    expect(await changed(cluster, annotations)).toEqual(expected);
  });
});

test("a level that the release does not know and that has the annotation is deleted", async () => {
  await using cluster = started();
  const apiVersion = `${flowControl}/v1`;
  const level = (name: string, annotations: JsonObject) =>
    cluster.create({
      apiVersion,
      kind: "PriorityLevelConfiguration",
      metadata: { name, annotations },
      spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
    });
  await level("automatic", { "apf.kubernetes.io/autoupdate-spec": "true" });
  await level("own", {});
  await cluster.clock.advance("1m");
  const kind = "PriorityLevelConfiguration";
  expect(await find(cluster, apiVersion, kind, "automatic")).toBeUndefined();
  expect(await find(cluster, apiVersion, kind, "own")).toBeDefined();
});

describe("the ConfigMap about the use of legacy tokens", () => {
  const name = "kube-apiserver-legacy-service-account-token-tracking";
  const namespace = "kube-system";
  const since = async (cluster: Cluster) =>
    (await find(cluster, "v1", "ConfigMap", name, namespace))?.["data"];

  test("is created again every half an hour at most", async () => {
    await using cluster = started();
    expect(await since(cluster)).toEqual({ since: "2026-01-01" });
    await cluster.clock.advance("20m");
    await cluster.delete("v1", "ConfigMap", name, { namespace });
    await cluster.clock.advance("9m");
    expect(await since(cluster)).toBeUndefined();
    await cluster.clock.advance("1m");
    expect(await since(cluster)).toEqual({ since: "2026-01-01" });
    await cluster.clock.advance("48h");
    await cluster.delete("v1", "ConfigMap", name, { namespace });
    await cluster.settle();
    expect(await since(cluster)).toEqual({ since: "2026-01-03" });
  });

  test.each([["2026-13-01"], ["tomorrow"], ["2026-02-30"], ["2026-1-1"]])(
    "has today in place of %j",
    async (text) => {
      await using cluster = started();
      await cluster.clock.advance("24h");
      const patch = { data: { since: text, other: "1" } };
      await cluster.patch("v1", "ConfigMap", name, patch, { namespace, type: "merge" });
      await cluster.settle();
      expect(await since(cluster)).toEqual({ since: "2026-01-02", other: "1" });
    },
  );

  test("keeps another day", async () => {
    await using cluster = started();
    const patch = { data: { since: "2020-02-29" } };
    await cluster.patch("v1", "ConfigMap", name, patch, { namespace, type: "merge" });
    await cluster.clock.advance("1h");
    expect(await since(cluster)).toEqual({ since: "2020-02-29" });
  });
});

test("a fork goes on with what is due", async () => {
  await using cluster = started();
  const apiVersion = `${flowControl}/v1`;
  await cluster.delete(apiVersion, "FlowSchema", "exempt");
  await cluster.clock.advance("30s");
  await using fork = await cluster.fork();
  await fork.clock.advance("30s");
  expect(await find(fork, apiVersion, "FlowSchema", "exempt")).toBeDefined();
  expect(await find(cluster, apiVersion, "FlowSchema", "exempt")).toBeUndefined();
});

test("a server whose write is refused tries again a minute later", async () => {
  await using cluster = started();
  const [apiVersion, name] = ["admissionregistration.k8s.io/v1", "frozen"];
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["CREATE"] },
  ];
  await cluster.create({
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression: "false" }] },
  });
  const spec = { policyName: name, validationActions: ["Deny"] };
  await cluster.create({ apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata: { name }, spec });
  await cluster.settle();
  await cluster.delete("v1", "Namespace", "kube-node-lease");
  await cluster.clock.advance("90s");
  expect(await find(cluster, "v1", "Namespace", "kube-node-lease")).toBeUndefined();
  await cluster.delete(apiVersion, "ValidatingAdmissionPolicyBinding", name);
  await cluster.clock.advance("29s");
  expect(await find(cluster, "v1", "Namespace", "kube-node-lease")).toBeUndefined();
  await cluster.clock.advance("1s");
  expect(await find(cluster, "v1", "Namespace", "kube-node-lease")).toBeDefined();
});

describe("with timers", () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a server sets one only while something is due", async () => {
    await using cluster = createCluster();
    const apiVersion = `${flowControl}/v1`;
    await cluster.settle();
    expect(vi.getTimerCount()).toBe(0);
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    await cluster.delete("v1", "Namespace", "shop");
    await cluster.delete(apiVersion, "FlowSchema", "exempt");
    await cluster.settle();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await cluster.settle();
    expect(await find(cluster, apiVersion, "FlowSchema", "exempt")).toBeDefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
