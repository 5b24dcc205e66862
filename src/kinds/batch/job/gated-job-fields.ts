import { type GatedFields, gatedField } from "../../../registry/contract/gated-fields.ts";

const fields: readonly (readonly [gate: string, field: string])[] = [
  ["IndexedJob", "completionMode"],
  ["JobBackoffLimitPerIndex", "backoffLimitPerIndex"],
  ["JobBackoffLimitPerIndex", "maxFailedIndexes"],
  ["JobManagedBy", "managedBy"],
  ["JobPodFailurePolicy", "podFailurePolicy"],
  ["JobPodReplacementPolicy", "podReplacementPolicy"],
  ["JobSuccessPolicy", "successPolicy"],
  ["SuspendJob", "suspend"],
  ["TTLAfterFinished", "ttlSecondsAfterFinished"],
];

/** The fields behind feature gates in the spec of a Job at `path`. */
export function gatedJobFields(first: string, ...rest: readonly string[]): readonly GatedFields[] {
  return fields.map(([gate, field]) => gatedField(gate, first, ...rest, field));
}
