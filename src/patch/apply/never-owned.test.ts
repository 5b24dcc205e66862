import { expect, test } from "vitest";
import { fieldPath } from "./field-filter.ts";
import { setOf } from "./field-set-algebra.ts";
import { neverOwnedMetadata, withoutNeverOwned } from "./never-owned.ts";

/** Upstream: apimachinery, managedfields/internal/stripmeta.go. */
const metadata = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];

test("no manager owns the type of an object, nor the metadata of the server", () => {
  const fields = ["apiVersion", "kind", "metadata", ...metadata.map((name) => `metadata.${name}`)];
  const others = ["metadata.labels", "metadata.generateName", "metadata.finalizers", "spec", "name"];
  const owned = setOf(...others.map(fieldPath));
  expect(withoutNeverOwned(setOf(...[...fields, ...others].map(fieldPath)))).toEqual(owned);
  expect(withoutNeverOwned(owned)).toEqual(owned);
  for (const field of fields) expect(withoutNeverOwned(setOf(fieldPath(field)))).toEqual({});
  expect([...neverOwnedMetadata]).toEqual(metadata);
});
