import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { structAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Adds an error if the spec changes. `type` is the Go type of the spec, in which the message shows it. */
export function addImmutableSpecErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  type: string,
): void {
  const spec = structAt(object, "spec");
  if (jsonEqual(spec, structAt(old, "spec"))) return;
  errors.push(fieldInvalid("spec", typedValue(type, spec), "field is immutable"));
}
