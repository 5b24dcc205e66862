import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { type Release, releases } from "../../src/apimachinery/release.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { type Cluster, createCluster } from "../../src/index.ts";
import { minimalObject } from "../registry/minimal-objects.ts";
import { quietCluster, testClient } from "../registry/test-client.ts";

const root = "https://cluster.test";

const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { a: "1" },
});

async function statusOf(cluster: Cluster, path: string): Promise<number> {
  const response = await cluster.fetch(root + path);
  await response.text();
  return response.status;
}

describe("an upgraded cluster", () => {
  test("serves the API of the release with the same objects and users, and later resourceVersions", async () => {
    await using cluster = createCluster({ release: "1.31" });
    const before = await cluster.create(configMap("a"));
    const token = cluster.token("alice", { groups: ["system:masters"] });
    const path = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas";
    expect(await statusOf(cluster, path)).toBe(200);
    const change = await cluster.upgrade("1.32");
    expect(change).toEqual({ from: "1.31", release: "1.32", unreadable: [], unserved: [] });
    expect(cluster.release).toBe("1.32");
    expect(await cluster.get("v1", "ConfigMap", "a")).toEqual(before);
    expect(await statusOf(cluster, path)).toBe(404);
    expect(await (await cluster.fetch(`${root}/version`)).json()).toMatchObject({ minor: "32" });
    expect(await (await cluster.fetch(`${root}/openapi/v3`)).text()).not.toContain(
      "flowcontrol.apiserver.k8s.io/v1beta3",
    );
    const headers = { authorization: `Bearer ${token}` };
    expect((await cluster.fetch(`${root}/readyz`, { headers })).status).toBe(200);
    const after = await cluster.create(configMap("b"));
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  });

  test("ends open watches, which go on from where they were", async () => {
    await using cluster = quietCluster({ release: "1.31" });
    const path = `${root}/api/v1/namespaces/default/configmaps?watch=true`;
    const first = await cluster.fetch(path);
    const created = await cluster.create(configMap("a"));
    const text = first.text();
    await cluster.upgrade("1.32");
    expect(await text).not.toContain('"name":"b"');
    const from = created.metadata.resourceVersion;
    await using events = cluster.watch("v1", "ConfigMap", { resourceVersion: from ?? "" });
    await cluster.create(configMap("b"));
    for await (const { type, object } of events) {
      expect([type, object.metadata.name]).toEqual(["ADDED", "b"]);
      break;
    }
  });

  test("finishes requests in flight on the old server", async () => {
    await using cluster = quietCluster({ release: "1.31" });
    await cluster.settle();
    let send: (body: string) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        };
      },
    });
    const writing = cluster.fetch(`${root}/api/v1/namespaces/default/configmaps`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${cluster.adminToken()}` },
      body,
      duplex: "half",
    } as RequestInit);
    await cluster.upgrade("1.32");
    send(JSON.stringify(configMap("slow")));
    expect((await writing).status).toBe(201);
    expect(await cluster.get("v1", "ConfigMap", "slow")).toMatchObject({ data: { a: "1" } });
  });

  test("has the defaults of the release, without a write", async () => {
    await using cluster = createCluster({ release: "1.21" });
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }] },
    };
    const before = await cluster.create(service);
    expect(before["spec"]).not.toHaveProperty("internalTrafficPolicy");
    await cluster.upgrade("1.22");
    const after = await cluster.get("v1", "Service", "s");
    expect(after["spec"]).toHaveProperty("internalTrafficPolicy", "Cluster");
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await cluster.downgrade("1.21");
    expect(await cluster.get("v1", "Service", "s")).toEqual(before);
  });

  test("has the objects that a server of the release creates", async () => {
    await using cluster = createCluster({ release: "1.19" });
    await cluster.settle();
    expect(await statusOf(cluster, "/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas")).toBe(404);
    await cluster.upgrade("1.20");
    const { items } = await cluster.list("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema");
    expect(items.map(({ metadata }) => metadata.name)).toContain("catch-all");
    const services = await cluster.list("apiregistration.k8s.io/v1", "APIService");
    expect(services.items.map(({ metadata }) => metadata.name)).toContain(
      "v1beta1.flowcontrol.apiserver.k8s.io",
    );
    await cluster.downgrade("1.19");
    const left = await cluster.list("apiregistration.k8s.io/v1", "APIService");
    expect(left.items.map(({ metadata }) => metadata.name)).not.toContain(
      "v1beta1.flowcontrol.apiserver.k8s.io",
    );
  });

  test("keeps definitions of custom resources and their objects", async () => {
    await using cluster = createCluster({ release: "1.31" });
    const names = { plural: "gadgets", kind: "Gadget" };
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    await cluster.create({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "gadgets.example.com" },
      spec: { group: "example.com", scope: "Namespaced", names, versions },
    });
    await cluster.settle();
    const gadget = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "g" }, size: 1 };
    const created = await cluster.create(gadget);
    await cluster.upgrade("1.32");
    expect(await cluster.get("example.com/v1", "Gadget", "g")).toEqual(created);
  });

  test("forks and restores snapshots of both releases", async () => {
    await using cluster = quietCluster({ release: "1.20" });
    const budget = (name: string) => ({
      apiVersion: "policy/v1beta1",
      kind: "PodDisruptionBudget",
      metadata: { name },
      spec: { selector: {} },
    });
    await cluster.create(budget("a"));
    const old = cluster.snapshot();
    await cluster.upgrade("1.22", { minors: "each" });
    await cluster.create(budget("b"));
    const none = { selector: { matchExpressions: [{ operator: "Exists" }] } };
    await using fork = cluster.fork();
    expect(fork.release).toBe("1.22");
    expect(await fork.get("policy/v1", "PodDisruptionBudget", "a")).toMatchObject({ spec: none });
    const both = cluster.snapshot();
    cluster.restore(old);
    expect(await cluster.get("policy/v1", "PodDisruptionBudget", "a")).toMatchObject({ spec: none });
    await cluster.downgrade("1.21");
    cluster.restore(both);
    expect(await cluster.get("policy/v1beta1", "PodDisruptionBudget", "b")).toMatchObject({
      spec: { selector: {} },
    });
  });

  test("writes an unchanged object again if it is stored in another version, as a migration does", async () => {
    await using cluster = quietCluster({ release: "1.21" });
    const created = await cluster.create({
      apiVersion: "policy/v1beta1",
      kind: "PodDisruptionBudget",
      metadata: { name: "a" },
      spec: { minAvailable: 1, selector: {} },
    });
    await cluster.upgrade("1.22");
    const read = await cluster.get("policy/v1", "PodDisruptionBudget", "a");
    expect(read.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    const updated = await cluster.update(read);
    expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(read.metadata.resourceVersion));
    expect((await cluster.update(updated)).metadata.resourceVersion).toBe(updated.metadata.resourceVersion);
  });
});

describe("objects in a version that the release does not know", () => {
  const claim = {
    apiVersion: "resource.k8s.io/v1alpha2",
    kind: "ResourceClaim",
    metadata: { name: "claim" },
    spec: { resourceClassName: "c" },
  };

  test("are unreadable until they are removed with the old release", async () => {
    const cluster = quietCluster({ release: "1.30", runtimeConfig: { "api/alpha": true } });
    await cluster.create(claim);
    const { unreadable } = await cluster.upgrade("1.31");
    const reason =
      'no kind "ResourceClaim" is registered for version "resource.k8s.io/v1alpha2" in scheme "pkg/api/legacyscheme/scheme.go:30"';
    const object = {
      apiVersion: claim.apiVersion,
      kind: "ResourceClaim",
      namespace: "default",
      name: "claim",
    };
    expect(unreadable).toEqual([{ ...object, reason }]);
    const claims = "/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaims";
    const response = await cluster.fetch(`${root}${claims}/claim`);
    expect([response.status, await response.json()]).toMatchObject([500, { message: reason, code: 500 }]);
    expect(await statusOf(cluster, `${claims}?limit=500`)).toBe(500);
    await cluster.downgrade("1.30");
    expect(await cluster.get(claim.apiVersion, "ResourceClaim", "claim")).toMatchObject({ spec: claim.spec });
    await cluster.close();
  });

  test("are an error of the runtime configuration if that names their version", async () => {
    const runtimeConfig = { "resource.k8s.io/v1beta2": true };
    await using cluster = quietCluster({ release: "1.33", runtimeConfig });
    await expect(cluster.downgrade("1.32")).rejects.toThrow(
      "group version resource.k8s.io/v1beta2 that has not been registered",
    );
    expect(cluster.release).toBe("1.33");
  });
});

describe("the way to another release", () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = quietCluster({ release: "1.29" });
  });
  afterAll(() => cluster.close());

  test.each<[title: string, change: (of: Cluster) => Promise<unknown>, message: string]>([
    [
      "an unknown release",
      (of) => of.upgrade("1.99"),
      'release "1.99" is not supported: choose one from 1.16',
    ],
    ["the same release", (of) => of.upgrade("1.29"), "upgrade: the cluster is Kubernetes 1.29 already"],
    [
      "an older release",
      (of) => of.upgrade("1.28"),
      "upgrade: Kubernetes 1.28 is older than 1.29; use downgrade",
    ],
    [
      "a newer release",
      (of) => of.downgrade("1.30"),
      "downgrade: Kubernetes 1.30 is newer than 1.29; use upgrade",
    ],
    [
      "a release that is far away",
      (of) => of.upgrade("1.32"),
      "upgrade: kube-apiserver goes from 1.29 to 1.32 through 1.30, 1.31",
    ],
    [
      "an unknown option",
      (of) => of.upgrade("1.30", { minor: "each" } as object),
      'upgrade: unknown option "minor"; did you mean "minors"?',
    ],
    [
      "a replica that is too far away",
      (of) => of.replica({ release: "1.31" }),
      "a server of Kubernetes 1.31 cannot serve beside one of 1.29",
    ],
  ])("%s is an error that changes nothing", async (_, change, message) => {
    await expect(change(cluster)).rejects.toThrow(message);
    expect(cluster.release).toBe("1.29");
    expect(await statusOf(cluster, "/api/v1/namespaces/default/configmaps")).toBe(200);
  });

  test.each<[title: string, release: string, gates: Record<string, boolean>, to: string, message: string]>([
    [
      "that it locks",
      "1.31",
      { ServiceAccountTokenJTI: false },
      "1.32",
      "upgrade: featureGates: cannot set feature gate ServiceAccountTokenJTI to false, feature is locked to true",
    ],
    [
      "that it does not have yet",
      "1.30",
      { JobManagedBy: true },
      "1.29",
      "downgrade: featureGates: unrecognized feature gate: JobManagedBy",
    ],
  ])("a release refuses a feature gate %s", async (_, release, featureGates, to, message) => {
    await using own = quietCluster({ release, featureGates });
    const change = release < to ? own.upgrade(to) : own.downgrade(to);
    await expect(change).rejects.toThrow(message);
    expect(own.release).toBe(release);
  });

  test("leads through several releases, or directly", async () => {
    await using each = quietCluster({ release: "1.29" });
    expect(await each.upgrade("1.33", { minors: "each" })).toMatchObject({ from: "1.29", release: "1.33" });
    await using skip = quietCluster({ release: "1.29" });
    expect(await skip.upgrade("1.33", { minors: "skip" })).toMatchObject({ from: "1.29", release: "1.33" });
  });

  test("ends with the cluster", async () => {
    const closed = quietCluster({ release: "1.29" });
    await closed.close();
    await expect(closed.upgrade("1.30")).rejects.toThrow("the cluster is closed");
  });
});

/** What each served version shows of the objects that a test has created, by path. */
async function shownObjects(
  cluster: Cluster,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KubeObject>> {
  const catalog = catalogOf({ release: cluster.release });
  const shown = new Map<string, KubeObject>();
  for (const gv of catalog.groupVersions()) {
    for (const { kind, resource, verbs } of catalog.resources(gv)) {
      if (!verbs.includes("list")) continue;
      const apiVersion = gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
      const { items } = await cluster.list(apiVersion, kind, { namespace: "" });
      for (const item of items) {
        const name = item.metadata.name ?? "";
        if (names.has(`${resource} ${name}`)) shown.set(`${apiVersion} ${resource} ${name}`, item);
      }
    }
  }
  return shown;
}

/** Creates an object of every kind that the release serves, through each version. */
async function createAll(cluster: Cluster): Promise<ReadonlySet<string>> {
  const send = testClient(cluster);
  const catalog = catalogOf({ release: cluster.release });
  const names = new Set<string>();
  for (const [index, gv] of catalog.groupVersions().entries()) {
    const path = gv.group === "" ? "/api/v1" : `/apis/${gv.group}/${gv.version}`;
    for (const entry of catalog.resources(gv)) {
      const object = minimalObject(entry, `${index}`);
      if (object === undefined || !entry.verbs.includes("create") || !entry.verbs.includes("list")) continue;
      const collection = `${path}${entry.namespaced ? "/namespaces/default" : ""}/${entry.resource}`;
      const { code, object: created } = await send("POST", collection, object);
      if (code === 201) names.add(`${entry.resource} ${created.metadata.name}`);
    }
  }
  return names;
}

test("an upgrade and a downgrade leave every readable object equal, in every version", async () => {
  const steps = releases.slice(0, -1);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Release>(...steps), async (release) => {
      await using cluster = quietCluster({
        release,
        controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
      });
      const names = await createAll(cluster);
      expect(names.size).toBeGreaterThan(30);
      // The controllers of old releases still write tokens and references to them.
      await cluster.settle();
      const before = await shownObjects(cluster, names);
      const next = releases[releases.indexOf(release) + 1] ?? release;
      expect(await cluster.upgrade(next)).toMatchObject({ release: next });
      const { unreadable } = await cluster.downgrade(release);
      expect(unreadable).toEqual([]);
      expect(Object.fromEntries(await shownObjects(cluster, names))).toEqual(Object.fromEntries(before));
    }),
    { numRuns: 2 },
  );
}, 180_000);
