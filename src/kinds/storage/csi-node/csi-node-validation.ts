import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const drivers = "spec.drivers";

/** The maximum length of a node ID in bytes, which grew with the CSI specification. */
function maxNodeIdLength({ since }: FeatureGates): number {
  if (since("1.23")) return 256;
  return since("1.22") ? 192 : 128;
}

/** Adds the errors in a CSINode. Upstream: pkg/apis/storage/validation/validation.go, ValidateCSINode. */
export function addCsiNodeErrors(errors: Findings, object: KubeObject, gates: FeatureGates): void {
  const maxIdLength = maxNodeIdLength(gates);
  const names = new Set<string>();
  for (const [i, driver] of listAt(object, "spec", "drivers").entries()) {
    const at = index(drivers, i);
    const name = textAt(driver, "name");
    addDriverName(errors, name, child(at, "name"));
    addNodeIdErrors(errors, textAt(driver, "nodeID"), maxIdLength, child(at, "nodeID"));
    addCountErrors(errors, driver, child(at, "allocatable", "count"));
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    addTopologyKeyErrors(errors, textsAt(driver, "topologyKeys"), at);
  }
}

function addNodeIdErrors(errors: Findings, id: string, maxLength: number, field: string): void {
  if (id === "") {
    errors.push(fieldRequired(field));
    return;
  }
  if (utf8Length(id) <= maxLength) return;
  errors.push(fieldInvalid(field, id, `must be ${maxLength} characters or less`));
}

function addCountErrors(errors: Findings, driver: JsonObject, field: string): void {
  const count = integerAt(driver, "allocatable", "count");
  if (count < 0) errors.push(fieldInvalid(field, count, "must be greater than or equal to 0"));
}

/** Upstream reports errors of a key at the path of the driver. */
function addTopologyKeyErrors(errors: Findings, keys: readonly string[], at: string): void {
  const isRepeated = repeats(keys);
  for (const [i, key] of keys.entries()) {
    if (key === "") errors.push(fieldRequired(at));
    if (isRepeated[i]) errors.push(fieldDuplicate(at, key));
    addInvalid(errors, at, key, qualifiedNameMessages(key));
  }
}

/** Adds the errors of a change of drivers. Upstream: pkg/apis/storage/validation/validation.go, ValidateCSINodeUpdate. */
export function addCsiNodeChangeErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  addDriverChangeErrors(errors, object, old, gates.isEnabled("MutableCSINodeAllocatableCount"));
}

/** Drivers are immutable, except for their allocatable count where `hasMutableCount`. */
function addDriverChangeErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  hasMutableCount: boolean,
): void {
  const immutablePart = hasMutableCount ? withoutCount : (driver: JsonObject) => driver;
  const now = listAt(object, "spec", "drivers").map(immutablePart);
  for (const before of listAt(old, "spec", "drivers").map(immutablePart)) {
    for (const driver of now) {
      if (driver["name"] === before["name"] && !jsonEqual(driver, before)) {
        errors.push(fieldInvalid(drivers, typedValue("storage.CSINodeDriver", driver), "field is immutable"));
      }
    }
  }
}

function withoutCount({ allocatable: _count, ...driver }: JsonObject): JsonObject {
  return driver;
}
