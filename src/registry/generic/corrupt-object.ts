import { internalError, plainError, StatusError, tooManyRequests } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { StatusCause } from "../../apimachinery/status.ts";
import type { ListQuery } from "../contract/rest.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";

/** With this gate, the server reports corrupt objects and allows to delete them. */
const gate = "AllowUnsafeMalformedObjectDeletion";

/** Upstream's message for data that is encrypted with an unknown key. */
const unreadable = "identity transformer tried to read encrypted data";
const untransformable = `data from the storage is not transformable revision=0: ${unreadable}`;

/** The maximum number of corrupt objects that a list error names. */
const maxNamed = 100;
const tooManyCause: StatusCause = {
  reason: "FieldValueTooMany",
  message: "too many errors, the list is truncated",
};

/** @throws {StatusError} a 500 for a corrupt object, as get and delete report it */
export function checkReadable({ gates }: StoredResource, stored: StoredObject | undefined): void {
  if (!stored?.corrupt) return;
  const isReported = gates.isEnabled(gate);
  if (stored.stale?.unreadable !== undefined && !isReported) throw plainError(500, stored.stale.unreadable);
  // Reads of one object report the key without the prefix of the storage.
  const key = stored.key.replace(/^\/registry/, "");
  throw internalError(isReported ? corruptObject(key, stored) : unreadable);
}

/** @throws {StatusError} a 500 for a corrupt object, as update and patch report it */
export function checkUpdatable({ gates }: StoredResource, stored: StoredObject | undefined): void {
  if (!stored?.corrupt) return;
  const isReported = gates.isEnabled(gate);
  if (stored.stale?.unreadable !== undefined && !isReported) throw plainError(500, stored.stale.unreadable);
  throw internalError(isReported ? problemOf(stored) : unreadable);
}

/** The error for a list with corrupt objects, in key order. */
export function corruptListError(resource: StoredResource, corrupt: readonly StoredObject[]): StatusError {
  const [first] = corrupt;
  if (!resource.gates.isEnabled(gate)) {
    const unknown = first?.stale?.unreadable;
    // A version that the release does not know is a plain error of the decoder.
    if (unknown !== undefined) return plainError(500, unknown);
    return internalError(`unable to transform key ${goQuote(first?.key ?? "")}: ${unreadable}`);
  }
  const { groupResource } = resource.definition;
  const named = corrupt.slice(0, maxNamed).map((stored) => ({
    reason: "UnexpectedServerResponse",
    message: corruptObject(stored.key, stored),
    field: stored.key,
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
      causes: corrupt.length > maxNamed ? [...named, tooManyCause] : named,
    },
    code: 500,
  });
}

function corruptObject(key: string, stored: StoredObject): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${problemOf(stored)}`;
}

/** What upstream could not do with the stored data: decode its version, or decrypt it. */
function problemOf({ stale }: StoredObject): string {
  return stale?.unreadable === undefined
    ? untransformable
    : `object not decodable revision=0: ${stale.unreadable}`;
}

/** Whether upstream's watch cache would be initialized, which fails while an object of the resource is corrupt. */
export function isCacheReady({ store, space }: StoredResource): boolean {
  if (!store.hasCorrupt) return true;
  const { items } = store.range({ prefix: space.prefix, select: ({ corrupt }) => corrupt, limit: 1 });
  return items.length === 0;
}

/** The error for a request that only the watch cache can serve. */
export function cacheNotReady(): StatusError {
  return tooManyRequests("storage is (re)initializing", 1);
}

/** Whether storage serves the list, whatever the state of the watch cache. */
export function readsStorage({ continueToken, freshness, predicate, limit }: ListQuery): boolean {
  return continueToken !== "" || freshness.at === "exactly" || (predicate.isEmpty && limit > 0);
}
