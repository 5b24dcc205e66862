import { type Cluster, createCluster } from "kubedouble";
import { kubernetesHandlers } from "kubedouble/msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { paint, settings, watchSettings } from "./config-page.ts";

const objects = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "front", namespace: "shop", labels: { app: "shop" } },
    data: { color: "blue" },
  },
];

// In a browser, and in Storybook: setupWorker(...kubernetesHandlers(cluster, "/cluster")) from "msw/browser".
const server = setupServer();
let cluster: Cluster;

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  cluster = createCluster({ objects });
  server.use(...kubernetesHandlers(cluster, "https://dashboard.test/cluster"));
});
afterEach(async () => {
  server.resetHandlers();
  await cluster.close();
});
afterAll(() => server.close());

test("the page shows the objects in the cluster", async () => {
  expect(await settings()).toEqual([{ name: "front", color: "blue" }]);
});

test("a change on the page changes the cluster", async () => {
  await paint("front", "red");
  expect(await cluster.get("v1", "ConfigMap", "front", { namespace: "shop" })).toMatchObject({
    data: { color: "red" },
  });
});

test("the page shows the error message of the API server", async () => {
  await expect(paint("back", "red")).rejects.toThrow('configmaps "back" not found');
});

test("the page follows changes of other clients", async () => {
  const seen: string[] = [];
  const stop = new AbortController();
  let wake = (): void => {};
  const hasSeen = async (name: string): Promise<void> => {
    while (!seen.includes(name)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const watching = watchSettings((name) => {
    seen.push(name);
    wake();
  }, stop.signal);
  await hasSeen("front");
  await cluster.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "back", namespace: "shop", labels: { app: "shop" } },
    data: { color: "green" },
  });
  await hasSeen("back");
  stop.abort();
  await expect(watching).rejects.toThrow("aborted");
  expect(seen).toEqual(["front", "back"]);
});
