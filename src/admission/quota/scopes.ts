import { listAt, objectAt, structAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { qualityOfService } from "../../kinds/core/pod/pod-quality-of-service.ts";

interface Requirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a quota looks at this object: with scopes it looks at pods, or at claims for volumes of some class. */
export function isInScope(quota: KubeObject, gr: GroupResource, object: KubeObject): boolean {
  const requirements = requirementsOf(quota);
  if (requirements.length === 0) return true;
  if (gr.group !== "") return false;
  if (gr.resource === "persistentvolumeclaims") {
    const classes = attributesClassesOf(object);
    return requirements.every(({ scope, operator, values }) => {
      return scope === "VolumeAttributesClass" && classes.some((name) => isSelected(name, operator, values));
    });
  }
  const spec = structAt(object, "spec");
  return gr.resource === "pods" && requirements.every((requirement) => meets(spec, requirement));
}

/** The class that a claim wants, has, or is given; an empty name for none at all. */
function attributesClassesOf(claim: KubeObject): readonly string[] {
  const names = [
    textAt(claim, "spec", "volumeAttributesClassName"),
    textAt(claim, "status", "currentVolumeAttributesClassName"),
    textAt(claim, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ].filter((name) => name !== "");
  return names.length === 0 ? [""] : names;
}

function requirementsOf(quota: KubeObject): readonly Requirement[] {
  const spec = structAt(quota, "spec");
  const scopes = textsAt(spec, "scopes").map((scope) => ({ scope, operator: "Exists", values: [] }));
  const expressions = listAt(spec, "scopeSelector", "matchExpressions").map((expression) => ({
    scope: textAt(expression, "scopeName"),
    operator: textAt(expression, "operator"),
    values: textsAt(expression, "values"),
  }));
  return [...scopes, ...expressions];
}

function meets(spec: JsonObject, { scope, operator, values }: Requirement): boolean {
  switch (scope) {
    case "Terminating":
      return isTerminating(spec);
    case "NotTerminating":
      return !isTerminating(spec);
    case "BestEffort":
      return qualityOfService(spec) === "BestEffort";
    case "NotBestEffort":
      return qualityOfService(spec) !== "BestEffort";
    case "PriorityClass":
      return isSelected(textAt(spec, "priorityClassName"), operator, values);
    case "CrossNamespacePodAffinity":
      return looksAcrossNamespaces(spec);
    default:
      return false;
  }
}

function isTerminating(spec: JsonObject): boolean {
  return valueAt(spec, "activeDeadlineSeconds") !== undefined;
}

function isSelected(className: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case "Exists":
      return className !== "";
    case "DoesNotExist":
      return className === "";
    case "In":
      return className !== "" && values.includes(className);
    case "NotIn":
      return !values.includes(className);
    default:
      return false;
  }
}

function looksAcrossNamespaces(spec: JsonObject): boolean {
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const affinity = objectAt(spec, "affinity", kind) ?? {};
    const terms = [
      ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution").map(
        (weighted) => objectAt(weighted, "podAffinityTerm") ?? {},
      ),
    ];
    return terms.some(
      (term) => textsAt(term, "namespaces").length > 0 || objectAt(term, "namespaceSelector") !== undefined,
    );
  });
}
