import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { checkedOnce } from "../../../apimachinery/validation/checked-once.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import {
  configKeyMessages,
  envVarNameMessages,
  relaxedEnvVarNameMessages,
} from "../../../apimachinery/validation/value-formats.ts";
import { addFieldRef, addResourceFieldRef } from "./field-refs.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

const environmentFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Validates the environment variables of a container. */
export function addEnv(
  errors: Findings,
  container: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  listAt(container, "env").forEach((variable, i) => {
    addVariable(errors, variable, index(path, i), options);
  });
}

type EnvOptions = Pick<PodValidationOptions, "gates" | "allowsHugePageRefs">;

const addVariable = checkedOnce(
  (errors, variable: JsonObject, at, options: EnvOptions) => {
    const name = textAt(variable, "name");
    if (name === "") errors.push(fieldRequired(child(at, "name")));
    else addInvalid(errors, child(at, "name"), name, nameMessages(name, options));
    const source = objectAt(variable, "valueFrom");
    if (source === undefined) return;
    addValueFrom(errors, source, textAt(variable, "value"), child(at, "valueFrom"), options);
  },
  ({ gates, allowsHugePageRefs }) => [gates, allowsHugePageRefs],
);

function nameMessages(name: string, options: EnvOptions): readonly string[] {
  return options.gates.isEnabled("RelaxedEnvironmentVariableValidation")
    ? relaxedEnvVarNameMessages(name)
    : envVarNameMessages(name);
}

function addValueFrom(
  errors: Findings,
  source: JsonObject,
  value: string,
  path: string,
  options: EnvOptions,
): void {
  const fieldRef = objectAt(source, "fieldRef");
  const resourceFieldRef = objectAt(source, "resourceFieldRef");
  const configMapKeyRef = objectAt(source, "configMapKeyRef");
  const secretKeyRef = objectAt(source, "secretKeyRef");
  if (fieldRef) addFieldRef(errors, fieldRef, environmentFields, child(path, "fieldRef"));
  if (resourceFieldRef) {
    addResourceFieldRef(errors, resourceFieldRef, child(path, "resourceFieldRef"), "inContainer", options);
  }
  if (configMapKeyRef) addKeyRef(errors, configMapKeyRef, child(path, "configMapKeyRef"));
  if (secretKeyRef) addKeyRef(errors, secretKeyRef, child(path, "secretKeyRef"));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(Boolean).length;
  if (sources === 0) {
    const choice = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
    errors.push(fieldInvalid(path, "", `must specify one of: ${choice}`));
  } else if (value !== "") {
    errors.push(fieldInvalid(path, "", "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    errors.push(fieldInvalid(path, "", "may not have more than one field specified at a time"));
  }
}

function addKeyRef(errors: Findings, ref: JsonObject, path: string): void {
  const key = textAt(ref, "key");
  addSubdomain(errors, textAt(ref, "name"), child(path, "name"));
  if (key === "") errors.push(fieldRequired(child(path, "key")));
  else addInvalid(errors, child(path, "key"), key, configKeyMessages(key));
}

/** Validates `envFrom`. Errors about none or several sources have the path of the list. */
export function addEnvFrom(
  errors: Findings,
  container: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  listAt(container, "envFrom").forEach((source, i) => {
    const at = index(path, i);
    const prefix = textAt(source, "prefix");
    if (prefix !== "") addInvalid(errors, child(at, "prefix"), prefix, nameMessages(prefix, options));
    const configMap = objectAt(source, "configMapRef");
    const secret = objectAt(source, "secretRef");
    if (configMap) addSourceName(errors, configMap, child(at, "configMapRef", "name"));
    if (secret) addSourceName(errors, secret, child(at, "secretRef", "name"));
    if (!configMap && !secret) {
      errors.push(fieldInvalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (configMap && secret) {
      errors.push(fieldInvalid(path, "", "may not have more than one field specified at a time"));
    }
  });
}

/** Upstream validates the name as a prefix, which can end in a dash. */
function addSourceName(errors: Findings, source: JsonObject, field: string): void {
  const name = textAt(source, "name");
  if (name === "") errors.push(fieldRequired(field));
  else addInvalid(errors, field, name, dnsSubdomainName(name, "generateName"));
}
