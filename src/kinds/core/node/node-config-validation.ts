import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { configKeyMessages } from "../../../apimachinery/validation/value-formats.ts";

/** Validates a source of dynamic kubelet configuration. Only nodes that are older than its removal have one. */
export function configSourceErrors(source: JsonObject, field: string): FieldError[] {
  return sourceErrors(source, field, (reference, at) => [
    ...(textAt(reference, "uid") ? [fieldForbidden(child(at, "uid"), "uid must not be set in spec")] : []),
    ...(textAt(reference, "resourceVersion")
      ? [fieldForbidden(child(at, "resourceVersion"), "resourceVersion must not be set in spec")]
      : []),
  ]);
}

/** Validates the configurations that a kubelet reports. */
export function configStatusErrors(status: JsonObject, field: string): FieldError[] {
  return ["assigned", "active", "lastKnownGood"].flatMap((name) => {
    const source = objectAt(status, name);
    return source === undefined ? [] : sourceErrors(source, child(field, name), reportedErrors);
  });
}

function reportedErrors(reference: JsonObject, at: string): FieldError[] {
  return ["uid", "resourceVersion"]
    .filter((name) => !textAt(reference, name))
    .map((name) => fieldRequired(child(at, name), `${name} must be set in status`));
}

function sourceErrors(
  source: JsonObject,
  field: string,
  identityErrors: (reference: JsonObject, at: string) => FieldError[],
): FieldError[] {
  const reference = objectAt(source, "configMap");
  if (reference === undefined) {
    const shown = plainValue("core.NodeConfigSource", source);
    return [fieldInvalid(field, shown, "exactly one reference subfield must be non-nil")];
  }
  const at = child(field, "configMap");
  return [
    ...identityErrors(reference, at),
    ...partErrors(reference, "namespace", dnsLabelMessages, at),
    ...partErrors(reference, "name", dnsSubdomainMessages, at),
    ...partErrors(reference, "kubeletConfigKey", configKeyMessages, at),
  ];
}

function partErrors(
  reference: JsonObject,
  name: string,
  messagesOf: (text: string) => readonly Wording[],
  at: string,
): FieldError[] {
  const text = textAt(reference, name);
  if (text === "") return [fieldRequired(child(at, name), `${name} must be set`)];
  return messagesOf(text).map((message) => fieldInvalid(child(at, name), text, message));
}
