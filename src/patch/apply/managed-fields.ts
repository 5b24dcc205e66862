import { DecodeError } from "../../apimachinery/decode-error.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldSetOfFieldsV1, fieldsV1 } from "./fields-v1.ts";

/** The fields that a manager owns, as paths in one version of the kind. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
}

/**
 * Identifies an entry, as JSON: manager, operation and subresource, and the version of an update. An apply replaces the
 * manager's earlier apply in any version.
 */
export type ManagerId = string;

export type Managers = Map<ManagerId, VersionedSet>;

/** The entries of managedFields. */
export interface Managed {
  readonly managers: Managers;
  /** The time of each manager's last write, if its entry has a time. */
  readonly times: Map<ManagerId, string>;
  /** The entries as they were decoded. An entry that has not changed is encoded as the same object. */
  readonly sources: ReadonlyMap<ManagerId, JsonObject>;
}

export interface ManagerInfo {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** An empty set of entries. */
export function noManaged(): Managed {
  return { managers: new Map(), times: new Map(), sources: new Map() };
}

/** Texts that JSON does not escape. */
const plain = /^[\w ./:-]*$/;

/** The identity of a manager's entry. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerInfo): ManagerId {
  if (plain.test(manager) && plain.test(apiVersion) && plain.test(subresource)) {
    const ofManager = manager === "" ? "" : `"manager":"${manager}",`;
    const ofVersion = operation === "Update" ? `,"apiVersion":"${apiVersion}"` : "";
    const ofSubresource = subresource === "" ? "" : `,"subresource":"${subresource}"`;
    return `{${ofManager}"operation":"${operation}"${ofVersion}${ofSubresource}}`;
  }
  const id: MutableJsonObject = {};
  if (manager !== "") id.manager = manager;
  id.operation = operation;
  if (operation === "Update") id.apiVersion = apiVersion;
  if (subresource !== "") id.subresource = subresource;
  return encodeJson(id);
}

const maxKnown = 1000;
const longestKnown = 500;

/** A cache of parsed identities: there are few managers, and each of them writes often. */
const known = new Map<ManagerId, ManagerInfo>();

/** The parts of an identity. The version is empty for an apply. */
export function managerInfo(id: ManagerId): ManagerInfo {
  const before = known.get(id);
  if (before !== undefined) return before;
  // Only managerId creates identities.
  const { manager = "", operation, apiVersion = "", subresource = "" }: Partial<ManagerInfo> = JSON.parse(id);
  const info: ManagerInfo = {
    manager,
    operation: operation === "Apply" ? "Apply" : "Update",
    apiVersion,
    subresource,
  };
  if (id.length > longestKnown) return info;
  if (known.size >= maxKnown) known.clear();
  known.set(id, info);
  return info;
}

/**
 * Decodes `metadata.managedFields`.
 * @throws {DecodeError} for an entry that upstream cannot decode
 */
export function decodeManagedFields(value: JsonValue | undefined): Managed {
  const managers: Managers = new Map();
  const times = new Map<ManagerId, string>();
  const sources = new Map<ManagerId, JsonObject>();
  (Array.isArray(value) ? value : []).forEach((entry, i) => {
    const source = isJsonObject(entry) ? entry : {};
    const { operation, fieldsType } = source;
    const apiVersion = textOf(source.apiVersion);
    if (operation !== "Apply" && operation !== "Update")
      throw new DecodeError("operation must be `Apply` or `Update`");
    if (apiVersion === "") throw new DecodeError("apiVersion must not be empty");
    checkFieldsType(textOf(fieldsType), i);
    const manager = textOf(source.manager);
    const id = managerId({ manager, operation, apiVersion, subresource: textOf(source.subresource) });
    const set = fieldSetOfFieldsV1(source.fieldsV1 ?? null);
    managers.set(id, { set, apiVersion, applied: operation === "Apply" });
    if (typeof source.time === "string") times.set(id, source.time);
    else times.delete(id);
    sources.set(id, source);
  });
  return { managers, times, sources };
}

function checkFieldsType(fieldsType: string, position: number): void {
  if (fieldsType === "FieldsV1") return;
  if (fieldsType === "") throw new DecodeError(`missing fieldsType in managed fields entry ${position}`);
  throw new DecodeError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${position}`);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The value of `metadata.managedFields`, sorted; undefined without entries. */
export function encodeManagedFields({ managers, times, sources }: Managed): JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  const entries: JsonObject[] = [];
  for (const [id, owned] of managers) entries.push(encodeEntry(id, owned, times.get(id), sources.get(id)));
  return entries.sort(compareEntries);
}

function encodeEntry(
  id: ManagerId,
  { set, apiVersion }: VersionedSet,
  time: string | undefined,
  source: JsonObject | undefined,
): JsonObject {
  const isSame = source !== undefined && source.fieldsV1 === set && source.apiVersion === apiVersion;
  if (isSame && source.time === time) return source;
  const { manager, operation, subresource } = managerInfo(id);
  const entry: MutableJsonObject = {};
  if (manager !== "") entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = fieldsV1(set);
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

function compareEntries(a: JsonObject, b: JsonObject): number {
  return (
    compareText(textOf(a.operation), textOf(b.operation)) ||
    seconds(a.time) - seconds(b.time) ||
    compareText(textOf(a.manager), textOf(b.manager)) ||
    compareText(textOf(a.apiVersion), textOf(b.apiVersion)) ||
    compareText(textOf(a.subresource), textOf(b.subresource))
  );
}

/** Seconds since the epoch; 0 without a time. */
export function seconds(time: JsonValue | undefined): number {
  return typeof time === "string" ? Math.floor(timeMilliseconds(time) / 1000) : 0;
}
