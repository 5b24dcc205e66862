import { DecodeError } from "../../apimachinery/decode-error.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { applyConfig, KUBECTL, wholeObject } from "./apply-config.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { CreatedFields } from "./created-fields.ts";
import { refreshLastApplied } from "./last-applied.ts";
import { decodeManagedFields, encodeManagedFields, type Managed, noManaged } from "./managed-fields.ts";
import { type Endpoint, trackCreate, trackUpdate } from "./tracking.ts";
import { ListItemError, TypedError } from "./typed-error.ts";
import type { Force } from "./updater.ts";
import { validateTyped } from "./validate-typed.ts";
import { inVersion, servedKind } from "./versions.ts";

/** What a field manager needs to know about its endpoint. */
export interface FieldManagerOptions extends Omit<Endpoint, "apiVersion"> {
  /** The kind in the version of the endpoint. */
  readonly gvk: GroupVersionKind;
  /**
   * Decodes a merged object and applies the defaults.
   * @throws {DecodeError} for a value that does not fit its field
   */
  readonly complete: (object: JsonObject) => MutableKubeObject;
  /** Whether objects are tracked from their creation on, instead of from the first apply. */
  readonly tracksCreations: boolean;
}

/** Maintains `metadata.managedFields` at one endpoint, and merges applied configurations. */
export interface FieldManager {
  /**
   * Sets the managedFields of a new object, before admission. The object is decoded and defaulted; `live` is the
   * object that it replaces, if any. If there is none, `latest` can be another object that it shares parts with. Never
   * fails: an object that cannot be tracked has no managedFields.
   */
  update(
    live: KubeObject | undefined,
    object: MutableKubeObject,
    manager: string,
    latest?: KubeObject,
  ): MutableKubeObject;
  /**
   * The live object with an applied configuration and its managedFields. It may share parts with the live object.
   * @throws {StatusError} 409 for conflicts, 400 for another kind or for managedFields, 500 for values that do not fit
   * their type or field
   */
  apply(live: KubeObject | undefined, config: JsonObject, manager: string, force: Force): MutableKubeObject;
}

interface ManagedEndpoint extends Endpoint {
  readonly tracksCreations: boolean;
  readonly created: CreatedFields;
}

/** The field manager of an endpoint. */
export function fieldManager(options: FieldManagerOptions): FieldManager {
  const endpoint: ManagedEndpoint = {
    ...options,
    apiVersion: formatGroupVersion(options.gvk),
    created: new CreatedFields(options.filter),
  };
  return {
    update: (live, object, manager, latest) => updated(endpoint, live, object, manager, latest),
    apply: (live, config, manager, force) => {
      const view = live === undefined ? emptyObject(endpoint) : liveView(endpoint, live);
      const entries = live?.metadata["managedFields"];
      const application = { gvk: options.gvk, live: view, entries, config, manager, force };
      const { managed, object } = applyConfig(endpoint, application);
      const isWhole = object === undefined && live !== undefined;
      const result = isWhole ? copyOf(view) : wholeObject(options, object ?? view, config);
      if (manager === KUBECTL) refreshLastApplied(result, config);
      writeManaged(result, managed);
      return result;
    },
  };
}

/** The error in managedFields after admission, which are then reset; undefined if they are valid. */
export function managedFieldsProblem(value: JsonValue | undefined): string | undefined {
  try {
    decodeManagedFields(value);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function updated(
  endpoint: ManagedEndpoint,
  live: KubeObject | undefined,
  object: MutableKubeObject,
  manager: string,
  latest: KubeObject | undefined,
): MutableKubeObject {
  const managed = managedOf(endpoint, live, object);
  if (object.metadata["managedFields"] !== undefined) delete object.metadata["managedFields"];
  // An existing object without managedFields stays untracked until the first apply.
  if (managed.managers.size === 0 && (live?.metadata.uid || !endpoint.tracksCreations)) return object;
  try {
    const kind = servedKind(endpoint, endpoint.apiVersion);
    if (live === undefined && managed.managers.size === 0) {
      writeManaged(object, trackCreate(endpoint, endpoint.created.of(object, kind, latest), manager));
      return object;
    }
    const before = live === undefined ? kind.empty : liveView(endpoint, live);
    const after = kind.show(object, before);
    checkBoth(kind, before, after);
    writeManaged(object, trackUpdate(endpoint, before, after, managed, manager));
  } catch (error) {
    if (!(error instanceof TypedError || error instanceof ListItemError)) throw error;
  }
  return object;
}

function checkBoth(kind: ApplyKind, before: JsonObject, after: JsonObject): void {
  if (kind.isDecoded) return;
  validateTyped(kind.type, after, "allowed");
  validateTyped(kind.type, before, "allowed", after);
}

/**
 * The current entries: those of the body if they are valid, since clients may edit them; otherwise those of the live
 * object.
 */
function managedOf(endpoint: Endpoint, live: KubeObject | undefined, object: KubeObject): Managed {
  const before = live?.metadata["managedFields"];
  if (endpoint.subresource !== "") return decodeOrNone(before);
  const sent = object.metadata["managedFields"];
  if (isReset(sent)) return noManaged();
  const managed = decodeOrNone(sent);
  return managed.managers.size === 0 && before !== undefined ? decodeOrNone(before) : managed;
}

function decodeOrNone(value: JsonValue | undefined): Managed {
  try {
    return decodeManagedFields(value);
  } catch (error) {
    if (error instanceof DecodeError) return noManaged();
    throw error;
  }
}

/** An empty list, or a list with one empty entry, resets managedFields. */
function isReset(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value)) return false;
  const [first] = value;
  return (
    value.length === 0 || (value.length === 1 && isJsonObject(first) && Object.values(first).every(isUnset))
  );
}

function isUnset(value: JsonValue): boolean {
  return value === null || value === "";
}

function emptyObject(endpoint: Endpoint): JsonObject {
  return servedKind(endpoint, endpoint.apiVersion).empty;
}

/** The live object in the version of the endpoint, without managedFields. */
function liveView(endpoint: Endpoint, live: KubeObject): JsonObject {
  const { managedFields: _entries, ...metadata } = live.metadata;
  const view = inVersion(endpoint, { ...live, metadata }, endpoint.apiVersion);
  if (view === undefined) throw new Error(`the live object cannot be had in ${endpoint.apiVersion}`);
  return view;
}

function writeManaged(object: MutableKubeObject, managed: Managed): void {
  const entries = encodeManagedFields(managed);
  if (entries === undefined) delete object.metadata["managedFields"];
  else object.metadata["managedFields"] = entries;
}

/** A copy with mutable metadata. */
function copyOf(object: JsonObject): MutableKubeObject {
  // The view of a live object has kind, apiVersion and metadata.
  const { metadata, ...rest } = object as KubeObject;
  return { ...rest, metadata: { ...metadata } };
}
