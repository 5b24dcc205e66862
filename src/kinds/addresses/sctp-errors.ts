import { fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { listAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** A list of ports and its path. */
export type PortList = readonly [owner: JsonObject, path: string];

/**
 * Refuses ports with the protocol SCTP while the gate SCTPSupport is off, unless the old object has some: the default before 1.19.
 * Upstream: pkg/apis/core/validation/conditional_validation.go.
 */
export function addSctpErrors(
  errors: Findings,
  lists: readonly PortList[],
  old: readonly PortList[],
  { isEnabled }: FeatureGates,
): void {
  if (isEnabled("SCTPSupport") || sctpFields(old).length > 0) return;
  for (const field of sctpFields(lists)) errors.push(fieldNotSupported(field, "SCTP", ["TCP", "UDP"]));
}

function sctpFields(lists: readonly PortList[]): readonly string[] {
  return lists.flatMap(([owner, path]) =>
    [...listAt(owner, "ports").entries()]
      .filter(([, { protocol }]) => protocol === "SCTP")
      .map(([i]) => `${path}[${i}].protocol`),
  );
}
