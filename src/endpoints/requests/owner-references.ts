import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";

const advice =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests";

/**
 * Keeps the first of equal owner references in the body of a request, and warns about the others. Upstream:
 * staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, dedupOwnerReferencesAndAddWarning.
 */
export function dedupOwnerReferences(object: MutableKubeObject, warn: (text: string) => void): void {
  const uids = removeRepeated(object);
  if (uids !== undefined) warn(warning("", uids));
}

/** The same after mutating admission. */
export function dedupAdmittedOwnerReferences(object: MutableKubeObject, warn: (text: string) => void): void {
  const uids = removeRepeated(object);
  if (uids !== undefined) warn(warning(" after mutating admission happens", uids));
}

function warning(when: string, uids: string): string {
  return `.metadata.ownerReferences contains duplicate entries${when}; ${advice}; duplicate UID(s) observed: ${uids}`;
}

/** The UIDs of the references that were removed; undefined if there were none. */
function removeRepeated(object: MutableKubeObject): string | undefined {
  const references = object.metadata.ownerReferences ?? [];
  if (references.length < 2) return undefined;
  const kept = new Map<string, (typeof references)[number]>();
  const repeated = new Set<string>();
  for (const reference of references) {
    const identity = JSON.stringify(Object.entries(reference).toSorted());
    if (kept.has(identity)) repeated.add(reference.uid);
    else kept.set(identity, reference);
  }
  if (repeated.size === 0) return undefined;
  object.metadata.ownerReferences = [...kept.values()];
  return [...repeated].join(", ");
}
