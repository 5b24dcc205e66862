import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import {
  booleanAt,
  integerAt,
  listAt,
  objectAt,
  sizeAt,
  structAt,
  textAt,
} from "../../../apimachinery/fields.ts";
import { plainValue, typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addNodeSelector } from "../../pod-spec/validation/node-selector.ts";
import { addInstanceErrors, addModelErrors } from "../classes/named-resources-validation.ts";
import { addBoundedListErrors, addDuplicateErrors } from "../devices/bounded-list-validation.ts";
import { deviceFormOf } from "../devices/device-form.ts";
import { addDriverNameErrors, addPoolNameErrors } from "../devices/device-name-validation.ts";
import { addDeviceErrors } from "./device-validation.ts";

const maxDevices = 128;
const devicesField = "spec.devices";
const termsField = "spec.nodeSelector.nodeSelectorTerms";
const oneOf = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required";

/** `old` is undefined on create. Upstream: pkg/apis/resource/validation/validation.go, ValidateResourceSlice. */
export function addResourceSliceErrors(errors: Findings, slice: KubeObject, old?: KubeObject): void {
  const spec = structAt(slice, "spec");
  const devices = listAt(spec, "devices");
  const form = deviceFormOf(slice);
  // The model of v1alpha2 has no pools and devices.
  if (slice.apiVersion.endsWith("/v1alpha2")) {
    addAlphaSliceErrors(errors, slice, old);
    return;
  }
  const names = devices.map((device) => textAt(device, "name"));
  addDriverNameErrors(errors, textAt(spec, "driver"), "spec.driver");
  addPoolErrors(errors, structAt(spec, "pool"), "spec.pool");
  if (old !== undefined) addImmutableFieldErrors(errors, spec, structAt(old, "spec"));
  addNodeErrors(errors, spec);
  addBoundedListErrors(errors, devices, maxDevices, devicesField, (errors, device, at) =>
    addDeviceErrors(errors, device, at, form),
  );
  addDuplicateErrors(errors, names, devicesField, "name");
}

/** A slice of 1.30. Its node and its driver are immutable. */
function addAlphaSliceErrors(errors: Findings, slice: KubeObject, old: KubeObject | undefined): void {
  const node = textAt(slice, "nodeName");
  if (node !== "") addSubdomain(errors, node, "nodeName");
  addDriverNameErrors(errors, textAt(slice, "driverName"), "driverName");
  addModelErrors(errors, slice, "", addInstanceErrors);
  if (old === undefined) return;
  for (const field of ["nodeName", "driverName"]) {
    const value = textAt(slice, field);
    if (value !== textAt(old, field)) errors.push(fieldInvalid(field, value, "field is immutable"));
  }
}

function addPoolErrors(errors: Findings, pool: JsonObject, field: string): void {
  addPoolNameErrors(errors, textAt(pool, "name"), child(field, "name"));
  const [count, generation] = [integerAt(pool, "resourceSliceCount"), integerAt(pool, "generation")];
  if (count <= 0) {
    errors.push(fieldInvalid(child(field, "resourceSliceCount"), count, "must be greater than zero"));
  }
  if (generation >= 0) return;
  const detail = "must be greater than or equal to zero";
  errors.push(fieldInvalid(child(field, "generation"), generation, detail));
}

/** The pool, the driver and the node of a slice are immutable. */
function addImmutableFieldErrors(errors: Findings, spec: JsonObject, old: JsonObject): void {
  for (const path of [["pool", "name"], ["driver"], ["nodeName"]]) {
    const value = textAt(spec, ...path);
    if (value === textAt(old, ...path)) continue;
    errors.push(fieldInvalid(child("spec", ...path), value, "field is immutable"));
  }
}

function addNodeErrors(errors: Findings, spec: JsonObject): void {
  const name = textAt(spec, "nodeName");
  const selector = objectAt(spec, "nodeSelector");
  const selectionCount = [name !== "", selector !== undefined, booleanAt(spec, "allNodes")].filter(
    Boolean,
  ).length;
  if (name !== "") addInvalid(errors, "spec.nodeName", name, dnsSubdomainMessages(name));
  if (selector !== undefined) {
    addNodeSelector(errors, selector, "spec.nodeSelector", { allowsInvalidValues: false });
    if (sizeAt(selector, "nodeSelectorTerms") !== 1) {
      const shown = plainValue("[]core.NodeSelectorTerm", selector["nodeSelectorTerms"]);
      errors.push(fieldInvalid(termsField, shown, "must have exactly one selector term"));
    }
  }
  if (selectionCount === 0) errors.push(fieldRequired("spec", oneOf));
  if (selectionCount > 1) {
    errors.push(fieldInvalid("spec", typedValue("resource.ResourceSliceSpec", spec), oneOf));
  }
}
