import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  appsBetaDeploymentDefaults,
  deploymentDefaults,
  extensionsDeploymentDefaults,
} from "./deployment-defaults.ts";
import { deploymentStatusStrategy, deploymentStrategy } from "./deployment-strategy.ts";

export const deploymentRules: BuiltInRules<"deployments"> = {
  strategy: deploymentStrategy,
  versions: {
    "apps/v1": { defaults: deploymentDefaults },
    "apps/v1beta1": { defaults: appsBetaDeploymentDefaults },
    "apps/v1beta2": { defaults: deploymentDefaults },
    "extensions/v1beta1": { defaults: extensionsDeploymentDefaults },
  },
  subresources: {
    status: { strategy: deploymentStatusStrategy },
  },
};
