import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../apimachinery/field.ts";
import { child, index } from "../../apimachinery/field-path.ts";
import { integerAt, listAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import { goSlice, goText, typedValue } from "../../apimachinery/go-type.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject } from "../../apimachinery/json.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";

const groupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];
const lifecycleModes = ["Persistent", "Ephemeral"];
const shortestPeriod = 10;
const shortestToken = 600;
const longestToken = 2 ** 32;
const goModes = goSlice("storage.VolumeLifecycleMode", goText);

/** What waits for its feature. */
const gatedFields: ReadonlyMap<string, string> = new Map([
  ["seLinuxMount", "SELinuxMountReadWriteOncePod"],
  ["nodeAllocatableUpdatePeriodSeconds", "MutableCSINodeAllocatableCount"],
]);

/** Drivers say what they need of a cluster. */
export function csiDriverStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const check = (object: KubeObject) => driverErrors(object, gates);
  return withGeneration(
    {
      ...base,
      prepareForCreate: (object) => dropDisabled(object, undefined, gates),
      validate: check,
      prepareForUpdate: (object, old) => dropDisabled(object, old, gates),
      validateUpdate: (object, old) => [...check(object), ...driverChangeErrors(object, old)],
    },
    changed("spec"),
  );
}

/** Drops what waits for its feature, unless the driver has had it. */
function dropDisabled(object: MutableKubeObject, old: KubeObject | undefined, gates: FeatureGates): void {
  const before = old && section(old, "spec");
  const spec: MutableJsonObject = { ...section(object, "spec") };
  for (const [field, gate] of gatedFields) {
    if (!gates.isEnabled(gate) && before?.[field] === undefined) delete spec[field];
  }
  object["spec"] = spec;
}

function driverErrors(object: KubeObject, gates: FeatureGates): FieldError[] {
  const spec = section(object, "spec");
  const policy = spec["fsGroupPolicy"];
  return [
    ...requiredErrors(spec),
    ...(policy === undefined || groupPolicies.includes(String(policy))
      ? []
      : [fieldNotSupported("spec.fsGroupPolicy", policy, groupPolicies)]),
    ...tokenErrors(listAt(spec, "tokenRequests"), "spec.tokenRequests"),
    ...textsAt(spec, "volumeLifecycleModes")
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => fieldNotSupported("spec.volumeLifecycleModes", mode, lifecycleModes)),
    ...(spec["seLinuxMount"] === undefined && gates.isEnabled("SELinuxMountReadWriteOncePod")
      ? [fieldRequired("spec.seLinuxMount")]
      : []),
    ...periodErrors(spec),
  ];
}

function periodErrors(spec: JsonObject): FieldError[] {
  const field = "nodeAllocatableUpdatePeriodSeconds";
  const seconds = integerAt(spec, field);
  if (spec[field] === undefined || seconds >= shortestPeriod) return [];
  const detail = `must be greater than or equal to ${shortestPeriod} seconds`;
  return [fieldInvalid(child("spec", field), seconds, detail)];
}

/** Upstream calls the first `attachedRequired`. */
function requiredErrors(spec: JsonObject): FieldError[] {
  return [
    ["attachRequired", "attachedRequired"],
    ["podInfoOnMount", "podInfoOnMount"],
    ["storageCapacity", "storageCapacity"],
  ].flatMap(([name = "", shown = ""]) =>
    spec[name] === undefined ? [fieldRequired(child("spec", shown))] : [],
  );
}

function tokenErrors(requests: readonly JsonObject[], field: string): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap((request, i) => {
    const at = index(field, i);
    const audience = textAt(request, "audience");
    if (audiences.has(audience)) return [fieldDuplicate(child(at, "audience"), audience)];
    audiences.add(audience);
    if (request["expirationSeconds"] === undefined) return [];
    return durationErrors(integerAt(request, "expirationSeconds"), child(at, "expirationSeconds"));
  });
}

function durationErrors(seconds: number | bigint, field: string): FieldError[] {
  if (seconds < shortestToken) {
    return [fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes")];
  }
  if (seconds <= longestToken) return [];
  return [fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds")];
}

function driverChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [section(object, "spec"), section(old, "spec")];
  const errors: FieldError[] = [];
  const required = spec["attachRequired"];
  if (required !== before["attachRequired"]) {
    errors.push(fieldInvalid("spec.attachedRequired", required, "field is immutable"));
  }
  const modes = spec["volumeLifecycleModes"] ?? [];
  if (!jsonEqual(modes, before["volumeLifecycleModes"] ?? [])) {
    errors.push(fieldInvalid("spec.volumeLifecycleModes", typedValue(goModes, modes), "field is immutable"));
  }
  return errors;
}
