import { once } from "node:events";
import http from "node:http";
import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

/** The names of the first events of a watch, and its bytes up to then. */
async function eventsOf(
  response: http.IncomingMessage,
  count: number,
): Promise<{ names: string[]; text: string }> {
  let text = "";
  for await (const piece of response) {
    text += piece;
    if (text.split("\n").length > count) break;
  }
  const lines = text.trim().split("\n");
  return { names: lines.map((line) => JSON.parse(line).object.metadata.name), text };
}

test("events of several writers reach all watchers in the same order", async () => {
  await using cluster = createCluster({ controllers: [] });
  const serving = await serve(cluster, { tls: false });
  const target = `${serving.url}/api/v1/namespaces/default/configmaps`;
  const headers = { Authorization: `Bearer ${cluster.adminToken()}` };
  const watches = await Promise.all(
    ["&labelSelector=a", "&labelSelector=a", "", ""].map(async (selector) => {
      const [response] = await once(
        http.get(`${target}?watch=1&resourceVersion=0${selector}`, { headers, agent: false }),
        "response",
      );
      return response;
    }),
  );
  const received = watches.map((watch) => eventsOf(watch, 32));
  const names = Array.from({ length: 32 }, (_, index) => `written-${index}`);
  await Promise.all(
    names.map((name) =>
      fetch(target, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ metadata: { name, labels: { a: "b" } } }),
      }),
    ),
  );
  const [first, ...others] = await Promise.all(received);
  expect([...(first?.names ?? [])].sort()).toEqual([...names].sort());
  for (const other of others) expect(other.text).toBe(first?.text);
  await serving.close();
});

test("a watch with room for two events keeps up with writes that leave it no turn", async () => {
  await using cluster = createCluster({ controllers: [], watchCapacity: 2 });
  const serving = await serve(cluster, { tls: false });
  const [watch] = await once(
    http.get(`${serving.url}/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0`, {
      headers: { Authorization: `Bearer ${cluster.adminToken()}` },
      agent: false,
    }),
    "response",
  );
  const received = eventsOf(watch, 20);
  const names = Array.from({ length: 20 }, (_, index) => `written-${index}`);
  for (const name of names)
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });
  expect((await received).names).toEqual(names);
  await serving.close();
});
