import { fieldPath } from "./field-filter.ts";
import type { FieldSet } from "./field-set.ts";
import { difference, setOf } from "./field-set-algebra.ts";

/** Metadata that the server writes, or that identifies the object. */
const metadata: readonly string[] = [
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

/** Fields without an owner. Upstream: managedfields/internal/stripmeta.go. */
const neverOwned: FieldSet = setOf(
  ...["apiVersion", "kind", "metadata", ...metadata.map((name) => `metadata.${name}`)].map(fieldPath),
);

/** Results of `withoutNeverOwned`, for objects with the same fields. */
const results = new WeakMap<FieldSet, FieldSet>();

/** The set without the fields that no manager owns. */
export function withoutNeverOwned(set: FieldSet): FieldSet {
  const known = results.get(set);
  if (known !== undefined) return known;
  const result = difference(set, neverOwned);
  results.set(set, result);
  return result;
}

/** The fields of the metadata that no manager owns. */
export const neverOwnedMetadata: ReadonlySet<string> = new Set(metadata);
