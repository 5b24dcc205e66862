import { describe, expect, test } from "vitest";
import type { Ask } from "../../registry/asked.ts";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";

async function made(spec: object): Promise<Ask> {
  const ask = askingForPods();
  const containers = [{ name: "c", image: "i" }];
  await ask("POST", path, { metadata: { name: "p" }, spec: { containers, ...spec } });
  return ask;
}

describe("a deleted pod has", () => {
  test.each<[string, object, string, number]>([
    ["the time that it was made with", { nodeName: "n", terminationGracePeriodSeconds: 7 }, "", 7],
    ["the time that the client gives it", { nodeName: "n" }, "?gracePeriodSeconds=5", 5],
    [
      "a second when it was made with less than none",
      { nodeName: "n", terminationGracePeriodSeconds: -3 },
      "",
      1,
    ],
    ["a second when the client gives it less than none", { nodeName: "n" }, "?gracePeriodSeconds=-1", 1],
    ["no time without a node", {}, "", 0],
    ["no time without a node, whatever the client gives it", {}, "?gracePeriodSeconds=30", 0],
  ])("%s", async (_title, spec, query, seconds) => {
    const ask = await made(spec);
    const { code, object } = await ask("DELETE", `${path}/p${query}`);
    expect(code).toBe(200);
    expect(object.metadata.deletionGracePeriodSeconds).toBe(seconds);
    expect((await ask("GET", `${path}/p`)).code).toBe(seconds === 0 ? 404 : 200);
  });

  test.each(["Succeeded", "Failed"])("no time when it has %s", async (phase) => {
    const ask = await made({ nodeName: "n" });
    await ask("PATCH", `${path}/p/status`, { status: { phase } });
    const { object } = await ask("DELETE", `${path}/p`);
    expect(object.metadata.deletionGracePeriodSeconds).toBe(0);
  });
});

describe("a pod that is ending", () => {
  test("ends earlier when it is asked to, and not later", async () => {
    const ask = await made({ nodeName: "n" });
    await ask("DELETE", `${path}/p`);
    const seconds = async (query: string): Promise<number> =>
      (await ask("DELETE", `${path}/p${query}`)).object.metadata.deletionGracePeriodSeconds;
    expect(await seconds("")).toBe(30);
    expect(await seconds("?gracePeriodSeconds=5")).toBe(5);
    expect(await seconds("?gracePeriodSeconds=50")).toBe(5);
    expect(await seconds("?gracePeriodSeconds=0")).toBe(0);
    expect((await ask("GET", `${path}/p`)).code).toBe(404);
  });

  test("keeps its name until it has ended", async () => {
    const ask = await made({ nodeName: "n" });
    await ask("DELETE", `${path}/p`);
    const again = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    expect((await ask("POST", path, again)).findings).toEqual([
      'object is being deleted: pods "p" already exists',
    ]);
  });

  test("without time is marked before it is gone", async () => {
    const ask = await made({});
    const { object: before } = await ask("GET", path);
    const { object: deleted } = await ask("DELETE", `${path}/p`);
    const since = Number(before.metadata.resourceVersion);
    expect(Number(deleted.metadata.resourceVersion)).toBe(since + 2);
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
  });
});
