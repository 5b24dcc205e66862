import { objectAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { withPreparation } from "../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../registry/contract/strategy.ts";
import { withoutDisabledProfiles } from "../pod-spec/edits/app-armor-annotations.ts";
import { withoutDisabledFields } from "../pod-spec/edits/pod-disabled-fields.ts";

const defaultPath = ["spec", "template", "spec"];

/**
 * Extends `base`: drops fields of the pod template whose feature gate is disabled, unless the old object sets them.
 */
export function withGatedTemplate(
  base: Strategy,
  gates: FeatureGates,
  path: readonly string[] = defaultPath,
): Strategy {
  return withPreparation(base, (object, old) => dropDisabledFields(object, old, gates, path));
}

function dropDisabledFields(
  workload: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
  path: readonly string[],
): void {
  edit(workload, old, path, (spec, before) => withoutDisabledFields(spec, before, gates));
  const metadata = [...path.slice(0, -1), "metadata"];
  edit(workload, old, metadata, (template, before) => withoutDisabledProfiles(template, before, gates));
}

function edit(
  workload: MutableKubeObject,
  old: KubeObject | undefined,
  path: readonly string[],
  editOne: (value: JsonObject, before: JsonObject | undefined) => JsonObject,
): void {
  const value = objectAt(workload, ...path);
  if (value === undefined) return;
  const kept = editOne(value, old && objectAt(old, ...path));
  if (kept === value) return;
  const [section = "", ...rest] = path;
  workload[section] = withValueAt(workload[section], rest, kept);
}

function withValueAt(
  value: JsonObject[string] | undefined,
  path: readonly string[],
  replacement: JsonObject,
): JsonObject {
  const [field, ...rest] = path;
  if (field === undefined || !isJsonObject(value)) return replacement;
  return { ...value, [field]: withValueAt(value[field], rest, replacement) };
}
