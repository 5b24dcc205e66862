import { structAt } from "../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  jsonCopy,
  jsonEqual,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { addAll, type Findings } from "../../apimachinery/validation/findings.ts";
import { addNameErrors } from "../../apimachinery/validation/object-meta-validation.ts";
import { sharePartsOf } from "../../sharing/shared-parts.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { SeedOptions } from "../contract/rest.ts";
import { decodeStored, encodeForStorage } from "../contract/storage-codec.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { prepareNew } from "./create.ts";
import { readBack, revisionPlaceholder, sealForStorage } from "./seal.ts";
import { prepareForUpdate } from "./update.ts";
import { invalidObject, validateObjectUpdate } from "./validation.ts";

/**
 * Stores an object with the values that it gives. Defaults and the canonical form apply to all origins:
 *
 * | an object | is prepared and validated |
 * | --- | --- |
 * | from a server | not at all, except for missing status or spec, and as an update without changes: a server stores objects that it would not create, such as pods with ephemeral containers |
 * | from a manifest, new | as a create, which allocates what the object does not give |
 * | from a manifest, known | as an update |
 * | of an earlier cluster | not at all: that cluster did it |
 *
 * The status is not validated. A status in a manifest overrides single fields of the one that the server sets.
 * @throws {StatusError} invalid, before anything is written
 */
export function seedObject(
  resource: StoredResource,
  key: ObjectKey,
  object: MutableKubeObject,
  options: SeedOptions,
): Promise<void> {
  const path = storageKey(resource.space, key);
  const stored = resource.store.get(path);
  const readable = stored?.corrupt ? undefined : stored?.value;
  const decoded = readable && decodeStored(resource, readable);
  // Without a webhook that converts, the write is committed when the call returns.
  if (decoded instanceof Promise)
    return decoded.then((current) => seedDecoded(resource, path, object, current, options));
  return seedDecoded(resource, path, object, decoded, options);
}

function seedDecoded(
  resource: StoredResource,
  path: string,
  object: MutableKubeObject,
  current: KubeObject | undefined,
  options: SeedOptions,
): Promise<void> {
  const { metadata } = object;
  metadata.resourceVersion = current?.metadata.resourceVersion ?? revisionPlaceholder;
  metadata.uid ||= current?.metadata.uid ?? resource.identifiers.uid();
  metadata.creationTimestamp ||= current?.metadata.creationTimestamp ?? formatTime(options.now);
  delete metadata["selfLink"];
  const isReady = options.origin === "earlier cluster";
  const similar = current ?? resource.latest.object;
  if (similar !== undefined && !isReady) sharePartsOf(similar, object);
  const isAllocated = options.origin === "server";
  const finish = isAllocated ? () => {} : resource.strategy.beginWrite(object, current, options);
  try {
    const prepared = isReady ? object : readBack(resource, prepare(resource, object, current, options));
    if (current !== undefined && jsonEqual(prepared, current)) return Promise.resolve();
    const commit = (value: KubeObject) => committed(resource, path, value);
    const encoded = encodeForStorage(resource, prepared);
    return encoded instanceof Promise ? encoded.then(commit) : commit(encoded);
  } finally {
    finish();
  }
}

/** Objects of a load are often similar, so the next one shares parts with this one. */
function committed(resource: StoredResource, path: string, value: KubeObject): Promise<void> {
  const update = resource.store.guaranteedUpdate(path, () => ({ type: "put", value }));
  resource.latest.replace(value);
  return update.then(() => {});
}

function prepare(
  resource: StoredResource,
  object: MutableKubeObject,
  current: KubeObject | undefined,
  options: SeedOptions,
): KubeObject {
  if (options.origin === "server") return prepareStored(resource, object, options);
  const given = { ...object, metadata: { ...object.metadata } };
  if (current === undefined) return withGivenValues(resource, prepareNew(resource, object, options), given);
  // An update must not change them: it restores what is not sent.
  for (const field of systemFields) delete object.metadata[field];
  return withGivenValues(resource, prepareForUpdate(resource, object, current, options), given);
}

/** An object as a server stored it. */
function prepareStored(
  resource: StoredResource,
  object: MutableKubeObject,
  options: SeedOptions,
): KubeObject {
  const created = jsonCopy(object);
  resource.strategy.prepareForCreate(created, options);
  for (const [field, value] of Object.entries(created)) object[field] ??= value;
  const sealed = sealForStorage(resource, object);
  const errors: Findings = [];
  addNameErrors(errors, sealed.metadata, resource.strategy.validateName);
  addAll(errors, validateObjectUpdate(resource, sealed, sealed));
  if (errors.length > 0) throw invalidObject(resource, sealed, errors, object);
  return sealed;
}

/** The prepared object with the status that a manifest gives, and the metadata that only the server sets otherwise. */
function withGivenValues(resource: StoredResource, prepared: KubeObject, given: JsonObject): KubeObject {
  const metadata: MutableJsonObject = { ...prepared.metadata };
  const isChanged = takeSystemFields(metadata, structAt(given, "metadata"));
  const isGiven = isJsonObject(given["status"]);
  if (!isChanged && !isGiven) return prepared;
  const status = { ...structAt(prepared, "status"), ...structAt(given, "status") };
  return sealForStorage(resource, { ...prepared, metadata, ...(isGiven && { status }) }, prepared);
}

/** The fields of metadata that only the server sets. */
const systemFields = [
  "uid",
  "creationTimestamp",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
];

/** Whether one of the fields changed. */
function takeSystemFields(metadata: MutableJsonObject, given: JsonObject): boolean {
  let isChanged = false;
  for (const field of systemFields) {
    const value = given[field];
    if (value === undefined || value === metadata[field]) continue;
    metadata[field] = value;
    isChanged = true;
  }
  return isChanged;
}
