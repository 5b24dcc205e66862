import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired } from "../../apimachinery/field.ts";
import { child, index } from "../../apimachinery/field-path.ts";
import { integerAt, listAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import { goPointer, goStruct, goText, goTexts, typedValue } from "../../apimachinery/go-type.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { dnsSubdomainName } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { qualifiedNameMessages } from "../../apimachinery/qualified-names.ts";
import { utf8Length } from "../../apimachinery/utf8.ts";
import { addDriverName } from "../core/pod-spec-validation/volume-sources.ts";
import { metadataErrors } from "../metadata-errors.ts";
import type { Strategy } from "../strategy.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };
const drivers = "spec.drivers";
const longestNodeId = 192;
const goDriver = goStruct("storage.CSINodeDriver", [
  ["Name", "name", goText],
  ["NodeID", "nodeID", goText],
  ["TopologyKeys", "topologyKeys", goTexts],
  ["Allocatable", "allocatable", goPointer("storage.VolumeNodeResources")],
]);

/** A CSINode lists the drivers of a node, each of which stays as it is while it is there. */
export function csiNodeStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: csiNodeErrors,
    validateUpdate: (object, old) => [
      ...metadataErrors(object, metadataRules),
      ...csiNodeErrors(object),
      ...driverChangeErrors(object, old),
    ],
  };
}

function csiNodeErrors(object: KubeObject): FieldError[] {
  const names = new Set<string>();
  return listAt(object, "spec", "drivers").flatMap((driver, i) => {
    const at = index(drivers, i);
    const name = textAt(driver, "name");
    const errors: FieldError[] = [];
    addDriverName(errors, name, child(at, "name"));
    errors.push(...nodeIdErrors(textAt(driver, "nodeID"), child(at, "nodeID")));
    errors.push(...countErrors(driver, child(at, "allocatable", "count")));
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    return [...errors, ...topologyKeyErrors(textsAt(driver, "topologyKeys"), at)];
  });
}

function nodeIdErrors(id: string, field: string): FieldError[] {
  if (id === "") return [fieldRequired(field)];
  if (utf8Length(id) <= longestNodeId) return [];
  return [fieldInvalid(field, id, `must be ${longestNodeId} characters or less`)];
}

function countErrors(driver: JsonObject, field: string): FieldError[] {
  const count = integerAt(driver, "allocatable", "count");
  return count < 0 ? [fieldInvalid(field, count, "must be greater than or equal to 0")] : [];
}

/** Upstream names the driver where it means the key. */
function topologyKeyErrors(keys: readonly string[], at: string): FieldError[] {
  return keys.flatMap((key, i) => [
    ...(key === "" ? [fieldRequired(at)] : []),
    ...(keys.indexOf(key) < i ? [fieldDuplicate(at, key)] : []),
    ...qualifiedNameMessages(key).map((message) => fieldInvalid(at, key, message)),
  ]);
}

function driverChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const now = listAt(object, "spec", "drivers");
  return listAt(old, "spec", "drivers").flatMap((before) =>
    now
      .filter((driver) => driver["name"] === before["name"] && !jsonEqual(driver, before))
      .map((driver) => fieldInvalid(drivers, typedValue(goDriver, driver), "field is immutable")),
  );
}
