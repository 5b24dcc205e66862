import { internalError, StatusError, tooManyRequests } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { StatusCause } from "../../apimachinery/status.ts";
import type { ListQuery } from "../contract/rest.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";

/** With this gate open the server says which objects are corrupt, and lets them be deleted. */
const gate = "AllowUnsafeMalformedObjectDeletion";

/** What upstream says of data that is encrypted with a key which nobody gave it. */
const unreadable = "identity transformer tried to read encrypted data";
const untransformable = `data from the storage is not transformable revision=0: ${unreadable}`;

/** A list names as many corrupt objects at most, and says that there are more. */
const mostNamed = 100;
const tooManyCause: StatusCause = {
  reason: "FieldValueTooMany",
  message: "too many errors, the list is truncated",
};

/** @throws {StatusError} a 500 for an object that cannot be read, as get and delete answer it */
export function checkReadable({ gates }: StoredResource, stored: StoredObject | undefined): void {
  if (!stored?.corrupt) return;
  // Who reads one object knows its key without the root of all keys.
  const key = stored.key.replace(/^\/registry/, "");
  throw internalError(gates.isEnabled(gate) ? corruptObject(key) : unreadable);
}

/** @throws {StatusError} a 500 for an object that cannot be read, as update and patch answer it */
export function checkUpdatable({ gates }: StoredResource, stored: StoredObject | undefined): void {
  if (stored?.corrupt) throw internalError(gates.isEnabled(gate) ? untransformable : unreadable);
}

/** The answer to a list that met corrupt objects, in the order of their keys. */
export function unreadableList(resource: StoredResource, corrupt: readonly StoredObject[]): StatusError {
  const [first] = corrupt;
  if (!resource.gates.isEnabled(gate)) {
    return internalError(`unable to transform key ${goQuote(first?.key ?? "")}: ${unreadable}`);
  }
  const { groupResource } = resource.definition;
  const named = corrupt.slice(0, mostNamed).map(({ key }) => ({
    reason: "UnexpectedServerResponse",
    message: corruptObject(key),
    field: key,
  }));
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `failed to read one or more ${formatGroupResource(groupResource)} from the storage`,
    reason: "StorageReadError",
    details: {
      name: "list",
      ...(groupResource.group !== "" && { group: groupResource.group }),
      kind: groupResource.resource,
      causes: corrupt.length > mostNamed ? [...named, tooManyCause] : named,
    },
    code: 500,
  });
}

function corruptObject(key: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${untransformable}`;
}

/** Whether upstream's watch cache could be filled: not while any object of the resource is corrupt. */
export function isCacheReady({ store, space }: StoredResource): boolean {
  if (!store.hasCorrupt) return true;
  const { items } = store.range({ prefix: space.prefix, select: ({ corrupt }) => corrupt, limit: 1 });
  return items.length === 0;
}

/** What is answered to who can be served from the cache alone. */
export function cacheNotReady(): StatusError {
  return tooManyRequests("storage is (re)initializing", 1);
}

/** Whether storage itself answers a list, whatever becomes of the cache. */
export function readsStorage({ continueToken, freshness, predicate, limit }: ListQuery): boolean {
  return continueToken !== "" || freshness.at === "exactly" || (predicate.isEmpty && limit > 0);
}
