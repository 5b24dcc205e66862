import { listAt, objectAt, structAt, textAt, textsAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ScopeRequirement } from "../../../registry/contract/quota-evaluator.ts";
import { selectsClass } from "../resource-quota/scope-requirement.ts";
import { qualityOfService } from "./pod-quality-of-service.ts";

/** Whether a pod meets a requirement of a quota's scopes. Upstream: pkg/quota/v1/evaluator/core/pods.go, podMatchesScopeFunc. */
export function matchesPodScope(pod: KubeObject, requirement: ScopeRequirement): boolean {
  const spec = structAt(pod, "spec");
  switch (requirement.scope) {
    case "Terminating":
      return isTerminating(spec);
    case "NotTerminating":
      return !isTerminating(spec);
    case "BestEffort":
      return qualityOfService(spec) === "BestEffort";
    case "NotBestEffort":
      return qualityOfService(spec) !== "BestEffort";
    case "PriorityClass":
      return selectsClass(requirement, textAt(spec, "priorityClassName"));
    case "CrossNamespacePodAffinity":
      return hasCrossNamespaceAffinity(spec);
    default:
      return false;
  }
}

function isTerminating(spec: JsonObject): boolean {
  return valueAt(spec, "activeDeadlineSeconds") !== undefined;
}

function hasCrossNamespaceAffinity(spec: JsonObject): boolean {
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const affinity = structAt(spec, "affinity", kind);
    const terms = [
      ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution").map((weighted) =>
        structAt(weighted, "podAffinityTerm"),
      ),
    ];
    return terms.some(
      (term) => textsAt(term, "namespaces").length > 0 || objectAt(term, "namespaceSelector") !== undefined,
    );
  });
}
