import { textAt } from "../../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setKey,
  shallowCopy,
} from "../../../apimachinery/json.ts";
import { fieldPath } from "../../../patch/apply/field-filter.ts";
import type { MakeSubresourceRest } from "../../../registry/contract/kind-definition.ts";
import { scaleRest } from "../../../registry/subresources/scale.ts";
import { nestedValue } from "./scale-validation.ts";

/** The verbs of the scale subresource that a definition declares; `versions` are all versions of the kind. */
export function customResourceScale(scale: JsonObject, versions: readonly string[]): MakeSubresourceRest {
  const specPath = textAt(scale, "specReplicasPath");
  const statusPath = textAt(scale, "statusReplicasPath");
  const selectorPath = textAt(scale, "labelSelectorPath");
  const names = specPath.replace(/^\./, "").split(".");
  const path = fieldPath(names.join("."));
  return (stored, { gvk }, access) => {
    const rest = scaleRest(stored, { gvk }, access.served.current, {
      paths: new Map(versions.map((version) => [version, path])),
      read: (object) => {
        const selector = selectorPath === "" ? undefined : nestedValue(object, selectorPath, "string").value;
        return {
          spec: { replicas: nestedValue(object, specPath, "int64").value ?? 0 },
          status: {
            replicas: nestedValue(object, statusPath, "int64").value ?? 0,
            ...(typeof selector === "string" && selector !== "" && { selector }),
          },
        };
      },
      write: (object, replicas) => withValue(object, names, replicas),
    });
    if (rest === undefined) throw new Error("every release has autoscaling/v1 Scale");
    return rest;
  };
}

/** The object with another value at a path. */
function withValue<T extends JsonObject>(
  object: T,
  [name = "", ...inner]: readonly string[],
  value: JsonValue,
): T {
  const copy = shallowCopy(object);
  const before = object[name];
  const next = inner.length === 0 ? value : withValue(isJsonObject(before) ? before : {}, inner, value);
  setKey(copy, name, next);
  return copy;
}
