import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import {
  dns1035LabelMessages,
  dnsSubdomainMessages,
  type NameValidator,
  pathSegmentName,
} from "../../../apimachinery/validation/names.ts";
import { addObjectMetaErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import { base64Size } from "../../core/config-data/config-data.ts";

/** Upstream: k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go, ValidateAPIService. */
export function addApiServiceErrors(errors: Findings, object: KubeObject): void {
  const spec = structAt(object, "spec");
  const version = textAt(spec, "version");
  const validateName = nameOf(version, textAt(spec, "group"));
  addObjectMetaErrors(errors, object.metadata, { namespaced: false, validateName });
  addGroupErrors(errors, textAt(spec, "group"), version);
  addInvalid(errors, "spec.version", version, dns1035LabelMessages(version));
  addPriorityErrors(errors, spec, "groupPriorityMinimum", 20000);
  addPriorityErrors(errors, spec, "versionPriority", 1000);
  addServerErrors(errors, spec);
}

/** The name is `<version>.<group>`. */
function nameOf(version: string, group: string): NameValidator {
  const required = `${version}.${group}`;
  return (name) => {
    const messages = pathSegmentName(name, "name");
    if (messages.length > 0 || name === required) return messages;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`];
  };
}

function addGroupErrors(errors: Findings, group: string, version: string): void {
  if (group !== "") {
    addInvalid(errors, "spec.group", group, dnsSubdomainMessages(group));
    return;
  }
  if (version === "v1") return;
  const detail = "only v1 may have an empty group and it better be legacy kube";
  errors.push(fieldRequired("spec.group", detail));
}

function addPriorityErrors(errors: Findings, spec: JsonObject, name: string, maximum: number): void {
  const priority = integerAt(spec, name);
  if (priority > 0 && priority <= maximum) return;
  errors.push(fieldInvalid(`spec.${name}`, priority, `must be positive and less than ${maximum}`));
}

function addServerErrors(errors: Findings, spec: JsonObject): void {
  const service = objectAt(spec, "service");
  const skipsVerify = spec["insecureSkipTLSVerify"] === true;
  const bundle = base64Size(textAt(spec, "caBundle"));
  const insecure = (detail: string) => fieldInvalid("spec.insecureSkipTLSVerify", true, detail);
  if (service === undefined) {
    const detail = "local APIServices may not have a caBundle";
    if (bundle > 0) errors.push(fieldInvalid("spec.caBundle", `${bundle} bytes`, detail));
    if (skipsVerify) errors.push(insecure("local APIServices may not have insecureSkipTLSVerify"));
    return;
  }
  addServiceErrors(errors, service);
  if (skipsVerify && bundle > 0) errors.push(insecure("may not be true if caBundle is present"));
}

function addServiceErrors(errors: Findings, service: JsonObject): void {
  for (const name of ["namespace", "name"]) {
    if (!textAt(service, name)) errors.push(fieldRequired(`spec.service.${name}`));
  }
  const port = integerAt(service, "port");
  const messages = portNumberMessages(Number(port));
  if (messages.length === 0) return;
  errors.push(fieldInvalid("spec.service.port", port, `port is not valid: ${messages.join(", ")}`));
}
