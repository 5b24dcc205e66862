import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";

const parentField = "spec.parentRef";

/** The errors in a new IPAddress. Upstream: pkg/apis/networking/validation/validation.go, ValidateIPAddress. */
export function ipAddressErrors(address: KubeObject): readonly FieldError[] {
  return parentErrors(parentOf(address));
}

/** The error of a change of the parent, which is immutable. */
export function ipAddressUpdateErrors(address: KubeObject, old: KubeObject): readonly FieldError[] {
  const parent = parentOf(address);
  if (jsonEqual(parent ?? null, parentOf(old) ?? null)) return [];
  return [fieldInvalid(parentField, typedValue("networking.ParentReference", parent), "field is immutable")];
}

function parentOf(address: KubeObject): JsonObject | undefined {
  return objectAt(structAt(address, "spec"), "parentRef");
}

/** The group may be empty: it is for Services. */
function parentErrors(parent: JsonObject | undefined): readonly FieldError[] {
  if (parent === undefined) return [fieldRequired(parentField)];
  const group = textAt(parent, "group");
  const messages = group === "" ? [] : dnsSubdomainMessages(group);
  return [
    ...messages.map((message) => fieldInvalid(child(parentField, "group"), group, message)),
    ...requiredSegmentErrors(parent, "resource"),
    ...requiredSegmentErrors(parent, "name"),
    ...segmentErrors(parent, "namespace"),
  ];
}

function requiredSegmentErrors(parent: JsonObject, name: string): readonly FieldError[] {
  if (textAt(parent, name) === "") return [fieldRequired(child(parentField, name))];
  return segmentErrors(parent, name);
}

function segmentErrors(parent: JsonObject, name: string): readonly FieldError[] {
  const value = textAt(parent, name);
  return pathSegmentName(value, false).map((message) =>
    fieldInvalid(child(parentField, name), value, message),
  );
}
