import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { EndedContainer, PodContainer } from "./pod-runtime.ts";

/**
 * Whether a container that has ended is started again: by the first of its rules that matches, by its policy, or by that of its pod. Upstream:
 * `ContainerShouldRestart` (pkg/api/v1/pod/util.go).
 */
export function mayRestart(
  pod: KubeObject,
  { role, spec }: PodContainer,
  { exitCode, isUnhealthy, isReplaced }: Pick<EndedContainer, "exitCode" | "isUnhealthy" | "isReplaced">,
): boolean {
  if (role === "ephemeral") return false;
  if (role === "sidecar" || isReplaced) return true;
  if (role === "init" && exitCode === 0) return false;
  if (restartAction(spec, exitCode) !== undefined) return true;
  const policy = textAt(spec, "restartPolicy") || textAt(pod, "spec", "restartPolicy");
  return policy === "Always" || (policy === "OnFailure" && (exitCode !== 0 || isUnhealthy === true));
}

/** What the first rule of a container that matches says; undefined if there is none. Those who store pods know no other actions. */
export function restartAction(
  container: JsonObject,
  exitCode: number,
): "Restart" | "RestartAllContainers" | undefined {
  const rule = listAt(container, "restartPolicyRules").find((one) => matches(one, exitCode));
  const action = rule?.["action"];
  return action === "Restart" || action === "RestartAllContainers" ? action : undefined;
}

function matches(rule: JsonObject, exitCode: number): boolean {
  const { operator, values } = objectAt(rule, "exitCodes") ?? {};
  const isListed = Array.isArray(values) && values.includes(exitCode);
  return operator === "In" ? isListed : operator === "NotIn" && !isListed;
}
