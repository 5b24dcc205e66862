import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  dns1035LabelMessages,
  dnsSubdomainMessages,
  type NameValidator,
  pathSegmentName,
} from "../../../apimachinery/validation/names.ts";
import { validateObjectMeta } from "../../../apimachinery/validation/object-meta-validation.ts";
import { portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import { base64Size } from "../../core/config-data/config-data.ts";

/** Upstream: k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go, ValidateAPIService. */
export function apiServiceErrors(object: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  const version = textAt(spec, "version");
  const validateName = nameOf(version, textAt(spec, "group"));
  return [
    ...validateObjectMeta(object.metadata, { namespaced: false, validateName }),
    ...groupErrors(textAt(spec, "group"), version),
    ...dns1035LabelMessages(version).map((message) => fieldInvalid("spec.version", version, message)),
    ...priorityErrors(spec, "groupPriorityMinimum", 20000),
    ...priorityErrors(spec, "versionPriority", 1000),
    ...serverErrors(spec),
  ];
}

/** The name is `<version>.<group>`. */
function nameOf(version: string, group: string): NameValidator {
  const required = `${version}.${group}`;
  return (name) => {
    const messages = pathSegmentName(name, false);
    if (messages.length > 0 || name === required) return messages;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`];
  };
}

function groupErrors(group: string, version: string): FieldError[] {
  if (group !== "") {
    return dnsSubdomainMessages(group).map((message) => fieldInvalid("spec.group", group, message));
  }
  if (version === "v1") return [];
  const detail = "only v1 may have an empty group and it better be legacy kube";
  return [fieldRequired("spec.group", detail)];
}

function priorityErrors(spec: JsonObject, name: string, maximum: number): FieldError[] {
  const priority = integerAt(spec, name);
  if (priority > 0 && priority <= maximum) return [];
  return [fieldInvalid(`spec.${name}`, priority, `must be positive and less than ${maximum}`)];
}

function serverErrors(spec: JsonObject): FieldError[] {
  const service = objectAt(spec, "service");
  const skipsVerify = spec["insecureSkipTLSVerify"] === true;
  const bundle = base64Size(textAt(spec, "caBundle"));
  const insecure = (detail: string) => fieldInvalid("spec.insecureSkipTLSVerify", true, detail);
  if (service === undefined) {
    const detail = "local APIServices may not have a caBundle";
    return [
      ...(bundle > 0 ? [fieldInvalid("spec.caBundle", `${bundle} bytes`, detail)] : []),
      ...(skipsVerify ? [insecure("local APIServices may not have insecureSkipTLSVerify")] : []),
    ];
  }
  return [
    ...serviceErrors(service),
    ...(skipsVerify && bundle > 0 ? [insecure("may not be true if caBundle is present")] : []),
  ];
}

function serviceErrors(service: JsonObject): FieldError[] {
  const errors = ["namespace", "name"]
    .filter((name) => !textAt(service, name))
    .map((name) => fieldRequired(`spec.service.${name}`));
  const port = integerAt(service, "port");
  const messages = portNumberMessages(Number(port));
  if (messages.length === 0) return errors;
  return [...errors, fieldInvalid("spec.service.port", port, `port is not valid: ${messages.join(", ")}`)];
}
