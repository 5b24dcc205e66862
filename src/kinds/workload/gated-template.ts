import { objectAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { withPreparation } from "../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../registry/contract/strategy.ts";
import { withoutDisabledFields } from "../pod-spec/edits/pod-disabled-fields.ts";

const usualPath = ["spec", "template", "spec"];

/** As `base`, but that fields of the pods which are behind closed gates are dropped, unless they were there before. */
export function withGatedTemplate(
  base: Strategy,
  gates: FeatureGates,
  path: readonly string[] = usualPath,
): Strategy {
  return withPreparation(base, (object, old) => dropDisabledFields(object, old, gates, path));
}

function dropDisabledFields(
  workload: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
  path: readonly string[],
): void {
  const spec = objectAt(workload, ...path);
  if (spec === undefined) return;
  const kept = withoutDisabledFields(spec, old && objectAt(old, ...path), gates);
  if (kept === spec) return;
  const [section = "", ...rest] = path;
  workload[section] = replaced(workload[section], rest, kept);
}

function replaced(
  value: JsonObject[string] | undefined,
  path: readonly string[],
  inner: JsonObject,
): JsonObject {
  const [field, ...rest] = path;
  if (field === undefined || !isJsonObject(value)) return inner;
  return { ...value, [field]: replaced(value[field], rest, inner) };
}
