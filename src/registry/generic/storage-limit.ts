import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { StorageWrite } from "./storage-size.ts";

/** Fewer characters than this fit, whatever they are: one may need six bytes, as `\u0001` in JSON. */
const alwaysFits = (1.5 * 1024 * 1024) / 6;

/**
 * The object as storage accepts it: without its managedFields if it is too large with them. Few objects are large, so the others are
 * only weighed.
 * @throws {StatusError} 500 with the message of etcd or of its client
 */
export function withinStorageLimit(
  resource: StoredResource,
  object: KubeObject,
  write: StorageWrite,
): KubeObject | Promise<KubeObject> {
  if (weightOf(object, alwaysFits) < alwaysFits) return object;
  return import("./storage-size.ts").then(({ measured }) => measured(resource, object, write));
}

/** A little more than the characters of a value, as far as `most`. */
function weightOf(value: JsonValue | undefined, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let weight = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weightOf(item, most - weight) + 1;
      if (weight >= most) return weight;
    }
    return weight;
  }
  for (const name of Object.keys(value)) {
    weight +=
      name.length + 4 + weightOf((value as { readonly [name: string]: JsonValue })[name], most - weight);
    if (weight >= most) return weight;
  }
  return weight;
}
