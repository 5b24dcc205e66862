import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const drivers = "spec.drivers";

/** The maximum length of a node ID in bytes, which grew with the CSI specification. */
function maxNodeIdLength({ since }: FeatureGates): number {
  if (since("1.23")) return 256;
  return since("1.22") ? 192 : 128;
}

/** The errors in a CSINode. Upstream: pkg/apis/storage/validation/validation.go, ValidateCSINode. */
export function csiNodeErrors(object: KubeObject, gates: FeatureGates): FieldError[] {
  const maxIdLength = maxNodeIdLength(gates);
  const names = new Set<string>();
  return listAt(object, "spec", "drivers").flatMap((driver, i) => {
    const at = index(drivers, i);
    const name = textAt(driver, "name");
    const errors: FieldError[] = [];
    addDriverName(errors, name, child(at, "name"));
    errors.push(...nodeIdErrors(textAt(driver, "nodeID"), maxIdLength, child(at, "nodeID")));
    errors.push(...countErrors(driver, child(at, "allocatable", "count")));
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    return [...errors, ...topologyKeyErrors(textsAt(driver, "topologyKeys"), at)];
  });
}

function nodeIdErrors(id: string, maxLength: number, field: string): FieldError[] {
  if (id === "") return [fieldRequired(field)];
  if (utf8Length(id) <= maxLength) return [];
  return [fieldInvalid(field, id, `must be ${maxLength} characters or less`)];
}

function countErrors(driver: JsonObject, field: string): FieldError[] {
  const count = integerAt(driver, "allocatable", "count");
  return count < 0 ? [fieldInvalid(field, count, "must be greater than or equal to 0")] : [];
}

/** Upstream reports errors of a key at the path of the driver. */
function topologyKeyErrors(keys: readonly string[], at: string): FieldError[] {
  return keys.flatMap((key, i) => [
    ...(key === "" ? [fieldRequired(at)] : []),
    ...(keys.indexOf(key) < i ? [fieldDuplicate(at, key)] : []),
    ...qualifiedNameMessages(key).map((message) => fieldInvalid(at, key, message)),
  ]);
}

/** The errors of a change of drivers. Upstream: pkg/apis/storage/validation/validation.go, ValidateCSINodeUpdate. */
export function csiNodeChangeErrors(object: KubeObject, old: KubeObject, gates: FeatureGates): FieldError[] {
  return driverChangeErrors(object, old, gates.isEnabled("MutableCSINodeAllocatableCount"));
}

/** Drivers are immutable, except for their allocatable count where `hasMutableCount`. */
function driverChangeErrors(object: KubeObject, old: KubeObject, hasMutableCount: boolean): FieldError[] {
  const immutablePart = hasMutableCount ? withoutCount : (driver: JsonObject) => driver;
  const now = listAt(object, "spec", "drivers").map(immutablePart);
  return listAt(old, "spec", "drivers")
    .map(immutablePart)
    .flatMap((before) =>
      now
        .filter((driver) => driver["name"] === before["name"] && !jsonEqual(driver, before))
        .map((driver) =>
          fieldInvalid(drivers, typedValue("storage.CSINodeDriver", driver), "field is immutable"),
        ),
    );
}

function withoutCount({ allocatable: _count, ...driver }: JsonObject): JsonObject {
  return driver;
}
