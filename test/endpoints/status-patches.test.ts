import { expect, test } from "vitest";
import { createCluster, type KubeObject } from "../../src/index.ts";

const metadata = { name: "a", namespace: "default" };
const selector = { matchLabels: { app: "a" } };
const containers = [{ name: "c", image: "nginx" }];
const template = { metadata: { labels: selector.matchLabels }, spec: { containers } };

const objects = [
  { apiVersion: "v1", kind: "Pod", metadata, spec: { containers } },
  { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { selector, template } },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    metadata,
    spec: { selector: selector.matchLabels, template },
  },
];
const condition = { type: "Tested", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" };
const status = { conditions: [condition] };

const patches: readonly (readonly [title: string, patch: object])[] = [
  ["of the status alone", { status }],
  ["that names the spec", { spec: {}, status }],
  ["that changes the spec", { spec: { other: 1, replicas: 5, nodeName: "n", template: null }, status }],
  ["that states the kind", { kind: "Pod", status }],
  ["with labels", { metadata: { labels: { a: "b" } }, status }],
];

test.each(objects.flatMap((object) => patches.map((patch) => [object.kind, ...patch, object] as const)))(
  "a merge patch of the status of a %s %s leaves the spec and does the same as a JSON patch",
  async (kind, _title, patch, object) => {
    const cluster = createCluster({ seed: 1 });
    const stated = { ...patch, kind };
    const created: KubeObject = await cluster.create(object);
    const copy = cluster.fork();
    const options = { subresource: "status" };
    const merged = await cluster.patch(object.apiVersion, kind, "a", stated, { ...options, type: "merge" });
    const labels =
      "metadata" in patch
        ? [{ op: "add", path: "/metadata/labels", value: { ...created.metadata.labels, a: "b" } }]
        : [];
    const operations = [
      ...labels,
      { op: "add", path: "/status", value: { ...Object(created["status"]), ...status } },
    ];
    const replaced = await copy.patch(object.apiVersion, kind, "a", operations, { ...options, type: "json" });
    expect(merged["spec"]).toEqual(created["spec"]);
    expect(merged["status"]).toMatchObject(status);
    expect({ ...merged, metadata: { ...merged.metadata, managedFields: [] } }).toEqual({
      ...replaced,
      metadata: { ...replaced.metadata, managedFields: [] },
    });
    for (const one of [cluster, copy]) await one.close();
  },
);
