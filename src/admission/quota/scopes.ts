import { listAt, objectAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import { amountsOf } from "../../registry/core/resource-amounts.ts";

interface Requirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a quota looks at this object: with scopes it looks at pods alone. */
export function isInScope(quota: KubeObject, gr: GroupResource, object: KubeObject): boolean {
  const requirements = requirementsOf(quota);
  if (requirements.length === 0) return true;
  if (gr.group !== "" || gr.resource !== "pods") return false;
  const spec = section(object, "spec");
  return requirements.every((requirement) => meets(spec, requirement));
}

function requirementsOf(quota: KubeObject): readonly Requirement[] {
  const spec = section(quota, "spec");
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
      return isBestEffort(spec);
    case "NotBestEffort":
      return !isBestEffort(spec);
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

/** No container asks for any processor or memory. */
function isBestEffort(spec: JsonObject): boolean {
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  return containers.every((container) =>
    (["requests", "limits"] as const).every((kind) => {
      const amounts = amountsOf(container, kind);
      return ["cpu", "memory"].every((name) => (amounts.get(name)?.sign ?? 0) === 0);
    }),
  );
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
