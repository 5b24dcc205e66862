import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import type { SendRequest } from "../../registry/test-client.ts";

async function made(spec: object): Promise<SendRequest> {
  const send = askingForPods();
  const containers = [{ name: "c", image: "i" }];
  await send("POST", path, { metadata: { name: "p" }, spec: { containers, ...spec } });
  return send;
}

describe("a deleted pod has", () => {
  test.each<[string, object, string, number]>([
    ["the grace period of the pod", { nodeName: "n", terminationGracePeriodSeconds: 7 }, "", 7],
    ["the grace period of the client", { nodeName: "n" }, "?gracePeriodSeconds=5", 5],
    [
      "one second for a negative grace period of the pod",
      { nodeName: "n", terminationGracePeriodSeconds: -3 },
      "",
      1,
    ],
    ["one second for a negative grace period of the client", { nodeName: "n" }, "?gracePeriodSeconds=-1", 1],
    ["no grace period without a node", {}, "", 0],
    ["no grace period without a node, regardless of the client", {}, "?gracePeriodSeconds=30", 0],
  ])("%s", async (_title, spec, query, seconds) => {
    const send = await made(spec);
    const { code, object } = await send("DELETE", `${path}/p${query}`);
    expect(code).toBe(200);
    expect(object.metadata.deletionGracePeriodSeconds).toBe(seconds);
    expect((await send("GET", `${path}/p`)).code).toBe(seconds === 0 ? 404 : 200);
  });

  test.each(["Succeeded", "Failed"])("no grace period if it has %s", async (phase) => {
    const send = await made({ nodeName: "n" });
    await send("PATCH", `${path}/p/status`, { status: { phase } });
    const { object } = await send("DELETE", `${path}/p`);
    expect(object.metadata.deletionGracePeriodSeconds).toBe(0);
  });
});

describe("a terminating pod", () => {
  test("can be shortened later, but not extended", async () => {
    const send = await made({ nodeName: "n" });
    await send("DELETE", `${path}/p`);
    const seconds = async (query: string): Promise<number> =>
      (await send("DELETE", `${path}/p${query}`)).object.metadata.deletionGracePeriodSeconds;
    expect(await seconds("")).toBe(30);
    expect(await seconds("?gracePeriodSeconds=5")).toBe(5);
    expect(await seconds("?gracePeriodSeconds=50")).toBe(5);
    expect(await seconds("?gracePeriodSeconds=0")).toBe(0);
    expect((await send("GET", `${path}/p`)).code).toBe(404);
  });

  test("keeps its name until it has ended", async () => {
    const send = await made({ nodeName: "n" });
    await send("DELETE", `${path}/p`);
    const again = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    expect((await send("POST", path, again)).findings).toEqual([
      'object is being deleted: pods "p" already exists',
    ]);
  });

  test("without a grace period marks the pod before it is removed", async () => {
    const send = await made({});
    const { object: before } = await send("GET", path);
    const { object: deleted } = await send("DELETE", `${path}/p`);
    const since = Number(before.metadata.resourceVersion);
    expect(Number(deleted.metadata.resourceVersion)).toBe(since + 2);
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
  });
});
