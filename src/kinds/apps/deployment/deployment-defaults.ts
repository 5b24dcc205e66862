import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { annotatedInteger } from "../../workload/annotated-integer.ts";
import { rollingUpdateDefaults } from "../../workload/rolling-update-defaults.ts";
import { selectorAndLabelsFromTemplate } from "../../workload/template-labels.ts";

/** The largest int32, which means that there is no limit. */
const unlimited = 2 ** 31 - 1;

const quarterAtATime = inStruct(
  "strategy",
  whenZero({ type: "RollingUpdate" }),
  rollingUpdateDefaults(whenUnset({ maxUnavailable: "25%", maxSurge: "25%" })),
);

const oneAtATime = inStruct("rollingUpdate", whenUnset({ maxUnavailable: 1, maxSurge: 1 }));

/** Deployment of apps/v1 and apps/v1beta2. Upstream: pkg/apis/apps/v1/defaults.go, SetDefaults_Deployment. */
export const deploymentDefaults: Defaulter = all(
  ifSet("metadata", ifSet("annotations", canonicalRollback)),
  inStruct(
    "spec",
    whenUnset({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
    quarterAtATime,
    podTemplateDefaults,
  ),
);

const rollbackAnnotation = "deprecated.deployment.rollback.to";

/**
 * Gives the annotation for the field `rollbackTo` of older versions its canonical form: the internal type has the field.
 * @throws {StatusError} badRequest for an annotation that is not a number
 */
function canonicalRollback(annotations: MutableJsonObject): void {
  const text = annotations[rollbackAnnotation];
  if (text === undefined) return;
  if (text === "") delete annotations[rollbackAnnotation];
  else {
    const cause = `failed to parse annotation[${rollbackAnnotation}]=${text} as int64: `;
    annotations[rollbackAnnotation] = String(annotatedInteger("Deployment", String(text), cause));
  }
}

/** Deployment of apps/v1beta1. Upstream: pkg/apis/apps/v1beta1/defaults.go, SetDefaults_Deployment. */
export const appsBetaDeploymentDefaults: Defaulter = all(
  selectorAndLabelsFromTemplate,
  inStruct(
    "spec",
    whenUnset({ replicas: 1, revisionHistoryLimit: 2, progressDeadlineSeconds: 600 }),
    quarterAtATime,
    podTemplateDefaults,
  ),
);

/** Deployment of extensions/v1beta1. Upstream: pkg/apis/extensions/v1beta1/defaults.go, SetDefaults_Deployment. */
export const extensionsDeploymentDefaults: Defaulter = all(
  selectorAndLabelsFromTemplate,
  inStruct(
    "spec",
    whenUnset({ replicas: 1, revisionHistoryLimit: unlimited, progressDeadlineSeconds: unlimited }),
    inStruct("strategy", whenZero({ type: "RollingUpdate" }), extensionsRollingUpdateDefaults),
    podTemplateDefaults,
  ),
);

/** A `rollingUpdate` that was sent gets its defaults with any type of strategy. */
function extensionsRollingUpdateDefaults(strategy: MutableJsonObject): void {
  if (strategy["type"] === "RollingUpdate" || strategy["rollingUpdate"] !== undefined) oneAtATime(strategy);
}
