import { listAt, textsAt } from "../apimachinery/fields.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";

/** The gates without which a new cluster has other objects. */
export const seedingGates: readonly string[] = ["APIServerIdentity", "KubeletFineGrainedAuthz"];

const kubeletRule = {
  verbs: ["*"],
  apiGroups: [""],
  resources: ["nodes/configz", "nodes/healthz", "nodes/pods"],
};

/**
 * The seeds of a release as its gates have them. Upstream: pkg/controlplane/apiserver/server.go, and bootstrappolicy/policy.go in
 * plugin/pkg/auth/authorizer/rbac.
 */
export function asGated<T extends { readonly object: KubeObject }>(
  seeds: readonly T[],
  { isEnabled, since }: FeatureGates,
): readonly T[] {
  const hasLease = isEnabled("APIServerIdentity");
  const isFineGrained = isEnabled("KubeletFineGrainedAuthz");
  if (hasLease && isFineGrained === since("1.33")) return seeds;
  return seeds.flatMap((seed) => {
    const { object } = seed;
    if (object.kind === "Lease") return hasLease ? [seed] : [];
    if (object.metadata.name !== "system:kubelet-api-admin" || isFineGrained === since("1.33")) return [seed];
    const rules = listAt(object, "rules").filter(
      (rule) => !textsAt(rule, "resources").includes("nodes/pods"),
    );
    return [{ ...seed, object: { ...object, rules: isFineGrained ? [...rules, kubeletRule] : rules } }];
  });
}
