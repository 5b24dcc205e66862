import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** Whether a container that ended with an exit code can run again. */
type CanRestart = (name: string, exitCode: number) => boolean;

/**
 * A terminated container must stay terminated unless the restart policies allow it to run again. Ephemeral containers
 * never restart. Upstream: pkg/apis/core/validation/validation.go, ValidateContainerStateTransition.
 */
export function addRestarts(
  errors: Findings,
  status: JsonObject,
  old: JsonObject,
  spec: JsonObject,
  gates: FeatureGates,
): void {
  for (const [statuses, list] of [
    ["containerStatuses", "containers"],
    ["initContainerStatuses", "initContainers"],
  ] as const) {
    addRestartsOf(errors, status, old, statuses, restartsOf(spec, list, gates));
  }
  addRestartsOf(errors, status, old, "ephemeralContainerStatuses", () => false);
}

function addRestartsOf(
  errors: Findings,
  status: JsonObject,
  old: JsonObject,
  list: string,
  mayRestart: CanRestart,
): void {
  listAt(old, list).forEach((before, i) => {
    const name = textAt(before, "name");
    const terminated = objectAt(before, "state", "terminated");
    if (terminated === undefined || mayRestart(name, numberAt(terminated, "exitCode"))) return;
    for (const now of listAt(status, list)) {
      if (textAt(now, "name") !== name || objectAt(now, "state", "terminated")) continue;
      const field = child(index(child("status", list), i), "state");
      errors.push(fieldForbidden(field, "may not be transitioned to non-terminated state"));
    }
  });
}

/**
 * The restart rules and the policy of a container take precedence over the policy of the pod. Sidecars always restart.
 */
function restartsOf(spec: JsonObject, list: string, gates: FeatureGates): CanRestart {
  if (gates.isEnabled("RestartAllContainersOnContainerExits") && restartsAll(spec)) return () => true;
  const hasOwn = gates.isEnabled("ContainerRestartRules");
  const containers = new Map(listAt(spec, list).map((container) => [textAt(container, "name"), container]));
  return (name, exitCode) => {
    const container = containers.get(name) ?? {};
    if (hasOwn && listAt(container, "restartPolicyRules").find(isAbout(exitCode))?.["action"] === "Restart") {
      return true;
    }
    const own = hasOwn || list === "initContainers" ? textAt(container, "restartPolicy") : "";
    const policy = own || textAt(spec, "restartPolicy");
    return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
  };
}

function restartsAll(spec: JsonObject): boolean {
  return [...listAt(spec, "containers"), ...listAt(spec, "initContainers")].some((container) =>
    listAt(container, "restartPolicyRules").some(({ action }) => action === "RestartAllContainers"),
  );
}

function isAbout(exitCode: number): (rule: JsonObject) => boolean {
  return (rule) => {
    const { operator, values } = objectAt(rule, "exitCodes") ?? {};
    const isListed = Array.isArray(values) && values.includes(exitCode);
    return operator === "NotIn" ? !isListed : isListed;
  };
}
