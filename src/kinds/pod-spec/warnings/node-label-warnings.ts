import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";

const deprecatedLabels: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    "failure-domain.beta.kubernetes.io/region",
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    "failure-domain.beta.kubernetes.io/zone",
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    "beta.kubernetes.io/instance-type",
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  [
    "scheduler.alpha.kubernetes.io/preferAvoidPods",
    "deprecated since v1.22; use Taints and Tolerations instead",
  ],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** The warning about a deprecated node label; undefined for all others. */
export function nodeLabelDeprecation(label: string): string | undefined {
  return deprecatedLabels.get(label);
}

/** Warns about deprecated labels in a term, and about invalid label values where validation accepts them. */
export function nodeTermWarnings(
  term: JsonObject,
  path: string,
  values: "checked" | "unchecked",
): readonly string[] {
  const warnings: string[] = [];
  listAt(term, "matchExpressions").forEach((expression, i) => {
    const at = index(child(path, "matchExpressions"), i);
    const key = textAt(expression, "key");
    const deprecation = nodeLabelDeprecation(key);
    if (deprecation !== undefined) warnings.push(`${child(at, "key")}: ${key} is ${deprecation}`);
    if (values === "unchecked") return;
    textsAt(expression, "values").forEach((value, j) => {
      const field = index(child(at, "values"), j);
      for (const message of labelValueMessages(value)) {
        warnings.push(`${field}: ${value} is invalid, ${message}`);
      }
    });
  });
  return warnings;
}
