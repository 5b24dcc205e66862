import { afterAll, expect, test } from "vitest";
import { createCluster } from "../index.ts";
import { serve } from "../transports/node/serve.ts";
import { toHaveObject, toHaveRequested } from "./cluster-matchers.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web-0" } };
const cluster = createCluster();
const server = await serve(cluster);
afterAll(() => server.close());

test.each<[string, unknown, string]>([
  ["undefined", undefined, "undefined: createCluster() and the fixtures of the test runners return one"],
  ["null", null, "null: createCluster() and the fixtures of the test runners return one"],
  ["a promise", Promise.resolve(cluster), "a promise: await it first"],
  ["a fixture", { cluster }, "an object with a cluster: pass its member `cluster`"],
  ["a server", server, "a server: pass the cluster that it serves"],
  ["a manifest", pod, "a manifest: pass the cluster that should have it"],
  ["a text", "cluster", "a string"],
  ["an object", {}, "another object"],
])("a matcher that gets %s says what it needs", async (_what, received, message) => {
  const given = received as typeof cluster;
  await expect(toHaveObject(given, pod)).rejects.toThrow(
    `expect(...).toHaveObject needs a cluster, got ${message}`,
  );
  expect(() => toHaveRequested(given, {})).toThrow(
    `expect(...).toHaveRequested needs a cluster, got ${message}`,
  );
});

test("a matcher accepts a fork", async () => {
  const { pass } = await toHaveObject(cluster.fork(), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default" },
  });
  expect(pass).toBe(true);
});
