import { conflict } from "kubedouble/scenarios";
import { clusterTest, expect } from "kubedouble/vitest";
import { setImage } from "./set-image.ts";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    },
  },
};
const url = "https://cluster.test/apis/apps/v1/namespaces/default/deployments/web";

// Every test has its own cluster, which contains the deployment.
const test = clusterTest({ objects: [deployment] }).extend<{ fetch: typeof globalThis.fetch }>({
  fetch: async ({ cluster }, use) => {
    const authorization = `Bearer ${cluster.token("alice")}`;
    await use((input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", authorization);
      return cluster.fetch(input, { ...init, headers });
    });
  },
});

test("the image is set", async ({ cluster, fetch }) => {
  await setImage(fetch, url, "web:2");
  const { spec } = await cluster.get("apps/v1", "Deployment", "web");
  expect(spec).toMatchObject({ template: { spec: { containers: [{ image: "web:2" }] } } });
});

test("an update that conflicts with another writer is retried", async ({ cluster, fetch }) => {
  cluster.inject(conflict({ resource: "deployments", times: 2 }));
  await setImage(fetch, url, "web:3");
  const { spec, metadata } = await cluster.get("apps/v1", "Deployment", "web");
  expect(spec).toMatchObject({ template: { spec: { containers: [{ image: "web:3" }] } } });
  // The other writer's change is still there.
  expect(metadata.annotations).toHaveProperty("other-writer/saw");
  expect(cluster).toHaveRequested({ verb: "update", resource: "deployments", name: "web" }, 3);
});
