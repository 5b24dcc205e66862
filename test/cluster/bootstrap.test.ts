import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import text from "../../src/cluster/generated/bootstrap-objects.json?raw";
import { createCluster } from "../../src/index.ts";
import { bootstrapObjects } from "../../tools/bootstrap-objects.mjs";

const recorded: readonly [path: string, object: JsonObject & { metadata: { name: string } }][] =
  JSON.parse(text);

test("the objects are what their generator makes of the records", () => {
  expect(text).toBe(bootstrapObjects(fileURLToPath(new URL("generated", import.meta.url))));
});

test("a server of the release that was recorded has every object", async () => {
  const cluster = createCluster({ controllers: [], seed: 1 });
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  for (const path of new Set(recorded.map(([path]) => path))) {
    const url = `https://cluster.test/${path.startsWith("v1/") ? "api" : "apis"}/${path}`;
    const { items } = (await (await cluster.fetch(url, { headers })).json()) as {
      items: { metadata: { name: string } }[];
    };
    const wanted = recorded.filter((entry) => entry[0] === path).map(([, object]) => object.metadata.name);
    expect([path, items.map(({ metadata }) => metadata.name).sort()]).toEqual([path, wanted.sort()]);
  }
});
