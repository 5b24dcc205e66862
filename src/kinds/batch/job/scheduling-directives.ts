import { booleanAt, integerAt, listAt, objectAt, structAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { templateOf } from "../../workload/pod-template.ts";

/** The scheduling directives, which are mutable while a Job has not started. */
const specDirectives = ["nodeSelector", "tolerations", "schedulingGates"];
const metadataDirectives = ["annotations", "labels"];

/**
 * The pod template that an updated Job must have: the old one, with what a suspended Job may change taken from the new one. Upstream:
 * pkg/registry/batch/job/strategy.go, `validationOptionsForJob`.
 */
export function expectedTemplate(job: KubeObject, old: KubeObject, gates: FeatureGates): JsonObject {
  const template = templateOf(job);
  const before = templateOf(old);
  const scheduled = mayChangeScheduling(old, gates) ? withDirectivesOf(before, template) : before;
  const mayChangeResources = gates.isEnabled("MutablePodResourcesForSuspendedJobs") && isSafelySuspended(old);
  return mayChangeResources ? withResourcesOf(scheduled, template) : scheduled;
}

function mayChangeScheduling(old: KubeObject, gates: FeatureGates): boolean {
  if (gates.isEnabled("MutableSchedulingDirectivesForSuspendedJobs")) return isSafelySuspended(old);
  return isSuspended(old) && !hasStarted(old) && gates.isEnabled("JobMutableNodeSchedulingDirectives");
}

const isSuspended = (job: KubeObject): boolean => booleanAt(job, "spec", "suspend");
const hasStarted = (job: KubeObject): boolean => valueAt(job, "status", "startTime") !== undefined;

/** Whether no pod of the old template is left, except for those that are going. */
function isSafelySuspended(job: KubeObject): boolean {
  if (!isSuspended(job) || integerAt(job, "status", "active") > 0) return false;
  const conditions = listAt(job, "status", "conditions");
  return !hasStarted(job) || conditions.some(({ type, status }) => type === "Suspended" && status === "True");
}

function withDirectivesOf(before: JsonObject, template: JsonObject): JsonObject {
  const spec = withFieldsOf(structAt(before, "spec"), structAt(template, "spec"), specDirectives);
  setOrDelete(spec, "affinity", expectedAffinity(template, before));
  return {
    ...before,
    metadata: withFieldsOf(structAt(before, "metadata"), structAt(template, "metadata"), metadataDirectives),
    spec,
  };
}

/** The same containers with new resources. */
function withResourcesOf(before: JsonObject, template: JsonObject): JsonObject {
  const spec: MutableJsonObject = { ...structAt(before, "spec") };
  for (const field of ["containers", "initContainers"]) {
    const containers = listAt(template, "spec", field);
    if (spec[field] === undefined) continue;
    spec[field] = listAt(spec, field).map((container, i) =>
      withFieldsOf(container, containers[i] ?? container, ["resources"]),
    );
  }
  return { ...before, spec };
}

/** Only node affinity is mutable. Without other affinities, the whole structure may be removed. */
function expectedAffinity(template: JsonObject, old: JsonObject): JsonValue | undefined {
  const affinity = objectAt(template, "spec", "affinity");
  const before = objectAt(old, "spec", "affinity");
  if (affinity === undefined) {
    if (before === undefined) return undefined;
    const others = withFieldsOf(before, {}, ["nodeAffinity"]);
    return Object.keys(others).length === 0 ? undefined : others;
  }
  return withFieldsOf(before ?? {}, affinity, ["nodeAffinity"]);
}

function withFieldsOf(object: JsonObject, other: JsonObject, fields: readonly string[]): MutableJsonObject {
  const result: MutableJsonObject = { ...object };
  for (const field of fields) setOrDelete(result, field, other[field]);
  return result;
}

function setOrDelete(object: MutableJsonObject, field: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
