import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import {
  booleanAt,
  integerAt,
  listAt,
  objectAt,
  sizeAt,
  structAt,
  textAt,
} from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { boundedListErrors, duplicateErrors } from "../devices/bounded-list-validation.ts";
import { deviceFormOf } from "../devices/device-form.ts";
import { driverNameErrors, poolNameErrors } from "../devices/device-name-validation.ts";
import { deviceErrors } from "./device-validation.ts";

const maxDevices = 128;
const devicesField = "spec.devices";
const termsField = "spec.nodeSelector.nodeSelectorTerms";
const oneOf = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required";

/** `old` is undefined on create. Upstream: pkg/apis/resource/validation/validation.go, ValidateResourceSlice. */
export function resourceSliceErrors(slice: KubeObject, old?: KubeObject): readonly FieldError[] {
  const spec = structAt(slice, "spec");
  const devices = listAt(spec, "devices");
  const form = deviceFormOf(slice);
  const names = devices.map((device) => textAt(device, "name"));
  return [
    ...driverNameErrors(textAt(spec, "driver"), "spec.driver"),
    ...poolErrors(structAt(spec, "pool"), "spec.pool"),
    ...(old === undefined ? [] : immutableFieldErrors(spec, structAt(old, "spec"))),
    ...nodeErrors(spec),
    ...boundedListErrors(devices, maxDevices, devicesField, (device, at) => deviceErrors(device, at, form)),
    ...duplicateErrors(names, devicesField, "name"),
  ];
}

function poolErrors(pool: JsonObject, field: string): readonly FieldError[] {
  const errors = poolNameErrors(textAt(pool, "name"), child(field, "name"));
  const [count, generation] = [integerAt(pool, "resourceSliceCount"), integerAt(pool, "generation")];
  if (count <= 0) {
    errors.push(fieldInvalid(child(field, "resourceSliceCount"), count, "must be greater than zero"));
  }
  if (generation >= 0) return errors;
  const detail = "must be greater than or equal to zero";
  return [...errors, fieldInvalid(child(field, "generation"), generation, detail)];
}

/** The pool, the driver and the node of a slice are immutable. */
function immutableFieldErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  return [["pool", "name"], ["driver"], ["nodeName"]].flatMap((path) => {
    const value = textAt(spec, ...path);
    if (value === textAt(old, ...path)) return [];
    return [fieldInvalid(child("spec", ...path), value, "field is immutable")];
  });
}

function nodeErrors(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(spec, "nodeName");
  const selector = objectAt(spec, "nodeSelector");
  const selectionCount = [name !== "", selector !== undefined, booleanAt(spec, "allNodes")].filter(
    Boolean,
  ).length;
  if (name !== "") {
    errors.push(...dnsSubdomainMessages(name).map((message) => fieldInvalid("spec.nodeName", name, message)));
  }
  if (selector !== undefined) {
    addNodeSelector(errors, selector, "spec.nodeSelector", { allowsInvalidValues: false });
    if (sizeAt(selector, "nodeSelectorTerms") !== 1) {
      const shown = typedValue("[]core.NodeSelectorTerm", [...listAt(selector, "nodeSelectorTerms")]);
      errors.push(fieldInvalid(termsField, shown, "must have exactly one selector term"));
    }
  }
  if (selectionCount === 0) errors.push(fieldRequired("spec", oneOf));
  if (selectionCount > 1)
    errors.push(fieldInvalid("spec", typedValue("resource.ResourceSliceSpec", spec), oneOf));
  return errors;
}
