import { expect, test } from "vitest";
import { gadgetDefinition, gadgetVersion } from "../kinds/apiextensions/gadgets.ts";
import { quietCluster } from "../registry/test-client.ts";

// Upstream: apiextensions-apiserver, pkg/apiserver/customresource_handler.go, ServeHTTP.
test("across namespaces, custom objects can only be read, and have no path for writes", async () => {
  const cluster = quietCluster();
  await cluster.create(gadgetDefinition([gadgetVersion("v1", { type: "object" })]));
  const codesOf = async (path: string) => {
    const codes: number[] = [];
    for (const method of ["GET", "POST", "DELETE"])
      codes.push((await cluster.fetch(`https://cluster.test${path}`, { method })).status);
    return codes;
  };
  expect(await codesOf("/apis/example.com/v1/gadgets")).toEqual([200, 404, 404]);
  expect(await codesOf("/apis/apps/v1/deployments")).toEqual([200, 405, 405]);
});
