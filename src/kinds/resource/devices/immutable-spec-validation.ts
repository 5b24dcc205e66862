import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { structAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** An error if the spec changes. `type` is the Go type of the spec, in which the message shows it. */
export function immutableSpecErrors(
  object: KubeObject,
  old: KubeObject,
  type: string,
): readonly FieldError[] {
  const spec = structAt(object, "spec");
  if (jsonEqual(spec, structAt(old, "spec"))) return [];
  return [fieldInvalid("spec", typedValue(type, spec), "field is immutable")];
}
