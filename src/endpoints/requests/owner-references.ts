import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";

const advice =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests";

/** Keeps the first of owner references that are the same, and warns about the others. */
export function dedupOwnerReferences(
  object: MutableKubeObject,
  isAfterAdmission: boolean,
  warn: (text: string) => void,
): void {
  const references = object.metadata.ownerReferences ?? [];
  if (references.length < 2) return;
  const kept = new Map<string, (typeof references)[number]>();
  const repeated = new Set<string>();
  for (const reference of references) {
    const identity = JSON.stringify(Object.entries(reference).toSorted());
    if (kept.has(identity)) repeated.add(reference.uid);
    else kept.set(identity, reference);
  }
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = [...kept.values()];
  const when = isAfterAdmission ? " after mutating admission happens" : "";
  const uids = [...repeated].join(", ");
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; ${advice}; duplicate UID(s) observed: ${uids}`,
  );
}
