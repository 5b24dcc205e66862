import { fieldForbidden, fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { structAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { child } from "../../apimachinery/validation/field-path.ts";
import { dnsLabelMessages } from "../../apimachinery/validation/names.ts";
import type { Findings } from "../findings/findings.ts";

/** Where the template of most workloads is. */
export const templatePath = "spec.template";

/** The template of most workloads; an empty one when there is none. */
export function templateOf(workload: JsonObject): JsonObject {
  return structAt(structAt(workload, "spec"), "template");
}

/** Pods that a controller keeps running restart, and have no deadline. */
export function addUnlessAlwaysRunning(
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

/** The name of a workload becomes part of those of its pods, which become host names. */
export function podNameWarnings({ metadata }: KubeObject): readonly string[] {
  const messages = dnsLabelMessages(metadata.name ?? "");
  if (messages.length === 0) return [];
  const advice = `a DNS label is recommended: [${messages.join(" ")}]`;
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; ${advice}`,
  ];
}

/** Whether a change counted a generation; upstream looks for what to warn of only then. */
export function hasNewGeneration(object: KubeObject, old: KubeObject): boolean {
  return object.metadata.generation !== old.metadata.generation;
}
