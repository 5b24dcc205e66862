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

/** The defaults of a pod spec, in a Pod and in every template. Those of Pods only are in pod-defaults.ts. */
export const podSpecDefaults: Defaulter = all(
  whenZero({ dnsPolicy: "ClusterFirst", restartPolicy: "Always", schedulerName: "default-scheduler" }),
  whenUnset({ securityContext: {}, terminationGracePeriodSeconds: 30 }),
  syncServiceAccount,
  each("volumes", volumeDefaults),
  each("initContainers", containerDefaults),
  each("containers", containerDefaults),
  each("ephemeralContainers", containerDefaults),
  roundedAmounts("overhead"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

const initContainerAnnotations = ["init-containers", "init-container-statuses"].flatMap((name) =>
  ["alpha", "beta"].map((stage) => `pod.${stage}.kubernetes.io/${name}`),
);

/**
 * Removes the annotations that contained init containers before there was a field. Upstream's conversion of pods and
 * templates drops them (pkg/apis/core/v1/conversion.go: dropInitContainerAnnotations).
 */
export const withoutInitContainerAnnotations: Defaulter = ifSet(
  "metadata",
  ifSet("annotations", (annotations) => {
    for (const name of initContainerAnnotations) {
      if (annotations[name] !== undefined) delete annotations[name];
    }
  }),
);

/** The defaults of the field `template` of a workload. */
export const podTemplateDefaults: Defaulter = inStruct(
  "template",
  withoutInitContainerAnnotations,
  inStruct("spec", podSpecDefaults),
);

/** Makes `serviceAccount` agree with `serviceAccountName`, of which it is the deprecated alias. */
function syncServiceAccount(spec: MutableJsonObject): void {
  const name = spec["serviceAccountName"] || spec["serviceAccount"];
  if (!name) return;
  spec["serviceAccountName"] ||= name;
  if (spec["serviceAccount"] !== name) spec["serviceAccount"] = name;
}
