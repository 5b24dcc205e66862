import { describe, expect, test } from "vitest";
import type { MutableKubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import { dedupAdmittedOwnerReferences, dedupOwnerReferences } from "./owner-references.ts";

const reference = (uid: string, more: object = {}): OwnerReference => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: "a",
  uid,
  ...more,
});

/** The warnings about these references, and those that stay. */
function deduped(references: readonly OwnerReference[] | undefined, dedup = dedupOwnerReferences) {
  const metadata = references === undefined ? {} : { ownerReferences: references };
  const object: MutableKubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata };
  const warnings: string[] = [];
  dedup(object, (text) => warnings.push(text));
  return { kept: object.metadata.ownerReferences, warnings };
}

const advice =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests";

describe("equal owner references", () => {
  test("are removed but for the first of each, with one warning", () => {
    const [a, b, c] = [reference("a"), reference("b"), reference("c")];
    const { kept, warnings } = deduped([a, b, { ...a }, c, { ...b }, { ...a }]);
    expect(kept).toEqual([a, b, c]);
    expect(warnings).toEqual([
      `.metadata.ownerReferences contains duplicate entries; ${advice}; duplicate UID(s) observed: a, b`,
    ]);
  });

  test("may have their fields in any order", () => {
    const { kind, name, uid, apiVersion } = reference("a");
    expect(deduped([reference("a"), { uid, name, kind, apiVersion }]).kept).toHaveLength(1);
  });

  test("are reported as the result of admission after it", () => {
    const { warnings } = deduped([reference("a"), reference("a")], dedupAdmittedOwnerReferences);
    expect(warnings).toEqual([
      `.metadata.ownerReferences contains duplicate entries after mutating admission happens; ${advice}; duplicate UID(s) observed: a`,
    ]);
  });
});

test.each<[title: string, references: readonly OwnerReference[] | undefined]>([
  ["none", undefined],
  ["an empty list", []],
  ["one", [reference("a")]],
  ["those of the same owner that differ", [reference("a"), reference("a", { controller: true })]],
])("other owner references stay as they are, without a warning: %s", (_title, references) => {
  for (const dedup of [dedupOwnerReferences, dedupAdmittedOwnerReferences])
    expect(deduped(references, dedup)).toEqual({ kept: references, warnings: [] });
  const { kept, warnings } = deduped(references);
  expect(kept).toBe(references);
  expect(warnings).toEqual([]);
});
