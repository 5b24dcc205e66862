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
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import { fillSystemFields, generatedName } from "../contract/system-fields.ts";
import { readBack, revisionPlaceholder, sealForStorage } from "./seal.ts";
import { refusal, validateObject } from "./validation.ts";

const nameAttempts = 8;

/**
 * What was created last of each resource. Most objects are like the one before, made of the same template: they share
 * with it what they have in common, which is kept once and judged once.
 */
const latest = new WeakMap<StoredResource, KubeObject>();

/**
 * Stores a new object, after the order of upstream's `Store.Create`: system fields, name, strategy, validation,
 * admission, storage. A generated name that is taken is drawn again, seven times.
 * @throws {StatusError} invalid, alreadyExists, or what admission says.
 */
export async function createObject(
  resource: StoredResource,
  namespace: string,
  object: MutableKubeObject,
  options: CreateOptions,
): Promise<Encodable> {
  const { generateName = "", name: givenName = "" } = object.metadata;
  const isGenerated = givenName === "" && generateName !== "";
  for (let attempt = 1; ; attempt += 1) {
    if (isGenerated) object.metadata.name = generatedName(generateName, resource.identifiers);
    const finish = resource.strategy.begin(object, undefined, options);
    try {
      const prepared = prepareForCreate(resource, object, options);
      await options.validateAdmission(prepared);
      const key = { namespace, name: prepared.metadata.name ?? "" };
      return await commitNew(resource, key, readBack(resource, prepared), options.dryRun);
    } catch (error) {
      if (!isGenerated || !isTaken(error)) throw error;
      const { name = "" } = object.metadata;
      if (attempt === nameAttempts) throw generateNameConflict(resource.definition.groupResource, name, 1);
    } finally {
      finish();
    }
  }
}

/** The object as it would be stored; upstream's `rest.BeforeCreate`. */
export function prepareForCreate(
  resource: StoredResource,
  object: MutableKubeObject,
  options: CreateOptions,
): KubeObject {
  fillSystemFields(object, options.now, resource.identifiers);
  resource.strategy.prepareForCreate(object, options);
  if (resource.strategy.countsGeneration !== undefined) object.metadata.generation = 1;
  const prepared = sealForStorage(resource, object, latest.get(resource));
  const errors = validateObject(resource, prepared);
  if (errors.length > 0) throw refusal(resource, prepared, errors);
  for (const text of resource.strategy.warningsOnCreate(prepared)) options.warn(text);
  return prepared;
}

async function commitNew(
  resource: StoredResource,
  key: ObjectKey,
  object: KubeObject,
  dryRun: boolean,
): Promise<Encodable> {
  const path = storageKey(resource.space, key);
  if (dryRun) {
    const current = resource.store.get(path);
    // What cannot be read does not stop a rehearsal.
    if (current !== undefined && !current.corrupt) throw taken(resource, current);
    return transient(withoutPlaceholder(object));
  }
  if (revisionOf(object) > 0n) {
    throw plainError(500, "resourceVersion should not be set on objects to be created");
  }
  const update = await resource.store.guaranteedUpdate(path, (current) => {
    if (current !== undefined) throw taken(resource, current);
    return { type: "put", value: object };
  });
  const { value = transient(object) } = update;
  latest.set(resource, value.value);
  return value;
}

/** An object of that name is there; one that is about to go is said to be. */
function taken(resource: StoredResource, { value: current, corrupt }: StoredObject): StatusError {
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

/** The revision that an object says it has; zero if it says none, or what is no number. */
function revisionOf({ metadata }: KubeObject): bigint {
  const { resourceVersion = "" } = metadata;
  const revision = /^0*\d{1,20}$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n;
  return revision < 2n ** 64n ? revision : 0n;
}

/** What a dry run answers was never stored, so it has no revision but what the client may have sent. */
export function withoutPlaceholder(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === revisionPlaceholder ? { ...object, metadata } : object;
}
