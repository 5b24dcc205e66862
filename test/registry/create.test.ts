import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "./test-client.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const isRefused = [500, "resourceVersion should not be set on objects to be created"];

describe("a new object with a resourceVersion", () => {
  test.each<[resourceVersion: string, refusal: readonly unknown[] | undefined]>([
    ["1", isRefused],
    ["18446744073709551615", isRefused],
    ["18446744073709551616", undefined],
    ["0", undefined],
    ["", undefined],
    ["x", undefined],
    ["-1", undefined],
  ])("is refused if that is a positive number: %j", async (resourceVersion, refusal) => {
    const send = testClient(quietCluster());
    const { code, findings, object } = await send("POST", configMaps, {
      metadata: { name: "m", resourceVersion },
    });
    if (refusal !== undefined) expect([code, ...findings]).toEqual(refusal);
    else expect([code, object.metadata.resourceVersion]).toEqual([201, expect.stringMatching(/^[1-9]\d*$/)]);
  });

  test("is refused only if it is valid otherwise", async () => {
    const send = testClient(quietCluster());
    const { code } = await send("POST", configMaps, { metadata: { name: "M", resourceVersion: "1" } });
    expect(code).toBe(422);
  });

  test("is accepted if an update creates it", async () => {
    const send = testClient(quietCluster());
    const { code, object } = await send("PUT", `${leases}/m`, {
      metadata: { name: "m", resourceVersion: "1" },
    });
    expect(code).toBe(201);
    expect(object.metadata.resourceVersion).not.toBe("1");
  });
});

test("objects created from the same template change independently", async () => {
  const send = testClient(quietCluster());
  const made = (name: string, data: object) => ({ metadata: { name, labels: { app: "a" } }, data });
  for (const name of ["a", "b"]) await send("POST", configMaps, made(name, { key: "1" }));
  await send("PUT", `${configMaps}/a`, made("a", { key: "2" }));
  await send("POST", configMaps, made("c", { key: "1" }));
  const found = ["a", "b", "c"].map(async (name) => (await send("GET", `${configMaps}/${name}`)).object);
  expect((await Promise.all(found)).map((object) => [object.metadata.name, object["data"]])).toEqual([
    ["a", { key: "2" }],
    ["b", { key: "1" }],
    ["c", { key: "1" }],
  ]);
});
