import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Part, rememberedByPart } from "../../sharing/remembered-by-part.ts";
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
  if (weightOfObject(object, alwaysFits) < alwaysFits) return object;
  return import("./storage-size.ts").then(({ measured }) => measured(resource, object, write));
}

/** A little more than the characters of an object, as far as `most`. Its fields and those of its metadata can be shared parts. */
function weightOfObject({ metadata, ...fields }: KubeObject, most: number): number {
  return weightOfParts(fields, most) + weightOfParts(metadata, most);
}

function weightOfParts(parts: JsonObject, most: number): number {
  let weight = 0;
  for (const name in parts) {
    const part = parts[name];
    weight += name.length + 4 + (isPart(part) ? weightOfPart(part) : weightOf(part, most));
    if (weight >= most) return weight;
  }
  return weight;
}

function isPart(value: JsonValue | undefined): value is Part {
  return typeof value === "object" && value !== null;
}

/** Most writes leave the spec or the status as it was. */
const weightOfPart = rememberedByPart((part: Part) => weightOf(part, alwaysFits));

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
  const object = value as JsonObject; // It is no list.
  for (const name in object) {
    const field = object[name];
    weight += name.length + 4;
    // Most fields are scalars, which need no call.
    if (typeof field === "string") weight += field.length + 2;
    else weight += typeof field === "object" ? weightOf(field, most - weight) : 8;
    if (weight >= most) return weight;
  }
  return weight;
}
