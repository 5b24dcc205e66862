import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addSelector } from "../../findings/findings.ts";
import { accessModeErrors } from "./access-modes.ts";

const volumeModes = ["Block", "Filesystem"];

/** The errors that an update ignores because the stored claim has them already. */
export interface ClaimLeniency {
  readonly allowsInvalidSelectorValues: boolean;
  /** Data sources with an API group that is not a valid name. */
  readonly allowsInvalidGroups: boolean;
}

const strict: ClaimLeniency = { allowsInvalidSelectorValues: false, allowsInvalidGroups: false };

/**
 * Validates the spec of a PersistentVolumeClaim or of a claim template. Upstream:
 * pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec.
 */
export function claimSpecErrors(
  spec: JsonObject,
  path: string,
  leniency: ClaimLeniency = strict,
): FieldError[] {
  const modes = textsAt(spec, "accessModes");
  const field = child(path, "accessModes");
  const { allowsInvalidSelectorValues, allowsInvalidGroups } = leniency;
  const selectorErrors: FieldError[] = [];
  addSelector(selectorErrors, spec["selector"], child(path, "selector"), {
    allowsInvalidValues: allowsInvalidSelectorValues,
  });
  return [
    ...(modes.length === 0 ? [fieldRequired(field, "at least 1 access mode is required")] : []),
    ...selectorErrors,
    ...accessModeErrors(modes, field),
    ...storageErrors(spec, path),
    ...nameErrors(spec, "storageClassName", path),
    ...volumeModeErrors(spec, path),
    ...dataSourceErrors(spec, "dataSource", path, allowsInvalidGroups),
    ...dataSourceErrors(spec, "dataSourceRef", path, allowsInvalidGroups),
    ...agreementErrors(spec, path),
    ...nameErrors(spec, "volumeAttributesClassName", path),
  ];
}

/** Upstream's path lacks `requests`. */
function storageErrors(spec: JsonObject, path: string): FieldError[] {
  const storage = objectAt(spec, "resources", "requests")?.["storage"];
  const field = key(child(path, "resources"), "storage");
  if (typeof storage !== "string") return [fieldRequired(field)];
  if (parseQuantity(storage).sign > 0) return [];
  return [fieldInvalid(field, storage, "must be greater than zero")];
}

function nameErrors(spec: JsonObject, name: string, path: string): FieldError[] {
  const value = textAt(spec, name);
  if (value === "") return [];
  return dnsSubdomainMessages(value).map((message) => fieldInvalid(child(path, name), value, message));
}

function volumeModeErrors(spec: JsonObject, path: string): FieldError[] {
  const mode = spec["volumeMode"];
  if (mode === undefined || volumeModes.includes(String(mode))) return [];
  return [fieldNotSupported(child(path, "volumeMode"), mode, volumeModes)];
}

function dataSourceErrors(
  spec: JsonObject,
  name: string,
  path: string,
  allowsInvalidGroups: boolean,
): FieldError[] {
  const source = objectAt(spec, name);
  if (source === undefined) return [];
  const at = child(path, name);
  const kind = textAt(source, "kind");
  const group = textAt(source, "apiGroup");
  const errors: FieldError[] = [];
  if (!textAt(source, "name")) errors.push(fieldRequired(child(at, "name")));
  if (kind === "") errors.push(fieldRequired(child(at, "kind")));
  if (group === "" && kind !== "PersistentVolumeClaim") {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(fieldInvalid(at, kind, detail));
  }
  if (!allowsInvalidGroups && group !== "") {
    for (const message of dnsSubdomainMessages(group)) {
      errors.push(fieldInvalid(child(at, "apiGroup"), group, message));
    }
  }
  const namespace = textAt(source, "namespace");
  if (namespace === "") return errors;
  for (const message of dnsLabelMessages(namespace)) {
    errors.push(fieldInvalid(child(at, "namespace"), namespace, message));
  }
  return errors;
}

/** `dataSource` and `dataSourceRef` must be equal, unless the latter names another namespace. */
function agreementErrors(spec: JsonObject, path: string): FieldError[] {
  const source = objectAt(spec, "dataSource");
  const ref = objectAt(spec, "dataSourceRef");
  if (source === undefined || ref === undefined) return [];
  // Upstream shows the Go struct of the path instead of the value.
  const shown = go.raw('field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}', "{}");
  if (textAt(ref, "namespace")) {
    return [fieldInvalid(path, shown, "may not be specified when dataSourceRef.namespace is specified")];
  }
  const same = ["apiGroup", "kind", "name"].every((name) => source[name] === ref[name]);
  return same ? [] : [fieldInvalid(path, shown, "must match dataSourceRef")];
}
