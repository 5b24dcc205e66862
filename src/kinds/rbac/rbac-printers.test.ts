import { expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";

const subject = (kind: string, name: string): JsonObject => ({ kind, name, namespace: "n" });

test.each<[resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
  [
    "rbac.authorization.k8s.io/rolebindings",
    {
      roleRef: { kind: "Role", name: "r" },
      subjects: [
        subject("User", "a"),
        subject("Group", "g"),
        subject("ServiceAccount", "s"),
        subject("User", "b"),
        subject("Other", "o"),
      ],
    },
    ["Role/r", "a, b", "g", "n/s"],
  ],
  [
    "rbac.authorization.k8s.io/clusterrolebindings",
    { roleRef: { kind: "ClusterRole", name: "r" }, subjects: null },
    ["ClusterRole/r", "", "", ""],
  ],
])("%s %j is shown as %j", async (resource, object, cells) => {
  expect(await printedCells(resource, object)).toEqual(cells);
});
