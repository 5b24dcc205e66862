import { badRequest } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { pathSegmentName } from "../../apimachinery/validation/names.ts";

/** The key of an object within its resource. The namespace is empty for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** The part of the store that holds a resource. */
export interface KeySpace {
  /** For example `/registry/configmaps/`. */
  readonly prefix: string;
  readonly namespaced: boolean;
}

/**
 * The storage key of an object.
 * @throws {StatusError} badRequest if a part is missing or is not a path segment
 */
export function storageKey(space: KeySpace, key: ObjectKey): string {
  if (space.namespaced && key.namespace === "") throw badRequest("Namespace parameter required.");
  if (key.name === "") throw badRequest("Name parameter required.");
  const messages = pathSegmentName(key.name, "name");
  if (messages.length > 0) {
    throw badRequest(`Name parameter invalid: ${goQuote(key.name)}: ${messages.join(";")}`);
  }
  return `${collectionPrefix(space, key.namespace)}${key.name}`;
}

/** The prefix of the keys in a namespace, or of all keys for the empty namespace. */
export function collectionPrefix(space: KeySpace, namespace: string): string {
  return space.namespaced && namespace !== "" ? `${space.prefix}${namespace}/` : space.prefix;
}
