import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { addSelector } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addAccessModeErrors, allowsOncePodMode } from "./access-modes.ts";

const volumeModes = ["Block", "Filesystem"];

/** The errors that an update ignores because the stored claim has them already. */
export interface ClaimLeniency {
  readonly allowsInvalidSelectorValues: boolean;
  /** Data sources with an API group that is not a valid name. */
  readonly allowsInvalidGroups: boolean;
  /** The access mode ReadWriteOncePod. */
  readonly allowsOncePod: boolean;
}

/** For a new claim. */
export function strictClaims(gates: FeatureGates): ClaimLeniency {
  return {
    allowsInvalidSelectorValues: false,
    allowsInvalidGroups: false,
    allowsOncePod: allowsOncePodMode(gates),
  };
}

/**
 * Validates the spec of a PersistentVolumeClaim or of a claim template. Upstream:
 * pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec.
 */
export function addClaimSpecErrors(
  errors: Findings,
  spec: JsonObject,
  path: string,
  leniency: ClaimLeniency,
): void {
  const modes = textsAt(spec, "accessModes");
  const field = child(path, "accessModes");
  const { allowsInvalidSelectorValues, allowsInvalidGroups, allowsOncePod } = leniency;
  if (modes.length === 0) errors.push(fieldRequired(field, "at least 1 access mode is required"));
  addSelector(errors, spec["selector"], child(path, "selector"), {
    allowsInvalidValues: allowsInvalidSelectorValues,
  });
  addAccessModeErrors(errors, modes, field, allowsOncePod);
  addStorageErrors(errors, spec, path);
  addNameErrors(errors, spec, "storageClassName", path);
  addVolumeModeErrors(errors, spec, path);
  addDataSourceErrors(errors, spec, "dataSource", path, allowsInvalidGroups);
  addDataSourceErrors(errors, spec, "dataSourceRef", path, allowsInvalidGroups);
  addAgreementErrors(errors, spec, path);
  addNameErrors(errors, spec, "volumeAttributesClassName", path);
}

/** Upstream's path lacks `requests`. */
function addStorageErrors(errors: Findings, spec: JsonObject, path: string): void {
  const storage = objectAt(spec, "resources", "requests")?.["storage"];
  const field = key(child(path, "resources"), "storage");
  if (typeof storage !== "string") {
    errors.push(fieldRequired(field));
    return;
  }
  if (parseQuantity(storage).sign > 0) return;
  errors.push(fieldInvalid(field, storage, "must be greater than zero"));
}

function addNameErrors(errors: Findings, spec: JsonObject, name: string, path: string): void {
  const value = textAt(spec, name);
  if (value === "") return;
  addInvalid(errors, child(path, name), value, dnsSubdomainMessages(value));
}

function addVolumeModeErrors(errors: Findings, spec: JsonObject, path: string): void {
  const mode = spec["volumeMode"];
  if (mode === undefined || volumeModes.includes(String(mode))) return;
  errors.push(fieldNotSupported(child(path, "volumeMode"), mode, volumeModes));
}

function addDataSourceErrors(
  errors: Findings,
  spec: JsonObject,
  name: string,
  path: string,
  allowsInvalidGroups: boolean,
): void {
  const source = objectAt(spec, name);
  if (source === undefined) return;
  const at = child(path, name);
  const kind = textAt(source, "kind");
  const group = textAt(source, "apiGroup");
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
  if (namespace === "") return;
  for (const message of dnsLabelMessages(namespace)) {
    errors.push(fieldInvalid(child(at, "namespace"), namespace, message));
  }
}

/** `dataSource` and `dataSourceRef` must be equal, unless the latter names another namespace. */
function addAgreementErrors(errors: Findings, spec: JsonObject, path: string): void {
  const source = objectAt(spec, "dataSource");
  const ref = objectAt(spec, "dataSourceRef");
  if (source === undefined || ref === undefined) return;
  // Upstream shows the Go struct of the path instead of the value.
  const shown = go.raw('field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}', "{}");
  if (textAt(ref, "namespace")) {
    errors.push(fieldInvalid(path, shown, "may not be specified when dataSourceRef.namespace is specified"));
    return;
  }
  const same = ["apiGroup", "kind", "name"].every((name) => source[name] === ref[name]);
  if (!same) errors.push(fieldInvalid(path, shown, "must match dataSourceRef"));
}
