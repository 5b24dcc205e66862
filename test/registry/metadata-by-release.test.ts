import { describe, expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { quietCluster, testClient } from "./test-client.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const notPreserved =
  "metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25";
const unknown = 'unknown field "metadata.clusterName"';

/** Upstream: apimachinery, pkg/apis/meta/v1/types.go; apiserver, pkg/registry/rest/create.go and update.go. */
describe("the name of a cluster in metadata", () => {
  test.each<[Release, readonly string[]]>([
    ["1.16", []],
    ["1.23", []],
    ["1.24", [notPreserved]],
    ["1.25", [unknown]],
    ["1.32", [unknown]],
  ])("is never kept, and %s warns accordingly", async (release, warnings) => {
    const send = testClient(quietCluster({ release }));
    const metadata = { name: "m", clusterName: "c" };
    const writes = [
      await send("POST", `${configMaps}?fieldValidation=Warn`, { metadata }),
      await send("PUT", `${configMaps}/m?fieldValidation=Warn`, { metadata, data: { a: "b" } }),
      await send("PATCH", `${configMaps}/m?fieldValidation=Warn`, { metadata: { clusterName: "d" } }),
    ];
    for (const { code, object, warnings: sent } of writes) {
      expect(code).toBeLessThan(300);
      expect(object.metadata.clusterName).toBeUndefined();
      expect(sent).toEqual(warnings);
    }
  });
});

/** Upstream: pkg/apis/core/v1/defaults.go and pkg/registry/core/namespace/strategy.go. */
describe("the label with the name of a namespace", () => {
  test.each<[Release, boolean]>([
    ["1.16", false],
    ["1.20", false],
    ["1.21", true],
    ["1.32", true],
  ])("in %s exists: %s", async (release, exists) => {
    const send = testClient(quietCluster({ release }));
    const named = await send("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    const generated = await send("POST", "/api/v1/namespaces", { metadata: { generateName: "g-" } });
    const status = await send("PUT", "/api/v1/namespaces/n/status", { metadata: { name: "n" } });
    const own = await send("GET", "/api/v1/namespaces/default");
    for (const { object } of [named, generated, status, own]) {
      const { name, labels } = object.metadata;
      expect(labels?.["kubernetes.io/metadata.name"]).toBe(exists ? name : undefined);
    }
  });
});
