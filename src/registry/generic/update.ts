import type { Awaitable } from "../../apimachinery/awaitable.ts";
import { invalid, notFound, plainError, StatusError } from "../../apimachinery/errors/errors.ts";
import { fieldCauses, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { go } from "../../apimachinery/go/go-value.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { transient } from "../../codec/encodable.ts";
import { keepTimes } from "../../patch/apply/keep-times.ts";
import { internalTypes } from "../../schema/internal-types.ts";
import { type ObjectKey, storageKey } from "../contract/object-key.ts";
import type { CreateOptions, ProposeUpdate, Updated, UpdateOptions } from "../contract/rest.ts";
import { decodeStored, encodeForStorage } from "../contract/storage-codec.ts";
import { objectModified, uidPreconditionFailed } from "../contract/storage-errors.ts";
import type { StoredObject, StoredResource } from "../contract/stored-resource.ts";
import type { StrategyContext } from "../contract/strategy.ts";
import { wipeClusterName } from "../contract/system-fields.ts";
import { checkUpdatable } from "./corrupt-object.ts";
import { prepareForCreate, withoutPlaceholder } from "./create.ts";
import { isFinished } from "./graceful-deletion.ts";
import { readBack, sealForStorage } from "./seal.ts";
import { withinStorageLimit } from "./storage-limit.ts";
import { invalidObject, validateObjectUpdate } from "./validation.ts";

/**
 * Replaces an object with the result of `propose`, in the steps of upstream's `Store.Update`. After a conflicting
 * write, it starts again unless the update requires a resourceVersion. Removes a terminating object when its last
 * finalizer is gone.
 * @throws {StatusError} forbidden, notFound, conflict, invalid, or the error of admission
 */
export async function updateObject(
  resource: StoredResource,
  key: ObjectKey,
  propose: ProposeUpdate,
  options: UpdateOptions,
): Promise<Updated> {
  const path = storageKey(resource.space, key);
  for (;;) {
    const current = resource.store.get(path);
    checkUpdatable(resource, current);
    checkUid(resource, key, path, current, options.uid);
    if (current === undefined) checkCreation(resource, key, options);
    const decoding = current && decodeStored(resource, current.value);
    const old = decoding instanceof Promise ? await decoding : decoding;
    const proposed = await propose(old);
    const authorizing = resource.strategy.authorizeWrite?.(proposed, old, key, options.user);
    if (authorizing !== undefined) await authorizing;
    const attempt =
      current === undefined || old === undefined
        ? await createInstead(resource, path, proposed, options)
        : await replace(resource, key, path, { current, old }, proposed, options);
    if (attempt !== "raced") return attempt;
  }
}

function checkUid(
  resource: StoredResource,
  key: ObjectKey,
  path: string,
  current: StoredObject | undefined,
  uid: string | undefined,
): void {
  const live = current?.value.metadata.uid ?? "";
  if (uid === undefined || uid === live) return;
  throw uidPreconditionFailed(resource.definition.groupResource, key.name, path, uid, live);
}

/** @throws {StatusError} notFound for a kind that does not allow create on update */
function checkCreation(
  { strategy, definition }: StoredResource,
  key: ObjectKey,
  options: UpdateOptions,
): void {
  if (!strategy.allowCreateOnUpdate && !options.forceCreate)
    throw notFound(definition.groupResource, key.name);
}

async function createInstead(
  resource: StoredResource,
  path: string,
  proposed: MutableKubeObject,
  options: UpdateOptions,
): Promise<Updated | "raced"> {
  const asCreate: CreateOptions = { ...options, validateAdmission: options.validateCreation };
  const { resourceVersion } = proposed.metadata;
  const finish = resource.strategy.beginWrite(proposed, undefined, options);
  try {
    const prepared = prepareForCreate(resource, proposed, asCreate);
    await options.validateCreation(prepared);
    const encoded = encodeForStorage(resource, readBack(resource, prepared));
    const whole = encoded instanceof Promise ? await encoded : encoded;
    if (options.dryRun)
      return { object: transient(withoutPlaceholder(whole, resourceVersion)), created: true };
    const limited = limitedForStorage(resource, whole, path, undefined, options);
    const value = limited instanceof Promise ? await limited : limited;
    const update = await resource.store.guaranteedUpdate(path, (current) =>
      current === undefined ? { type: "put", value } : { type: "unchanged" },
    );
    if (update.type !== "put") return "raced";
    resource.latest.replace(update.value.value);
    return { object: update.value, created: true };
  } finally {
    finish();
  }
}

/** The object that an update replaces, as it is stored and as the verbs handle it. */
interface Replaced {
  readonly current: StoredObject;
  readonly old: KubeObject;
}

async function replace(
  resource: StoredResource,
  key: ObjectKey,
  path: string,
  replaced: Replaced,
  proposed: MutableKubeObject,
  options: UpdateOptions,
): Promise<Updated | "raced"> {
  checkResourceVersion(resource, key, replaced.current, proposed);
  const finish = resource.strategy.beginWrite(proposed, replaced.old, options);
  try {
    return await replaceBegun(resource, path, replaced, proposed, options);
  } finally {
    finish();
  }
}

async function replaceBegun(
  resource: StoredResource,
  path: string,
  { current, old }: Replaced,
  proposed: MutableKubeObject,
  options: UpdateOptions,
): Promise<Updated | "raced"> {
  const prepared = prepareForUpdate(resource, proposed, old, options);
  await options.validateAdmission(prepared, old);
  const encoded = encodeForStorage(resource, readBack(resource, prepared));
  const whole = encoded instanceof Promise ? await encoded : encoded;
  const goes = isFinished(resource, whole, old);
  const isStored = current.stale === undefined && jsonEqual(whole, current.value);
  if (!goes && isStored) return { object: current, created: false };
  if (options.dryRun) return { object: transient(whole), created: false };
  const limited = limitedForStorage(resource, whole, path, current.modRevision, options);
  const value = limited instanceof Promise ? await limited : limited;
  const update = await resource.store.guaranteedUpdate(path, (now) => {
    if (now?.modRevision !== current.modRevision) return { type: "unchanged" };
    if (!goes) return { type: "put", value };
    return { type: "delete", others: resource.strategy.dependentKeys(value) };
  });
  if (update.type === "unchanged") return "raced";
  return { object: goes ? transient(value) : update.value, created: false };
}

function limitedForStorage(
  resource: StoredResource,
  object: KubeObject,
  path: string,
  replaces: number | undefined,
  { keepsManagedFields }: UpdateOptions,
): Awaitable<KubeObject> {
  return withinStorageLimit(resource, object, { path, replaces, dropsManagedFields: !keepsManagedFields });
}

/** Optimistic concurrency: the resourceVersion of the client must be the current one. Some kinds allow to omit it. */
function checkResourceVersion(
  resource: StoredResource,
  key: ObjectKey,
  current: StoredObject,
  proposed: MutableKubeObject,
): void {
  const { groupResource } = resource.definition;
  const sent = parseResourceVersion(proposed.metadata.resourceVersion);
  if (sent === 0 && !resource.strategy.allowUnconditionalUpdate) {
    throw mustBeSpecified(resource, key.name);
  }
  if (sent !== 0 && sent !== current.modRevision) throw objectModified(groupResource, key.name);
  proposed.metadata.resourceVersion = String(current.modRevision);
}

function parseResourceVersion(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw plainError(500, `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`);
}

/** Upstream names the resource here; every other 422 names the kind. */
function mustBeSpecified(resource: StoredResource, name: string): StatusError {
  const { groupResource, gvk } = resource.definition;
  const finding = fieldInvalid("metadata.resourceVersion", go.uint(0), "must be specified for an update");
  const error = invalid(
    gvk,
    name,
    fieldCauses([finding], resource.gates.since, internalTypes(resource.gates.since, gvk)),
  );
  const subject = `${formatGroupResource(groupResource)} ${goQuote(name)} is invalid`;
  const [cause] = error.status.details?.causes ?? [];
  const message = `${subject}: metadata.resourceVersion: ${cause?.message}`;
  const details = { ...error.status.details, kind: groupResource.resource };
  return new StatusError({ ...error.status, message, details });
}

/** Prepares the object for storage. Upstream: `rest.BeforeUpdate`. */
export function prepareForUpdate(
  resource: StoredResource,
  object: MutableKubeObject,
  old: KubeObject,
  options: StrategyContext,
): KubeObject {
  restoreSystemFields(object, old);
  wipeClusterName(object, resource.gates, options);
  resource.strategy.prepareForUpdate(object, old, options);
  const sealed = sealForStorage(resource, object, old);
  const before = resource.definition.schema.withEqualQuantities(old, sealed);
  const prepared = keepTimes(withGenerationCounted(resource, sealed, before), before);
  const errors = validateObjectUpdate(resource, prepared, before);
  if (errors.length > 0) {
    const refusal = invalidObject(resource, prepared, errors, object);
    resource.repeatedErrors.observe(refusal);
    throw refusal;
  }
  for (const text of resource.strategy.warningsOnUpdate(prepared, before)) options.warn(text);
  return prepared;
}

function withGenerationCounted(resource: StoredResource, object: KubeObject, old: KubeObject): KubeObject {
  const { countsGeneration, prepareForGeneration } = resource.strategy;
  if (!countsGeneration?.(object, old)) return object;
  const generation = (old.metadata.generation ?? 0) + 1;
  const next: MutableKubeObject = { ...object, metadata: { ...object.metadata, generation } };
  // A number in the place of another one leaves the object in its canonical form.
  if (prepareForGeneration === undefined && object.metadata.generation !== undefined) return next;
  prepareForGeneration?.(next, old);
  return sealForStorage(resource, next);
}

/** Restores fields that a client may omit or that it changes without effect. */
function restoreSystemFields(object: MutableKubeObject, old: KubeObject): void {
  const { metadata } = object;
  const before = old.metadata;
  if (before.generation === undefined) delete metadata.generation;
  else metadata.generation = before.generation;
  if (!metadata.uid && before.uid) metadata.uid = before.uid;
  metadata.creationTimestamp = before.creationTimestamp ?? null;
  delete metadata["selfLink"];
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined && before.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds;
  }
}
