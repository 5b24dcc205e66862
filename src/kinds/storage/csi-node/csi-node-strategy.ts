import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goPointer, goStruct, goText, goTexts, typedValue } from "../../../apimachinery/go/go-type.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNewBefore136 } from "../../../registry/contract/validate-as-new.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const metadataRules = { namespaced: false, validateName: dnsSubdomainName };
const drivers = "spec.drivers";
const goResources = goStruct("storage.VolumeNodeResources", [["Count", "count", goPointer("int32")]]);
const goDriver = goStruct("storage.CSINodeDriver", [
  ["Name", "name", goText],
  ["NodeID", "nodeID", goText],
  ["TopologyKeys", "topologyKeys", goTexts],
  ["Allocatable", "allocatable", goPointer("storage.VolumeNodeResources", goResources)],
]);

/** A CSINode lists the drivers of a node, each of which stays as it is while it is there. */
export function csiNodeStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const longestId = longestNodeId(gates.minor);
  const check = (object: KubeObject) => csiNodeErrors(object, longestId);
  const hasMutableCount = gates.isEnabled("MutableCSINodeAllocatableCount");
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "core", update: "own" },
    validate: check,
    validateUpdate: (object, old) => [
      ...metadataErrors(object, metadataRules),
      ...check(object),
      ...driverChangeErrors(object, old, hasMutableCount),
    ],
  };
  return validateAsNewBefore136(strategy, "Cluster", gates);
}

/** How many bytes the id of a node may have, which grew with CSI. */
function longestNodeId(minor: number): number {
  if (minor >= 23) return 256;
  return minor === 22 ? 192 : 128;
}

function csiNodeErrors(object: KubeObject, longestId: number): FieldError[] {
  const names = new Set<string>();
  return listAt(object, "spec", "drivers").flatMap((driver, i) => {
    const at = index(drivers, i);
    const name = textAt(driver, "name");
    const errors: FieldError[] = [];
    addDriverName(errors, name, child(at, "name"));
    errors.push(...nodeIdErrors(textAt(driver, "nodeID"), longestId, child(at, "nodeID")));
    errors.push(...countErrors(driver, child(at, "allocatable", "count")));
    if (names.has(name)) errors.push(fieldDuplicate(child(at, "name"), name));
    names.add(name);
    return [...errors, ...topologyKeyErrors(textsAt(driver, "topologyKeys"), at)];
  });
}

function nodeIdErrors(id: string, longest: number, field: string): FieldError[] {
  if (id === "") return [fieldRequired(field)];
  if (utf8Length(id) <= longest) return [];
  return [fieldInvalid(field, id, `must be ${longest} characters or less`)];
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

/** Drivers stay, but for how many volumes they bear, where that can change. */
function driverChangeErrors(object: KubeObject, old: KubeObject, hasMutableCount: boolean): FieldError[] {
  const kept = hasMutableCount ? withoutCount : (driver: JsonObject) => driver;
  const now = listAt(object, "spec", "drivers").map(kept);
  return listAt(old, "spec", "drivers")
    .map(kept)
    .flatMap((before) =>
      now
        .filter((driver) => driver["name"] === before["name"] && !jsonEqual(driver, before))
        .map((driver) => fieldInvalid(drivers, typedValue(goDriver, driver), "field is immutable")),
    );
}

function withoutCount({ allocatable: _count, ...driver }: JsonObject): JsonObject {
  return driver;
}
