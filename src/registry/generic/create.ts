import {
  alreadyExists,
  generateNameConflict,
  plainError,
  StatusError,
} from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { CreateOptions } from "../contract/rest.ts";
import { encodeForStorage } from "../contract/storage-codec.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import type { StrategyContext } from "../contract/strategy.ts";
import { fillSystemFields, generatedName, wipeClusterName } from "../contract/system-fields.ts";
import { readBack, revisionPlaceholder, sealForStorage } from "./seal.ts";
import { withinStorageLimit } from "./storage-limit.ts";
import { invalidObject, validateObject } from "./validation.ts";

const nameAttempts = 8;

/**
 * Stores a new object with the steps of upstream's `Store.Create`: system fields, name, strategy, validation,
 * admission, storage. After a conflict, it generates another name up to seven times.
 * @throws {StatusError} forbidden, invalid, alreadyExists, or the error of admission
 */
export async function createObject(
  resource: StoredResource,
  namespace: string,
  object: MutableKubeObject,
  options: CreateOptions,
): Promise<Encodable> {
  const at = { namespace, name: "" };
  const authorizing = resource.strategy.authorizeWrite?.(object, undefined, at, options.user);
  if (authorizing !== undefined) await authorizing;
  const { generateName = "", name: givenName = "", resourceVersion: sentVersion } = object.metadata;
  const isGenerated = givenName === "" && generateName !== "";
  for (let attempt = 1; ; attempt += 1) {
    if (isGenerated) object.metadata.name = generatedName(generateName, resource.identifiers);
    const finish = resource.strategy.beginWrite(object, undefined, options);
    try {
      const prepared = prepareForCreate(resource, object, options);
      await options.validateAdmission(prepared);
      const key = { namespace, name: prepared.metadata.name ?? "" };
      const encoded = encodeForStorage(resource, readBack(resource, prepared));
      const stored = encoded instanceof Promise ? await encoded : encoded;
      return await commitNew(resource, key, stored, options.dryRun, sentVersion);
    } catch (error) {
      if (!isGenerated || !isTaken(error)) throw error;
      const { name = "" } = object.metadata;
      if (attempt === nameAttempts) throw generateNameConflict(resource.definition.groupResource, name, 1);
    } finally {
      finish();
    }
  }
}

/** Prepares the object for storage. Upstream: `rest.BeforeCreate`. */
export function prepareForCreate(
  resource: StoredResource,
  object: MutableKubeObject,
  options: CreateOptions,
): KubeObject {
  fillSystemFields(object, options.now, resource.identifiers);
  return prepareNew(resource, object, options);
}

/** Prepares an object that has its uid and its time of creation. */
export function prepareNew(
  resource: StoredResource,
  object: MutableKubeObject,
  options: StrategyContext,
): KubeObject {
  resource.strategy.prepareForCreate(object, options);
  wipeClusterName(object, resource.gates, options);
  if (resource.strategy.countsGeneration !== undefined) object.metadata.generation = 1;
  const prepared = sealForStorage(resource, object, resource.latest.object);
  const errors = validateObject(resource, prepared);
  if (errors.length > 0) throw invalidObject(resource, prepared, errors, object);
  for (const text of resource.strategy.warningsOnCreate(prepared)) options.warn(text);
  return prepared;
}

async function commitNew(
  resource: StoredResource,
  key: ObjectKey,
  object: KubeObject,
  dryRun: boolean,
  sentVersion: string | undefined,
): Promise<Encodable> {
  const path = storageKey(resource.space, key);
  if (dryRun) {
    const current = resource.store.get(path);
    // A dry run ignores a corrupt object.
    if (current !== undefined && !current.corrupt) throw alreadyExistsError(resource, current);
    return transient(withoutPlaceholder(object, sentVersion));
  }
  if (revisionOf(object) > 0n) {
    throw plainError(500, "resourceVersion should not be set on objects to be created");
  }
  const limited = withinStorageLimit(resource, object, {
    path,
    replaces: undefined,
    dropsManagedFields: true,
  });
  const value = limited instanceof Promise ? await limited : limited;
  const update = await resource.store.guaranteedUpdate(path, (current) => {
    if (current !== undefined) throw alreadyExistsError(resource, current);
    return { type: "put", value };
  });
  const { value: stored = transient(value) } = update;
  resource.latest.replace(stored.value);
  return stored;
}

/** The error for a name that exists; the message differs if that object is being deleted. */
function alreadyExistsError(
  resource: StoredResource,
  { value: current, corrupt }: StoredObject,
): StatusError {
  const gr = resource.definition.groupResource;
  const name = current.metadata.name ?? "";
  const error = alreadyExists(gr, name);
  if (corrupt || !current.metadata.deletionTimestamp) return error;
  const message = `object is being deleted: ${formatGroupResource(gr)} ${goQuote(name)} already exists`;
  return new StatusError({ ...error.status, message });
}

function isTaken(error: unknown): boolean {
  return error instanceof StatusError && error.status.reason === "AlreadyExists";
}

/** The resourceVersion of an object as a number; zero if it is absent or not a number. */
function revisionOf({ metadata }: KubeObject): bigint {
  const { resourceVersion = "" } = metadata;
  const revision = /^0*\d{1,20}$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n;
  return revision < 2n ** 64n ? revision : 0n;
}

/** The result of a dry run was not stored, so it has only the resourceVersion that the client sent, which may be 0. */
export function withoutPlaceholder(object: KubeObject, sentVersion: string | undefined): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  const isPlaceholder = resourceVersion === revisionPlaceholder && sentVersion !== revisionPlaceholder;
  return isPlaceholder ? { ...object, metadata } : object;
}
