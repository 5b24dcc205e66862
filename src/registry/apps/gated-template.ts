import { objectAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { withoutDisabledFields } from "../core/pod-disabled-fields.ts";
import { defaultPodFeatures } from "../core/pod-spec-validation/pod-features.ts";
import type { Strategy } from "../strategy.ts";

const usualPath = ["spec", "template", "spec"];

/** As `base`, but that fields of the pods which are behind closed gates are dropped, unless they were there before. */
export function withGatedTemplate(base: Strategy, path: readonly string[] = usualPath): Strategy {
  return {
    ...base,
    prepareForCreate: (object, context) => {
      base.prepareForCreate(object, context);
      dropDisabledFields(object, undefined, path);
    },
    prepareForUpdate: (object, old, context) => {
      base.prepareForUpdate(object, old, context);
      dropDisabledFields(object, old, path);
    },
  };
}

function dropDisabledFields(
  workload: MutableKubeObject,
  old: KubeObject | undefined,
  path: readonly string[],
): void {
  const spec = objectAt(workload, ...path);
  if (spec === undefined) return;
  const kept = withoutDisabledFields(spec, old && objectAt(old, ...path), defaultPodFeatures);
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
