import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const json = { "content-type": "application/json" };

async function ask(cluster: Cluster, path: string, method = "GET", body?: unknown): Promise<string> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await cluster.fetch(`https://cluster.test${path}`, { method, headers: json, ...sent });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return text;
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
  },
};

const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

test.each([
  ["v1", "Secret", "/api/v1/namespaces/default/secrets", (name: string) => ({ stringData: { name } })],
  [
    "autoscaling/v1",
    "HorizontalPodAutoscaler",
    "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
    () => ({ spec: { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 50 } }),
  ],
  ["example.com/v1", "Thing", "/apis/example.com/v1/namespaces/default/things", (name: string) => ({ name })],
  ["example.com/v2", "Thing", "/apis/example.com/v2/namespaces/default/things", (name: string) => ({ name })],
])(
  "a long list of %s %s has the same items before and after changes",
  async (apiVersion, kind, path, content) => {
    const cluster = createCluster({ objects: [definition] });
    const names = Array.from({ length: 130 }, (_, index) => `item-${String(index).padStart(3, "0")}`);
    for (const name of names)
      await ask(cluster, path, "POST", { apiVersion, kind, metadata: { name }, ...content(name) });

    /** The items of the list, each of which is what a read of the object returns. */
    const checked = async (): Promise<string> => {
      const text = await ask(cluster, path);
      const { items } = JSON.parse(text);
      expect(items).toHaveLength(130);
      for (const item of items) {
        const read = JSON.parse(await ask(cluster, `${path}/${item.metadata.name}`));
        expect({ apiVersion, kind, ...item }).toEqual(read);
      }
      expect(await ask(cluster, path)).toBe(text);
      return text;
    };
    const first = await checked();
    for (const name of names.filter((_, index) => index % 3 === 0)) {
      const read = JSON.parse(await ask(cluster, `${path}/${name}`));
      await ask(cluster, `${path}/${name}`, "PUT", {
        ...read,
        metadata: { ...read.metadata, labels: { changed: "yes" } },
      });
    }
    const second = await checked();
    expect(second).not.toBe(first);
    const selected = JSON.parse(await ask(cluster, `${path}?labelSelector=changed`));
    expect(selected.items).toEqual(
      JSON.parse(second).items.filter(({ metadata }: { metadata: { labels?: object } }) => metadata.labels),
    );
    await cluster.close();
  },
);
