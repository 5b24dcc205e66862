import { internalError } from "../../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { ServiceAllocation } from "./service-allocation.ts";
import { shown } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, headless, type IpFamily, needsClusterIp, sameTexts } from "./service-fields.ts";
import { familiesOf, type InvalidService, keepsPreferringDualStack } from "./service-ip-families.ts";

/** Allocates an address of each IP family to a service, and those that it names. */
export function allocateClusterIps(
  spec: MutableJsonObject,
  invalidService: InvalidService,
  allocation: ServiceAllocation,
): void {
  const wanted = clusterIpsOf(spec);
  if (!needsClusterIp(spec) || wanted[0] === headless) return;
  const given = familiesOf(spec).map((family, i) => allocateIp(family, i, spec, invalidService, allocation));
  spec["clusterIPs"] = given;
  spec["clusterIP"] = given[0] ?? "";
}

/** Allocates the addresses that a change of type or of IP families requires. */
export function updateClusterIps(
  spec: MutableJsonObject,
  old: JsonObject,
  invalidService: InvalidService,
  allocation: ServiceAllocation,
): void {
  if (keepsPreferringDualStack(spec, old)) return;
  if (!needsClusterIp(old) && needsClusterIp(spec)) {
    allocateClusterIps(spec, invalidService, allocation);
    return;
  }
  if (clusterIpsOf(old)[0] === headless || !needsClusterIp(spec)) return;
  if (familiesOf(old).length !== 1 || familiesOf(spec).length !== 2) return;
  const [, second = ""] = familiesOf(spec);
  spec["clusterIPs"] = [
    ...clusterIpsOf(spec).slice(0, 1),
    allocateIp(second, 1, spec, invalidService, allocation),
  ];
}

function allocateIp(
  family: string,
  i: number,
  spec: JsonObject,
  invalidService: InvalidService,
  allocation: ServiceAllocation,
): string {
  // Unknown IP families have been rejected before.
  const known = family as IpFamily;
  const ips = clusterIpsOf(spec);
  const wanted = ips[i] ?? "";
  if (wanted === "") {
    const next = allocation.nextIp(known);
    if ("refusal" in next) throw internalError(`failed to allocate a serviceIP: ${next.refusal}`);
    return next.ip;
  }
  const refusal = allocation.takeIp(known, wanted);
  if (refusal === undefined) return wanted;
  const padded = familiesOf(spec).map((_, at) => ips[at] ?? "");
  throw invalidService([
    fieldInvalid("spec.clusterIPs", shown(padded), `failed to allocate IP ${wanted}: ${refusal}`),
  ]);
}

/**
 * Makes `clusterIPs` agree with `clusterIP`, for clients that know only the singular. Upstream: `normalizeClusterIPs`.
 */
export function alignClusterIps(spec: MutableJsonObject, old: JsonObject | undefined): void {
  const singular = textAt(spec, "clusterIP");
  if (old === undefined) {
    if (singular !== "" && clusterIpsOf(spec).length === 0) spec["clusterIPs"] = [singular];
    return;
  }
  const before = textAt(old, "clusterIP");
  const ips = clusterIpsOf(old);
  if (before === singular) {
    if (ips.length > 0 && clusterIpsOf(spec).length === 0) spec["clusterIPs"] = ips;
    return;
  }
  if (!sameTexts(ips, clusterIpsOf(spec))) return;
  if (before !== "" && singular === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [singular];
}
