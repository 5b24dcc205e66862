import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import {
  appsBetaDeploymentDefaults,
  deploymentDefaults,
  extensionsDeploymentDefaults,
} from "./deployment-defaults.ts";
import { deploymentStatusStrategy, deploymentStrategy } from "./deployment-strategy.ts";

export const deploymentRules: BuiltInRules<"deployments"> = {
  strategy: deploymentStrategy,
  versions: {
    "apps/v1": { defaults: withTemplateHostPorts(deploymentDefaults, "spec", "template") },
    "apps/v1beta1": { defaults: withTemplateHostPorts(appsBetaDeploymentDefaults, "spec", "template") },
    "apps/v1beta2": { defaults: withTemplateHostPorts(deploymentDefaults, "spec", "template") },
    "extensions/v1beta1": {
      defaults: withTemplateHostPorts(extensionsDeploymentDefaults, "spec", "template"),
    },
  },
  subresources: {
    status: { strategy: deploymentStatusStrategy },
  },
};
