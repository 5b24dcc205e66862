import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { ObjectMeta } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { Conversion } from "./conversion.ts";
import { selfLinksOf, withSelfLink, withSelfLinks } from "./self-link.ts";

const view = viewOf({ release: "1.19" });
const old = featureGates("1.19");

function linkOf(group: string, resource: string, metadata: ObjectMeta, subresourceName?: string) {
  const found = view.resource({ group, version: "v1", resource });
  if (found === undefined) throw new Error(`there is no ${resource}`);
  const subresource = subresourceName === undefined ? undefined : found.subresources.get(subresourceName);
  return selfLinksOf(found, subresource, old)?.({ apiVersion: "v1", kind: "X", metadata });
}

describe("the link of an object", () => {
  test.each([
    ["", "pods", { name: "a", namespace: "b" }, undefined, "/api/v1/namespaces/b/pods/a"],
    ["", "pods", { name: "a", namespace: "b" }, "status", "/api/v1/namespaces/b/pods/a/status"],
    ["", "nodes", { name: "a" }, undefined, "/api/v1/nodes/a"],
    [
      "apps",
      "deployments",
      { name: "a", namespace: "b" },
      undefined,
      "/apis/apps/v1/namespaces/b/deployments/a",
    ],
    ["", "nodes", { name: "a b!'()*/+" }, undefined, "/api/v1/nodes/a+b%21%27%28%29%2A%2F%2B"],
    ["", "pods", { name: "", namespace: "b" }, undefined, undefined],
    ["", "pods", { namespace: "b" }, undefined, undefined],
  ])("in %j of %s %j %s", (group, resource, metadata, subresource, link) => {
    expect(linkOf(group, resource, metadata, subresource)).toBe(link);
  });

  test("went with 1.20", () => {
    const pods = view.resource({ group: "", version: "v1", resource: "pods" });
    expect(pods && selfLinksOf(pods, undefined, featureGates("1.20"))).toBeUndefined();
    expect(pods && selfLinksOf(pods, undefined, featureGates("1.36"))).toBeUndefined();
  });

  test("follows the namespace", () => {
    const object = {
      apiVersion: "v1",
      kind: "X",
      metadata: { uid: "u", namespace: "b", generateName: "g", name: "a" },
    };
    const linked = withSelfLink(object, () => "/link");
    expect(Object.entries(linked.metadata)).toEqual([
      ["name", "a"],
      ["generateName", "g"],
      ["namespace", "b"],
      ["selfLink", "/link"],
      ["uid", "u"],
    ]);
    expect(linked).toMatchObject({ apiVersion: "v1", kind: "X" });
    const bare = withSelfLink({ ...object, metadata: {} }, () => "/link");
    expect(Object.keys(bare.metadata)).toEqual(["selfLink"]);
  });

  test("is added only where there is one", () => {
    const object = { apiVersion: "v1", kind: "X", metadata: {} };
    expect(withSelfLink(object, undefined)).toBe(object);
    expect(withSelfLink(object, () => undefined)).toBe(object);
  });
});

describe("a conversion for responses", () => {
  const identity: Conversion = {
    isIdentity: true,
    convert: (objects) => objects,
    showsMetadata: () => false,
    convertToStored: (objects) => objects,
  };

  test("adds the links", async () => {
    const { isIdentity, convert } = withSelfLinks(identity, ({ metadata }) => `/${metadata.name}`);
    const objects = ["a", "b"].map((name) => ({ apiVersion: "v1", kind: "X", metadata: { name } }));
    const links = (await convert(objects)).map(({ metadata }) => metadata["selfLink"]);
    expect([isIdentity, links]).toEqual([false, ["/a", "/b"]]);
  });

  test("is the same where there are none", () => {
    expect(withSelfLinks(identity, undefined)).toBe(identity);
  });
});
