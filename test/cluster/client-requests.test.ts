import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, type ClusterClient, createCluster, StatusError } from "../../src/index.ts";
import { groupDown, throttle } from "../../src/scenario/presets.ts";
import { configMap, refusalOf } from "./manifests.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = createCluster({ controllers: [] });
});

describe("as another user", () => {
  const calls: readonly [verb: string, call: (client: ClusterClient) => Promise<unknown>][] = [
    ["get", (client) => client.get("v1", "ConfigMap", "a")],
    ["list", (client) => client.list("v1", "ConfigMap", { namespace: "default" })],
    ["create", (client) => client.create(configMap("a"))],
    ["update", (client) => client.update(configMap("a"))],
    ["patch", (client) => client.patch("v1", "ConfigMap", "a", {})],
    ["patch", (client) => client.apply(configMap("a"))],
    ["delete", (client) => client.delete("v1", "ConfigMap", "a")],
    ["deletecollection", (client) => client.deleteCollection("v1", "ConfigMap")],
    ["create", (client) => client.load([configMap("a")])],
  ];

  test.each(calls)("%s requires a role that allows it", async (verb, call) => {
    await using guarded = createCluster({ controllers: [], authorizationMode: "RBAC" });
    await guarded.create(configMap("a"));
    const error = await refusalOf(call(guarded.as("alice")));
    expect(error.status.reason).toBe("Forbidden");
    expect(error.message).toContain(
      `is forbidden: User "alice" cannot ${verb} resource "configmaps" in API group "" in the namespace "default"`,
    );
  });

  test("requests are logged and hit by faults, unlike the cluster's own methods", async () => {
    using _fault = cluster.inject(throttle({ resource: "configmaps", times: 2 }));
    await cluster.list("v1", "ConfigMap");
    expect(cluster.requests.all).toEqual([]);
    const alice = cluster.as("alice", { groups: ["system:masters"] });
    expect((await refusalOf(alice.list("v1", "ConfigMap"))).status.reason).toBe("TooManyRequests");
    expect(cluster.requests.all).toMatchObject([
      { method: "GET", target: "/api/v1/configmaps", user: "alice", userAgent: "kubedouble", status: 429 },
    ]);
  });

  test("a response without a Status becomes a Status with client-go's message", async () => {
    using _fault = cluster.inject(groupDown({ group: "apps", version: "v1" }));
    const { status } = await refusalOf(cluster.as("alice").get("apps/v1", "Deployment", "web"));
    expect(status).toMatchObject({
      code: 503,
      reason: "ServiceUnavailable",
      message: "the server is currently unable to handle the request",
      details: { causes: [{ reason: "UnexpectedServerResponse", message: "service unavailable" }] },
    });
  });
});

describe("invalid calls that send no request", () => {
  test.each<[string, (client: Cluster) => Promise<unknown>, string]>([
    [
      "a kind that is not served",
      (it) => it.get("v1", "Unicorn", "a"),
      "Kubernetes 1.32 does not serve Unicorn in v1",
    ],
    [
      "a version that is not served",
      (it) => it.create(configMap("a", { apiVersion: "v7" })),
      "Kubernetes 1.32 does not serve ConfigMap in v7; did you mean v1?",
    ],
    [
      "a misspelt kind",
      (it) => it.get("apps/v1", "Deploymnet", "a"),
      "Kubernetes 1.32 does not serve Deploymnet in apps/v1; did you mean Deployment?",
    ],
    [
      "a kind that is misspelt and served in another version",
      (it) => it.get("v1", "Deploymnet", "a"),
      "Kubernetes 1.32 does not serve Deploymnet in v1; did you mean Deployment in apps/v1?",
    ],
    [
      "a manifest without a kind",
      (it) => it.load([{ metadata: { name: "a" } }]),
      'objects[0]: apiVersion not set; a manifest needs apiVersion and kind: {"metadata":{"name":"a"}}',
    ],
    [
      "an object that belongs to one of several subresources",
      (it) =>
        it.update(
          { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 2 } },
          { subresource: "scale" },
        ),
      "Scale belongs to several resources (replicationcontrollers.v1, deployments.v1.apps, replicasets.v1.apps, " +
        "statefulsets.v1.apps): patch the scale of one of them",
    ],
  ])("%s", async (_title, call, message) => {
    const error = await call(cluster).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(StatusError);
    expect(error).toHaveProperty("message", message);
  });

  test("the server refuses a subresource that the kind does not have", async () => {
    const error = await refusalOf(cluster.update(configMap("a"), { subresource: "status" }));
    expect(error.status).toMatchObject({ code: 404, reason: "NotFound" });
  });
});
