import { StorageError } from "../../store/storage-error.ts";
import type { ListQuery, ListResult } from "../rest.ts";
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { collectionPrefix } from "./object-key.ts";
import { continueTooOld, futureRevision, listTooOld } from "./storage-errors.ts";
import type { StoredObject, StoredResource } from "./stored-resource.ts";

/** A token of this revision goes on at the newest state. */
const inconsistent = -1;

/**
 * One page of a collection, in key order, as of one revision. A selector filters before the limit counts.
 * @throws {StatusError} badRequest for a foreign token, expired when the revision is compacted away.
 */
export function listObjects(resource: StoredResource, query: ListQuery): ListResult {
  const { predicate, limit } = query;
  const namespace = query.namespace !== "" ? query.namespace : narrowedNamespace(resource, query);
  const prefix = collectionPrefix(resource.space, namespace);
  const token = query.continueToken === "" ? undefined : decodeContinueToken(query.continueToken);
  const at = revisionOf(query, token);
  const { items, more, remaining, revision } = readPage(token, () =>
    resource.store.range({
      prefix,
      ...(token !== undefined && { start: prefix + token.start }),
      ...(limit > 0 && { limit }),
      ...(at !== undefined && { at }),
      ...(!predicate.isEmpty && { select: (stored: StoredObject) => predicate.matches(stored.value) }),
    }),
  );
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

/** The watch cache counts the slash between collection and name to the name. */
function cacheSlash({ freshness }: ListQuery): string {
  return freshness.at === "notOlderThan" ? "/" : "";
}

/** A field selector on the namespace reads that namespace alone. */
function narrowedNamespace(resource: StoredResource, query: ListQuery): string {
  return resource.space.namespaced ? (query.predicate.namespace ?? "") : "";
}

function revisionOf(query: ListQuery, token: ContinueToken | undefined): number | undefined {
  if (token !== undefined) return token.revision === inconsistent ? undefined : token.revision;
  return query.freshness.at === "exactly" ? query.freshness.revision : undefined;
}

function readPage<T>(token: ContinueToken | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.reason === "future") throw futureRevision();
    if (error.reason !== "compacted") throw error;
    if (token === undefined) throw listTooOld();
    throw continueTooOld(encodeContinueToken({ revision: inconsistent, start: token.start }));
  }
}
