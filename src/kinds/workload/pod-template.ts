import { fieldForbidden, fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { joinedWording, wordingIn } from "../../apimachinery/errors/wording.ts";
import { structAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

/** The path of the pod template in most workloads. */
export const templatePath = "spec.template";

/** The pod template of a workload; an empty structure when it is not set. */
export function templateOf(workload: JsonObject): JsonObject {
  return structAt(structAt(workload, "spec"), "template");
}

/** Pods of a long-running workload must restart always and have no deadline. */
export function addRestartPolicyErrors(
  errors: Findings,
  template: JsonObject,
  path: string,
  kind: string,
): void {
  const restartPolicy = textAt(template, "spec", "restartPolicy");
  if (restartPolicy !== "Always") {
    errors.push(fieldNotSupported(child(path, "spec", "restartPolicy"), restartPolicy, ["Always"]));
  }
  if (valueAt(template, "spec", "activeDeadlineSeconds") !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldForbidden(child(path, "spec", "activeDeadlineSeconds"), detail));
  }
}

/** Warns about a name that is not a DNS label: pods derive their names and hostnames from it. */
export function podNameWarnings({ metadata }: KubeObject, { since }: FeatureGates): readonly string[] {
  const messages = dnsLabelMessages(metadata.name ?? "");
  if (messages.length === 0) return [];
  const advice = `a DNS label is recommended: [${wordingIn(since, joinedWording(messages, " "))}]`;
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; ${advice}`,
  ];
}

/** Whether the update incremented the generation. Upstream checks for warnings only then. */
export function hasNewGeneration(object: KubeObject, old: KubeObject): boolean {
  return object.metadata.generation !== old.metadata.generation;
}
