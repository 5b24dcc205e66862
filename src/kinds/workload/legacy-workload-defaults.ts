import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, inStruct, sentStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../pod-spec/defaults/pod-spec-defaults.ts";
import { labelAsTemplate, templateLabels } from "./template-labels.ts";
import { statefulSetSpecDefaults, whenRolling } from "./workload-defaults.ts";

/** For int32, never. */
const never = 2 ** 31 - 1;

/** Before apps/v1beta2 a workload selects what its template makes, unless it says otherwise. */
const selectAsTemplate: Defaulter = (workload) => {
  const matchLabels = templateLabels(workload);
  const spec = sentStruct(workload, "spec");
  if (matchLabels !== undefined && spec !== undefined) spec["selector"] ??= { matchLabels };
};

const fromTemplate = all(selectAsTemplate, labelAsTemplate);

/** Deployment of apps/v1beta1 */
export const appsBetaDeploymentDefaults: Defaulter = all(
  fromTemplate,
  inStruct(
    "spec",
    whenUnset({ replicas: 1, revisionHistoryLimit: 2, progressDeadlineSeconds: 600 }),
    inStruct(
      "strategy",
      whenZero({ type: "RollingUpdate" }),
      whenRolling(whenUnset({ maxUnavailable: "25%", maxSurge: "25%" })),
    ),
    podTemplateDefaults,
  ),
);

/** StatefulSet of apps/v1beta1 */
export const appsBetaStatefulSetDefaults: Defaulter = all(
  fromTemplate,
  inStruct("spec", inStruct("updateStrategy", whenZero({ type: "OnDelete" })), statefulSetSpecDefaults),
);

/** Deployment of extensions/v1beta1 */
export const extensionsDeploymentDefaults: Defaulter = all(
  fromTemplate,
  inStruct(
    "spec",
    whenUnset({ replicas: 1, revisionHistoryLimit: never, progressDeadlineSeconds: never }),
    inStruct("strategy", whenZero({ type: "RollingUpdate" }), oneAtATime),
    podTemplateDefaults,
  ),
);

/** ReplicaSet of extensions/v1beta1 */
export const extensionsReplicaSetDefaults: Defaulter = all(
  fromTemplate,
  inStruct("spec", whenUnset({ replicas: 1 }), podTemplateDefaults),
);

/** DaemonSet of extensions/v1beta1 */
export const extensionsDaemonSetDefaults: Defaulter = all(
  fromTemplate,
  inStruct(
    "spec",
    whenUnset({ revisionHistoryLimit: 10 }),
    inStruct("updateStrategy", whenZero({ type: "OnDelete" }), whenRolling(whenUnset({ maxUnavailable: 1 }))),
    podTemplateDefaults,
  ),
);

const rollOneByOne = inStruct("rollingUpdate", whenUnset({ maxUnavailable: 1, maxSurge: 1 }));

/** Parameters that were sent are filled whatever the type is. */
function oneAtATime(strategy: MutableJsonObject): void {
  if (strategy["type"] === "RollingUpdate" || strategy["rollingUpdate"] !== undefined) rollOneByOne(strategy);
}
