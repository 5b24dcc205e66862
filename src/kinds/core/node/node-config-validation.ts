import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { configKeyMessages } from "../../../apimachinery/validation/value-formats.ts";

/** Validates a source of dynamic kubelet configuration. Only nodes that are older than its removal have one. */
export function addConfigSourceErrors(errors: Findings, source: JsonObject, field: string): void {
  addSourceErrors(errors, source, field, (errors, reference, at) => {
    if (textAt(reference, "uid")) {
      errors.push(fieldForbidden(child(at, "uid"), "uid must not be set in spec"));
    }
    if (textAt(reference, "resourceVersion")) {
      errors.push(fieldForbidden(child(at, "resourceVersion"), "resourceVersion must not be set in spec"));
    }
  });
}

/** Validates the configurations that a kubelet reports. */
export function addConfigStatusErrors(errors: Findings, status: JsonObject, field: string): void {
  for (const name of ["assigned", "active", "lastKnownGood"]) {
    const source = objectAt(status, name);
    if (source !== undefined) addSourceErrors(errors, source, child(field, name), addReportedErrors);
  }
}

function addReportedErrors(errors: Findings, reference: JsonObject, at: string): void {
  for (const name of ["uid", "resourceVersion"]) {
    if (!textAt(reference, name)) {
      errors.push(fieldRequired(child(at, name), `${name} must be set in status`));
    }
  }
}

function addSourceErrors(
  errors: Findings,
  source: JsonObject,
  field: string,
  addIdentityErrors: (errors: Findings, reference: JsonObject, at: string) => void,
): void {
  const reference = objectAt(source, "configMap");
  if (reference === undefined) {
    const shown = plainValue("core.NodeConfigSource", source);
    errors.push(fieldInvalid(field, shown, "exactly one reference subfield must be non-nil"));
    return;
  }
  const at = child(field, "configMap");
  addIdentityErrors(errors, reference, at);
  addPartErrors(errors, reference, "namespace", dnsLabelMessages, at);
  addPartErrors(errors, reference, "name", dnsSubdomainMessages, at);
  addPartErrors(errors, reference, "kubeletConfigKey", configKeyMessages, at);
}

function addPartErrors(
  errors: Findings,
  reference: JsonObject,
  name: string,
  messagesOf: (text: string) => readonly Wording[],
  at: string,
): void {
  const text = textAt(reference, name);
  if (text === "") errors.push(fieldRequired(child(at, name), `${name} must be set`));
  else addInvalid(errors, child(at, name), text, messagesOf(text));
}
