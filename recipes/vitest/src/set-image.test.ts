import { type Cluster, createCluster } from "kubedouble";
import { afterEach, beforeEach, expect, test } from "vitest";
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

let cluster: Cluster;
let fetch: typeof globalThis.fetch;

beforeEach(() => {
  cluster = createCluster({ objects: [deployment] });
  const authorization = `Bearer ${cluster.adminToken()}`;
  fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", authorization);
    return cluster.fetch(input, { ...init, headers });
  };
});
afterEach(() => cluster.close());

const image = async () => (await (await fetch(url)).json()).spec.template.spec.containers[0].image;

test("the image is set", async () => {
  await setImage(fetch, url, "web:2");
  expect(await image()).toBe("web:2");
});

test("somebody else's change is not lost", async () => {
  let rivals = 2;
  const scaled = (replicas: number) =>
    fetch(url, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ spec: { replicas } }),
    });
  await setImage(
    async (input, init) => {
      // The rival writes between our GET and our PUT, so that the API server answers 409.
      if (init?.method === "PUT" && rivals > 0) await scaled(10 + rivals--);
      return fetch(input, init);
    },
    url,
    "web:3",
  );
  expect(await image()).toBe("web:3");
  expect((await (await fetch(url)).json()).spec.replicas).toBe(11);
});

test("a deployment that is not there is an error", async () => {
  await expect(setImage(fetch, `${url}-2`, "web:2")).rejects.toThrow("404");
});
