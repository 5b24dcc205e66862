import { fieldDuplicate, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const groupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];

const lifecycleModes = ["Persistent", "Ephemeral"];

const minPeriodSeconds = 10;

const minTokenSeconds = 600;

const maxTokenSeconds = 2 ** 32;

/** Adds the errors in a CSIDriver. Upstream: pkg/apis/storage/validation/validation.go, validateCSIDriverSpec. */
export function addCsiDriverErrors(errors: Findings, object: KubeObject): void {
  const spec = structAt(object, "spec");
  const policy = spec["fsGroupPolicy"];
  if (policy !== undefined && !groupPolicies.includes(String(policy))) {
    errors.push(fieldNotSupported("spec.fsGroupPolicy", policy, groupPolicies));
  }
  addTokenErrors(errors, listAt(spec, "tokenRequests"), "spec.tokenRequests");
  for (const mode of textsAt(spec, "volumeLifecycleModes")) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(fieldNotSupported("spec.volumeLifecycleModes", mode, lifecycleModes));
    }
  }
  addPeriodErrors(errors, spec);
}

function addPeriodErrors(errors: Findings, spec: JsonObject): void {
  const field = "nodeAllocatableUpdatePeriodSeconds";
  const seconds = integerAt(spec, field);
  if (spec[field] === undefined || seconds >= minPeriodSeconds) return;
  const detail = `must be greater than or equal to ${minPeriodSeconds} seconds`;
  errors.push(fieldInvalid(child("spec", field), seconds, detail));
}

function addTokenErrors(errors: Findings, requests: readonly JsonObject[], field: string): void {
  const audiences = new Set<string>();
  for (const [i, request] of requests.entries()) {
    const at = index(field, i);
    const audience = textAt(request, "audience");
    if (audiences.has(audience)) {
      errors.push(fieldDuplicate(child(at, "audience"), audience));
      continue;
    }
    audiences.add(audience);
    if (request["expirationSeconds"] === undefined) continue;
    addDurationErrors(errors, integerAt(request, "expirationSeconds"), child(at, "expirationSeconds"));
  }
}

function addDurationErrors(errors: Findings, seconds: number | bigint, field: string): void {
  if (seconds < minTokenSeconds) {
    errors.push(fieldInvalid(field, seconds, "may not specify a duration less than 10 minutes"));
    return;
  }
  if (seconds <= maxTokenSeconds) return;
  errors.push(fieldInvalid(field, seconds, "may not specify a duration larger than 2^32 seconds"));
}

/**
 * Adds the errors about changes of immutable fields.
 * Upstream: pkg/apis/storage/validation/validation.go, ValidateCSIDriverUpdate.
 */
export function addCsiDriverChangeErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const [spec, before] = [structAt(object, "spec"), structAt(old, "spec")];
  const required = spec["attachRequired"];
  if (required !== before["attachRequired"]) {
    errors.push(fieldInvalid("spec.attachedRequired", required, "field is immutable"));
  }
  const modes = spec["volumeLifecycleModes"] ?? [];
  if (!jsonEqual(modes, before["volumeLifecycleModes"] ?? [])) {
    errors.push(
      fieldInvalid(
        "spec.volumeLifecycleModes",
        plainValue("[]storage.VolumeLifecycleMode", spec["volumeLifecycleModes"]),
        "field is immutable",
      ),
    );
  }
}
