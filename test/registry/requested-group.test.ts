import { describe, expect, test } from "vitest";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

const event = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e", namespace: "default" },
  involvedObject: { kind: "Pod", name: "p", namespace: "default" },
};

async function clientWithEvent(): Promise<SendRequest> {
  const cluster = quietCluster();
  await cluster.create(event);
  return testClient(cluster);
}

/** Upstream: apiserver, pkg/registry/generic/registry/store.go, qualifiedResourceFromContext. */
describe.each([
  ["/api/v1/namespaces/default/events", "events", ""],
  ["/apis/events.k8s.io/v1/namespaces/default/events", "events.k8s.io", "events.k8s.io"],
])("events below %s", (path, label, group) => {
  const shown = group === "" ? label : `events.${group}`;

  test("are not found under the group of the request", async () => {
    const send = await clientWithEvent();
    const missing = [
      await send("GET", `${path}/x`),
      await send("DELETE", `${path}/x`),
      await send("PATCH", `${path}/x`, { metadata: { labels: { a: "b" } } }),
    ];
    for (const { code, object } of missing) {
      expect(code).toBe(404);
      expect(object.message).toBe(`${shown} "x" not found`);
      expect(object.details).toEqual({ name: "x", ...(group && { group }), kind: "events" });
    }
  });

  test("are deleted under the group of the request", async () => {
    const send = await clientWithEvent();
    const { object } = await send("DELETE", `${path}/e`);
    expect(object.details).toMatchObject({ name: "e", ...(group && { group }), kind: "events" });
    expect(Object.hasOwn(object.details, "group")).toBe(group !== "");
  });

  test("conflict under the group of the request", async () => {
    const send = await clientWithEvent();
    const { object } = await send("GET", `${path}/e`);
    const metadata = { ...object.metadata, resourceVersion: "1", labels: { a: "b" } };
    const refused = await send("PUT", `${path}/e`, { ...object, metadata });
    expect(refused.code).toBe(409);
    expect(refused.object.message).toContain(`cannot be fulfilled on ${shown} "e"`);
  });
});

test("workloads of an old group keep it, too", async () => {
  const send = testClient(quietCluster({ release: "1.16" }));
  const path = "/apis/extensions/v1beta1/namespaces/default/ingresses/x";
  expect((await send("GET", path)).object.message).toBe('ingresses.extensions "x" not found');
  const modern = "/apis/networking.k8s.io/v1beta1/namespaces/default/ingresses/x";
  expect((await send("GET", modern)).object.message).toBe('ingresses.networking.k8s.io "x" not found');
});

test("the version of the request decides what is valid", async () => {
  const send = testClient(quietCluster());
  const events = (root: string) => `${root}/namespaces/default/events`;
  expect((await send("POST", events("/api/v1"), event)).code).toBe(201);
  const strict = { ...event, apiVersion: "events.k8s.io/v1", metadata: { name: "f" } };
  const refused = await send("POST", events("/apis/events.k8s.io/v1"), strict);
  expect([refused.code, refused.findings]).toEqual([
    422,
    expect.arrayContaining([expect.stringContaining("eventTime")]),
  ]);
});
