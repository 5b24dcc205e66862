import { expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import { definitionOf } from "../contract/resource-definition.ts";
import { sealForStorage } from "./seal.ts";

const view = viewOf({ release: "1.32" });
const clusterRoles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };

/** Go writes the rules of a ClusterRole even if they are empty. */
function sealedRules(group: string) {
  const entry = view.resource(clusterRoles) ?? expect.unreachable("there are no ClusterRoles");
  const definition = { ...definitionOf(entry, view), groupResource: { group, resource: "things" } };
  const role = { kind: "ClusterRole", apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "a" } };
  return sealForStorage({ ...storedConfigMaps(), definition }, { ...role, rules: [] })["rules"];
}

test.each([
  ["", null],
  ["rbac.authorization.k8s.io", null],
  ["apiextensions.k8s.io", []],
  ["apiregistration.k8s.io", []],
])("storage has an empty list of the group %j as %j", (group, expected) => {
  expect(sealedRules(group)).toEqual(expected);
});

test("a sealed object has a revision in its place", () => {
  const sealed = sealForStorage(
    storedConfigMaps(),
    configMap({ name: "a", creationTimestamp: "2024-01-01T00:00:00Z", uid: "u" }),
  );
  expect(Object.entries(sealed.metadata)).toEqual([
    ["name", "a"],
    ["namespace", "n"],
    ["uid", "u"],
    ["resourceVersion", "0"],
    ["creationTimestamp", "2024-01-01T00:00:00Z"],
  ]);
});
