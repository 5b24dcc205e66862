import type { FeatureGates } from "./feature-gates.ts";
import type { Enablements } from "./later-versions.ts";

/** The resources that a server has only while a gate is on, as `group/version/resource`. Upstream: the storage providers in pkg/registry. */
const gatedResources: readonly (readonly [gate: string, resources: readonly string[]])[] = [
  [
    "APISelfSubjectReview",
    ["v1alpha1", "v1beta1"].map((version) => `authentication.k8s.io/${version}/selfsubjectreviews`),
  ],
];

/** The enabled APIs of a server: no configuration enables the resources of gates that are off. */
export function enablementsOf(
  runtimeConfig: Iterable<readonly [string, boolean]>,
  forward: Omit<Enablements, "runtimeConfig" | "withheld">,
  { isEnabled }: FeatureGates,
): Enablements {
  const withheld = gatedResources.flatMap(([gate, resources]) => (isEnabled(gate) ? [] : resources));
  return { ...forward, runtimeConfig: new Map(runtimeConfig), withheld };
}
