import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { expressionRelease } from "../../../catalog/effective-version.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { ConfigurationAge } from "./device-configuration-validation.ts";
import { type DeviceForm, deviceFormOf } from "./device-form.ts";

/** What decides how the parts of a claim, a template or a class are validated. */
export interface DeviceRules {
  readonly form: DeviceForm;
  /** Whether configurations and expressions are new, or those of a stored object. */
  readonly age: ConfigurationAge;
  readonly release: Release;
  readonly gates: FeatureGates;
}

export function deviceRules(
  { served, gates }: StrategyEnvironment,
  object: KubeObject,
  age: ConfigurationAge,
): DeviceRules {
  return {
    form: deviceFormOf(object),
    age,
    release: expressionRelease(served.current.catalog.version),
    gates,
  };
}
