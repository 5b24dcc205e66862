import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";
import { containerDefaults } from "./container-defaults.ts";
import { volumeDefaults } from "./volume-defaults.ts";

/** The spec of a pod, in a Pod as in every template. What only a Pod gets is in pod.ts. */
export const podSpecDefaults: Defaulter = all(
  whenZero({ dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" }),
  whenUnset({ securityContext: {}, terminationGracePeriodSeconds: 30 }),
  agreeOnServiceAccount,
  each("volumes", volumeDefaults),
  each("initContainers", containerDefaults),
  each("containers", containerDefaults),
  each("ephemeralContainers", containerDefaults),
  roundedAmounts("overhead"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** The `template` of a workload. */
export const podTemplateDefaults: Defaulter = inStruct("template", inStruct("spec", podSpecDefaults));

/** The older name of the field is an alias, which shows what the newer one says. */
function agreeOnServiceAccount(spec: MutableJsonObject): void {
  const name = spec["serviceAccountName"] || spec["serviceAccount"];
  if (!name) return;
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
}
