import type { Release } from "../../apimachinery/release.ts";
import { baselineChecks } from "./baseline-checks.ts";
import type { Check, CheckVersion, PodSecurityInput } from "./check.ts";
import type { LevelVersion } from "./policy.ts";
import { restrictedChecks } from "./restricted-checks.ts";

/** How a pod violates a policy, one text for each check; empty if it is allowed. */
export function violations(
  { level, version }: LevelVersion,
  input: PodSecurityInput,
  latest: Release,
): readonly string[] {
  if (level === "privileged") return [];
  // A server knows no later version than its own.
  const at = Math.min(
    policyNumber(latest),
    version === "latest" ? Number.POSITIVE_INFINITY : policyNumber(version),
  );
  const stricter = level === "restricted" ? checksAt(restrictedChecks, at) : [];
  const replaced = new Set(stricter.map(({ check }) => check.replaces));
  const baseline = checksAt(baselineChecks, at).filter(({ id }) => !replaced.has(id));
  return [...baseline, ...stricter]
    .map(({ check }) => check.find(input))
    .filter((finding) => finding !== undefined);
}

/** The 24 of `v1.24` or of the release `1.24`. */
function policyNumber(version: string): number {
  return Number(version.slice(version.indexOf(".") + 1));
}

/** The checks in their versions at a version of the policy. */
function checksAt(checks: readonly Check[], at: number): { id: string; check: CheckVersion }[] {
  return checks.flatMap(({ id, versions }) => {
    const check = versions.findLast((one) => one.first <= at);
    return check === undefined ? [] : [{ id, check }];
  });
}
