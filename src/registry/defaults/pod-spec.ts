import { containerDefaults } from "./container.ts";
import { all, type Defaulter, each, ifSet, inStruct, whenUnset, whenZero } from "./defaulter.ts";
import { roundedAmounts } from "./resource-list.ts";
import { volumeDefaults } from "./volume.ts";

/** The spec of a pod, in a Pod as in every template. What only a Pod gets is in pod.ts. */
export const podSpecDefaults: Defaulter = all(
  whenZero({ dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" }),
  whenUnset({ securityContext: {}, terminationGracePeriodSeconds: 30 }),
  each("volumes", volumeDefaults),
  each("initContainers", containerDefaults),
  each("containers", containerDefaults),
  each("ephemeralContainers", containerDefaults),
  roundedAmounts("overhead"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** The `template` of a workload. */
export const podTemplateDefaults: Defaulter = inStruct("template", inStruct("spec", podSpecDefaults));
