import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  appsBetaDeploymentDefaults,
  deploymentDefaults,
  extensionsDeploymentDefaults,
} from "./deployment-defaults.ts";
import { deploymentStatusStrategy, deploymentStrategy } from "./deployment-strategy.ts";

export const deploymentRules: KindRules<"deployments"> = {
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
