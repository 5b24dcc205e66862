import { describe, expect, test } from "vitest";
import { asking, quietCluster } from "../../../test/registry/asked.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const isRefused = [500, "resourceVersion should not be set on objects to be created"];

describe("an object that is new and says what revision it has", () => {
  test.each<[resourceVersion: string, refusal: readonly unknown[] | undefined]>([
    ["1", isRefused],
    ["18446744073709551615", isRefused],
    ["18446744073709551616", undefined],
    ["0", undefined],
    ["", undefined],
    ["x", undefined],
    ["-1", undefined],
  ])("is refused where that is a number: %j", async (resourceVersion, refusal) => {
    const ask = asking(quietCluster());
    const { code, findings, object } = await ask("POST", configMaps, {
      metadata: { name: "m", resourceVersion },
    });
    if (refusal !== undefined) expect([code, ...findings]).toEqual(refusal);
    else expect([code, object.metadata.resourceVersion]).toEqual([201, expect.stringMatching(/^[1-9]\d*$/)]);
  });

  test("is refused only when all else is well", async () => {
    const ask = asking(quietCluster());
    const { code } = await ask("POST", configMaps, { metadata: { name: "M", resourceVersion: "1" } });
    expect(code).toBe(422);
  });

  test("is taken where an update creates it", async () => {
    const ask = asking(quietCluster());
    const { code, object } = await ask("PUT", `${leases}/m`, {
      metadata: { name: "m", resourceVersion: "1" },
    });
    expect(code).toBe(201);
    expect(object.metadata.resourceVersion).not.toBe("1");
  });
});
