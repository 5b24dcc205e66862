import { booleanAt, objectAt, structAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { templateOf } from "../../workload/pod-template.ts";

/** The scheduling directives, which are mutable while a Job has not started. */
const specDirectives = ["nodeSelector", "tolerations", "schedulingGates"];
const metadataDirectives = ["annotations", "labels"];

/**
 * The pod template that an updated Job must have: the old one. While a Job is suspended and has never started, it takes
 * the scheduling directives of the new template.
 */
export function expectedTemplate(job: KubeObject, old: KubeObject): JsonObject {
  const before = templateOf(old);
  const isSuspended = booleanAt(old, "spec", "suspend");
  if (!isSuspended || valueAt(old, "status", "startTime") !== undefined) return before;
  const template = templateOf(job);
  const spec = withFieldsOf(structAt(before, "spec"), structAt(template, "spec"), specDirectives);
  setOrDelete(spec, "affinity", expectedAffinity(template, before));
  return {
    ...before,
    metadata: withFieldsOf(structAt(before, "metadata"), structAt(template, "metadata"), metadataDirectives),
    spec,
  };
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
