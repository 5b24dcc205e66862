import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";

const parentField = "spec.parentRef";

/** Adds the errors in a new IPAddress. Upstream: pkg/apis/networking/validation/validation.go, ValidateIPAddress. */
export function addIpAddressErrors(errors: Findings, address: KubeObject): void {
  addParentErrors(errors, parentOf(address));
}

/** Adds the error of a change of the parent, which is immutable. */
export function addIpAddressUpdateErrors(errors: Findings, address: KubeObject, old: KubeObject): void {
  const parent = parentOf(address);
  if (jsonEqual(parent ?? null, parentOf(old) ?? null)) return;
  errors.push(
    fieldInvalid(parentField, typedValue("networking.ParentReference", parent), "field is immutable"),
  );
}

function parentOf(address: KubeObject): JsonObject | undefined {
  return objectAt(structAt(address, "spec"), "parentRef");
}

/** The group may be empty: it is for Services. */
function addParentErrors(errors: Findings, parent: JsonObject | undefined): void {
  if (parent === undefined) {
    errors.push(fieldRequired(parentField));
    return;
  }
  const group = textAt(parent, "group");
  const messages = group === "" ? [] : dnsSubdomainMessages(group);
  addInvalid(errors, child(parentField, "group"), group, messages);
  addRequiredSegmentErrors(errors, parent, "resource");
  addRequiredSegmentErrors(errors, parent, "name");
  addSegmentErrors(errors, parent, "namespace");
}

function addRequiredSegmentErrors(errors: Findings, parent: JsonObject, name: string): void {
  if (textAt(parent, name) === "") errors.push(fieldRequired(child(parentField, name)));
  else addSegmentErrors(errors, parent, name);
}

function addSegmentErrors(errors: Findings, parent: JsonObject, name: string): void {
  const value = textAt(parent, name);
  addInvalid(errors, child(parentField, name), value, pathSegmentName(value, "name"));
}
