import { objectAt, sizeAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const resourceClaimPrinter: Printer = {
  cells: (claim, now) => [nameOf(claim), claimState(claim), ageOf(claim, now)],
};

/** Every state that applies, such as `allocated,reserved`. */
function claimState(claim: KubeObject): string {
  const isDeleted = Boolean(claim.metadata.deletionTimestamp);
  const isAllocated = objectAt(claim, "status", "allocation") !== undefined;
  const states: string[] = [];
  if (isDeleted) states.push("deleted");
  if (!isAllocated && !isDeleted) states.push("pending");
  if (isAllocated) states.push("allocated");
  if (isAllocated && sizeAt(claim, "status", "reservedFor") > 0) states.push("reserved");
  return states.join(",");
}
