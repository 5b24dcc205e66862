import { DecodeError } from "../../apimachinery/decode-error.ts";
import { badRequest, plainError, type StatusError } from "../../apimachinery/errors/errors.ts";
import { structAt } from "../../apimachinery/fields.ts";
import {
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { ConflictError, conflictStatus } from "./conflict.ts";
import { hasPath } from "./field-set.ts";
import { lastAppliedFields } from "./last-applied.ts";
import { decodeManagedFields, type Managed } from "./managed-fields.ts";
import { type Endpoint, type TrackedApply, trackApply, trackUpdate } from "./tracking.ts";
import { ListItemError, TypedError } from "./typed-error.ts";
import type { Force } from "./updater.ts";
import { type Duplicates, validateTyped } from "./validate-typed.ts";
import { servedKind } from "./versions.ts";

/** The manager that may take over the fields of its client-side apply. */
export const KUBECTL = "kubectl";

/** A configuration and the live object to apply it to. */
export interface Application {
  readonly gvk: GroupVersionKind;
  /** The live object in the version of the endpoint, without managedFields; for a create, the kind's empty object. */
  readonly live: JsonObject;
  /** The entries of the live object. */
  readonly entries: JsonValue | undefined;
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: Force;
}

/**
 * Checks a configuration and applies it.
 * @throws {StatusError} the same as upstream
 */
export function applyConfig(endpoint: Endpoint, application: Application): TrackedApply {
  const { gvk, live, config } = application;
  const known = decodeEntries(application.entries);
  checkKind(gvk, config);
  const kind = servedKind(endpoint, endpoint.apiVersion);
  const isTracked = known.managers.size > 0;
  const managed = isTracked ? known : existingFields(endpoint, kind, live, known);
  if (hasEntries(config)) throw badRequest("metadata.managedFields must be nil");
  checkAlways(kind, config, "refused", () => `failed to create typed patch object (${nameOf(config)})`);
  const what = (): string => `failed to create typed live object (${nameOf(live)})`;
  if (isTracked) check(kind, live, "allowed", what);
  try {
    return tracked(endpoint, kind, application, managed);
  } catch (error) {
    if (error instanceof ConflictError) throw conflictStatus(error);
    if (!(error instanceof ListItemError)) throw error;
    checkAlways(kind, live, "allowed", what);
    throw failed("failed to merge config", error);
  }
}

/** The entries of an object that has been untracked: all its fields belong to one manager. */
function existingFields(endpoint: Endpoint, kind: ApplyKind, live: JsonObject, none: Managed): Managed {
  const what = (): string => `${untracked} (${nameOf(live)}) to smd typed`;
  check(kind, live, "allowed", what);
  try {
    return trackUpdate(endpoint, kind.empty, live, none, "before-first-apply");
  } catch (error) {
    // A decoded object fits its type, except for items that cannot be identified.
    if (error instanceof ListItemError) checkAlways(kind, live, "allowed", what);
    throw error;
  }
}

/**
 * Decodes a merged object and applies the defaults.
 * @throws {StatusError} 500 for a value that fits the published type of its field but cannot be decoded, such as an
 * invalid quantity
 */
export function wholeObject(
  { gvk, complete }: Completion,
  merged: JsonObject,
  config: JsonObject,
): MutableKubeObject {
  try {
    return complete(merged);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const what = `failed to convert new object (${nameOf(config)}) to proper version`;
    throw failed(`${what}: unable to convert unstructured object to ${formatGroupVersionKind(gvk)}`, error);
  }
}

/** How to complete merged objects of a kind. */
export interface Completion {
  readonly gvk: GroupVersionKind;
  /** @throws {DecodeError} for a value that a field cannot hold */
  readonly complete: (object: JsonObject) => MutableKubeObject;
}

const untracked = "failed to create manager for existing fields: failed to convert new object";

function decodeEntries(entries: JsonValue | undefined): Managed {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    throw error instanceof DecodeError ? failed("failed to decode managed fields", error) : error;
  }
}

/** A list with a value that is not an object counts as no entries; the type check reports it later. */
function hasEntries(config: JsonObject): boolean {
  const { managedFields = null } = structAt(config, "metadata");
  return Array.isArray(managedFields) && managedFields.every(isJsonObject);
}

function failed(what: string, { message }: Error): StatusError {
  return plainError(500, `${what}: ${message}`);
}

function checkKind(expected: GroupVersionKind, config: JsonObject): void {
  const gvk = kindOf(config);
  if (formatGroupVersionKind(gvk) === formatGroupVersionKind(expected)) return;
  throw badRequest(`invalid object type: ${formatGroupVersionKind(gvk)}`);
}

/** The kind of an unstructured object, as upstream reads it: empty if the apiVersion is invalid. */
function kindOf(object: JsonObject): GroupVersionKind {
  const gv = parseGroupVersion(textOf(object.apiVersion));
  return gv === undefined ? { group: "", version: "", kind: "" } : { ...gv, kind: textOf(object.kind) };
}

function nameOf(object: JsonObject): string {
  const { namespace, name } = structAt(object, "metadata");
  return `${textOf(namespace)}/${textOf(name)}; ${formatGroupVersionKind(kindOf(object))}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Checks objects that decoding has not checked. */
function check(kind: ApplyKind, object: JsonObject, duplicates: Duplicates, what: () => string): void {
  if (!kind.isDecoded) checkAlways(kind, object, duplicates, what);
}

function checkAlways(kind: ApplyKind, object: JsonObject, duplicates: Duplicates, what: () => string): void {
  try {
    validateTyped(kind.type, object, duplicates);
  } catch (error) {
    throw error instanceof TypedError ? failed(what(), error) : error;
  }
}

function tracked(
  endpoint: Endpoint,
  kind: ApplyKind,
  { live, config, manager, force }: Application,
  managed: Managed,
): TrackedApply {
  try {
    return trackApply(endpoint, live, config, managed, manager, force);
  } catch (error) {
    if (manager !== KUBECTL || !(error instanceof ConflictError)) throw error;
    const allowed = lastAppliedFields(kind, live, endpoint.apiVersion);
    if (allowed === undefined) throw error;
    const others = error.conflicts.filter(({ path }) => !hasPath(allowed, path));
    if (others.length > 0) throw new ConflictError(others);
    return trackApply(endpoint, live, config, managed, manager, "forced");
  }
}
