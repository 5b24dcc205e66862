import { listAt, numberAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** What a pod failure policy says about a failed pod. */
export interface FailureVerdict {
  /** Why the whole Job fails; undefined if it does not. */
  readonly failsJob: string | undefined;
  readonly failsIndex: boolean;
  /** Whether the failure counts toward the limits. */
  readonly counts: boolean;
}

const counted: FailureVerdict = { failsJob: undefined, failsIndex: false, counts: true };

/** The verdict of the first rule that matches. Upstream: `matchPodFailurePolicy` (pkg/controller/job/pod_failure_policy.go). */
export function judgeFailure(job: KubeObject, pod: KubeObject): FailureVerdict {
  for (const [index, rule] of listAt(job, "spec", "podFailurePolicy", "rules").entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const action = textAt(rule, "action");
    const failsJob = `${match} matching ${action} rule at index ${index}`;
    if (action === "FailJob") return { ...counted, failsJob };
    if (action === "FailIndex") return { ...counted, failsIndex: true };
    return { ...counted, counts: action !== "Ignore" };
  }
  return counted;
}

/** The start of the message about a match; undefined without one. */
function matchOf(rule: JsonObject, pod: KubeObject): string | undefined {
  const { namespace, name } = pod.metadata;
  if (rule["onExitCodes"] !== undefined) {
    const status = failedContainer(structAt(rule, "onExitCodes"), pod);
    if (status === undefined) return undefined;
    const exitCode = numberAt(status, "state", "terminated", "exitCode");
    return `Container ${textAt(status, "name")} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
  }
  const patterns = listAt(rule, "onPodConditions");
  const condition = listAt(pod, "status", "conditions").find(({ type, status }) =>
    patterns.some((pattern) => pattern["type"] === type && (pattern["status"] ?? "True") === status),
  );
  return condition === undefined
    ? undefined
    : `Pod ${namespace}/${name} has condition ${textAt(condition, "type")}`;
}

function failedContainer(requirement: JsonObject, pod: KubeObject): JsonObject | undefined {
  const { containerName, operator, values } = requirement;
  const listed: readonly unknown[] = Array.isArray(values) ? values : [];
  const statuses = [
    ...listAt(pod, "status", "containerStatuses"),
    ...listAt(pod, "status", "initContainerStatuses"),
  ];
  return statuses.find((status) => {
    const exitCode = valueAt(status, "state", "terminated", "exitCode");
    if (exitCode === undefined || exitCode === 0) return false;
    if (containerName !== undefined && containerName !== status["name"]) return false;
    return listed.includes(exitCode) === (operator === "In");
  });
}
