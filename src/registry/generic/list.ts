import { StorageError } from "../../store/storage-error.ts";
import { collectionPrefix, type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { ListQuery, ListResult } from "../contract/rest.ts";
import { selectionOf } from "../contract/selection-predicate.ts";
import { continueTooOld, futureRevision, listTooOld } from "../contract/storage-errors.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { cacheNotReady, corruptListError, isCacheReady, readsStorage } from "./corrupt-object.ts";
import { pinnedKey } from "./pinned-key.ts";

/** The revision of a token that continues at the latest revision. */
const inconsistent = -1;

/**
 * A page of a collection, in key order, at one revision. The limit counts selected objects.
 * @throws {StatusError} badRequest for a token of another collection, expired for a compacted revision; a 500 or 429
 * for corrupt objects
 */
export function listObjects(resource: StoredResource, query: ListQuery): ListResult {
  const isReady = isCacheReady(resource);
  if (!isReady && !readsStorage(query)) throw cacheNotReady();
  const key = pinnedKey(resource.space, query);
  if (key !== undefined) return listOne(resource, key, query);
  // The watch cache ignores the limit for "any version".
  const limit = isReady && query.freshness.at === "any" ? 0 : query.limit;
  return listPage(resource, { ...query, limit });
}

/** A list of the only object that can match, or an empty list. */
function listOne(resource: StoredResource, key: ObjectKey, query: ListQuery): ListResult {
  const { store, space } = resource;
  const at = revisionOf(query, undefined);
  const found = readAt(undefined, () => store.get(storageKey(space, key), at));
  if (found?.corrupt) throw corruptListError(resource, [found]);
  return {
    items: found !== undefined && query.predicate.selects(found) ? [found] : [],
    resourceVersion: String(at ?? store.revision),
    continueToken: undefined,
    remainingItemCount: undefined,
  };
}

function listPage(resource: StoredResource, query: ListQuery): ListResult {
  const { predicate, limit } = query;
  // A field selector can narrow a list to a namespace.
  const namespace = query.namespace !== "" ? query.namespace : (predicate.namespace ?? "");
  const prefix = collectionPrefix(resource.space, namespace);
  const token = query.continueToken === "" ? undefined : decodeContinueToken(query.continueToken);
  const at = revisionOf(query, token);
  const corrupt: StoredObject[] = [];
  const select = selectorOf(resource, query, corrupt);
  const { items, more, remaining, revision } = readAt(token, () =>
    resource.store.range({
      prefix,
      ...(token !== undefined && { start: prefix + token.start }),
      ...(limit > 0 && { limit }),
      ...(at !== undefined && { at }),
      select,
      selection: resource.store.hasCorrupt ? undefined : selectionOf(predicate),
    }),
  );
  if (corrupt.length > 0) throw corruptListError(resource, corrupt);
  const last = items.at(-1);
  const continues = more && last !== undefined;
  return {
    items,
    resourceVersion: String(revision),
    continueToken: continues
      ? encodeContinueToken({ revision, start: `${cacheSlash(query)}${last.key.slice(prefix.length)}\0` })
      : undefined,
    remainingItemCount: continues && predicate.isEmpty ? remaining : undefined,
  };
}

/** Selects the objects that match. Adds corrupt ones to `corrupt`. */
function selectorOf(
  { store }: StoredResource,
  { predicate }: ListQuery,
  corrupt: StoredObject[],
): ((stored: StoredObject) => boolean) | undefined {
  if (!store.hasCorrupt) {
    return predicate.isEmpty ? undefined : predicate.selects;
  }
  return (stored) => {
    if (stored.corrupt) corrupt.push(stored);
    return !stored.corrupt && predicate.selects(stored);
  };
}

/** In a token of the watch cache, the key starts with the slash after the collection. */
function cacheSlash({ freshness }: ListQuery): string {
  return freshness.at === "notOlderThan" ? "/" : "";
}

function revisionOf(query: ListQuery, token: ContinueToken | undefined): number | undefined {
  if (token !== undefined) return token.revision < 0 ? undefined : token.revision;
  return query.freshness.at === "exactly" ? query.freshness.revision : undefined;
}

function readAt<T>(token: ContinueToken | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.reason === "future") throw futureRevision();
    // The revision is compacted: a read fails for no other reason.
    if (token === undefined) throw listTooOld();
    throw continueTooOld(encodeContinueToken({ revision: inconsistent, start: token.start }));
  }
}
