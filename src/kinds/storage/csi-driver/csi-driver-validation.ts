import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

const groupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];

const lifecycleModes = ["Persistent", "Ephemeral"];

const minPeriodSeconds = 10;

const minTokenSeconds = 600;

const maxTokenSeconds = 2 ** 32;

/** The errors in a CSIDriver. Upstream: pkg/apis/storage/validation/validation.go, validateCSIDriverSpec. */
export function csiDriverErrors(object: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  const policy = spec["fsGroupPolicy"];
  return [
    ...(policy === undefined || groupPolicies.includes(String(policy))
      ? []
      : [fieldNotSupported("spec.fsGroupPolicy", policy, groupPolicies)]),
    ...tokenErrors(listAt(spec, "tokenRequests"), "spec.tokenRequests"),
    ...textsAt(spec, "volumeLifecycleModes")
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => fieldNotSupported("spec.volumeLifecycleModes", mode, lifecycleModes)),
    ...periodErrors(spec),
  ];
}

function periodErrors(spec: JsonObject): FieldError[] {
  const field = "nodeAllocatableUpdatePeriodSeconds";
  const seconds = integerAt(spec, field);
  if (spec[field] === undefined || seconds >= minPeriodSeconds) return [];
  const detail = `must be greater than or equal to ${minPeriodSeconds} seconds`;
  return [fieldInvalid(child("spec", field), seconds, detail)];
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
  if (seconds < minTokenSeconds) {
    return [fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes")];
  }
  if (seconds <= maxTokenSeconds) return [];
  return [fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds")];
}

/**
 * The errors about changes of immutable fields.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateCSIDriverUpdate.
 */
export function csiDriverChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [structAt(object, "spec"), structAt(old, "spec")];
  const errors: FieldError[] = [];
  const required = spec["attachRequired"];
  if (required !== before["attachRequired"]) {
    errors.push(fieldInvalid("spec.attachedRequired", required, "field is immutable"));
  }
  const modes = spec["volumeLifecycleModes"] ?? [];
  if (!jsonEqual(modes, before["volumeLifecycleModes"] ?? [])) {
    errors.push(
      fieldInvalid(
        "spec.volumeLifecycleModes",
        typedValue("[]storage.VolumeLifecycleMode", modes),
        "field is immutable",
      ),
    );
  }
  return errors;
}
