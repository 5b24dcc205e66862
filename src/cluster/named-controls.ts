import type { FeatureGates } from "../catalog/feature-gates.ts";
import { healthChecksOf } from "../endpoints/nonresource/health-checks.ts";
import { HealthControl } from "../scenario/health-control.ts";
import type { Pods } from "../scenario/pod-scripts.ts";
import type { ClientNames } from "./service-name/client-names.ts";

/** Scripts of pods, whose selectors and stages a test writes with its names. */
export function namedPods(pods: Pods, { real }: ClientNames): Pods {
  return {
    script: (selector, life) => pods.script(real(selector), life),
    stages: (stages) => pods.stages(real(stages)),
  };
}

/** The health checks of a server, which a test writes with its names. */
export function namedHealth(names: ClientNames, gates: () => FeatureGates): HealthControl {
  return new HealthControl(() => healthChecksOf(gates()).map(({ name }) => name), names);
}
