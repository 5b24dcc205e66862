import { fieldInvalid, fieldRequired, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { jsonSyntaxError } from "../../../codec/json/go-json-error.ts";
import { parseJson } from "../../../codec/json/json.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addDataKeyErrors,
  addImmutabilityErrors,
  base64Size,
  binaryText,
  maxDataSize,
  withImmutability,
} from "../config-data/config-data.ts";
import { keyPairProblem } from "./key-pair.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };
const accountName = "kubernetes.io/service-account.name";

/** The strategy of Secrets, whose type determines the required data. Upstream: pkg/registry/core/secret/strategy.go. */
export function secretStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withImmutability(base, gates),
    validate: addSecretErrors,
    warningsOnCreate: keyPairWarnings,
    validateUpdate: (errors, object, old) => {
      addTypeChangeErrors(errors, object, old);
      addImmutabilityErrors(errors, object, old, ["data"]);
      addMetadataErrors(errors, object, metadataRules);
      addSecretErrors(errors, object);
    },
    warningsOnUpdate: keyPairWarnings,
  };
}

function addTypeChangeErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const type = textAt(object, "type");
  if (type !== textAt(old, "type")) errors.push(fieldInvalid("type", type, "field is immutable"));
}

function addSecretErrors(errors: Findings, object: KubeObject): void {
  const data = objectAt(object, "data") ?? {};
  let size = 0;
  for (const name of Object.keys(data)) {
    addDataKeyErrors(errors, name, "data");
    size += base64Size(textAt(data, name));
  }
  if (size > maxDataSize) errors.push(fieldTooLong("data", maxDataSize));
  const ofType = contentChecks.get(textAt(object, "type"));
  ofType?.(errors, data, object);
}

/** Validates the data of a type. */
type ContentCheck = (errors: Findings, data: JsonObject, secret: KubeObject) => void;

const contentChecks: ReadonlyMap<string, ContentCheck> = new Map<string, ContentCheck>([
  ["kubernetes.io/service-account-token", addAccountNameErrors],
  ["kubernetes.io/dockercfg", (errors, data) => addJsonErrors(errors, data, ".dockercfg")],
  ["kubernetes.io/dockerconfigjson", (errors, data) => addJsonErrors(errors, data, ".dockerconfigjson")],
  ["kubernetes.io/basic-auth", addLoginErrors],
  ["kubernetes.io/ssh-auth", addKeyErrors],
  ["kubernetes.io/tls", addKeyPairErrors],
]);

function addAccountNameErrors(errors: Findings, _data: JsonObject, { metadata }: KubeObject): void {
  if (metadata.annotations?.[accountName]) return;
  errors.push(fieldRequired(key("metadata.annotations", accountName)));
}

function addKeyErrors(errors: Findings, data: JsonObject): void {
  if (!textAt(data, "ssh-privatekey")) addRequired(errors, "ssh-privatekey");
}

function addKeyPairErrors(errors: Findings, data: JsonObject): void {
  for (const name of missing(data, "tls.crt", "tls.key")) addRequired(errors, name);
}

/** Requires a username or a password, which can be empty. */
function addLoginErrors(errors: Findings, data: JsonObject): void {
  const names = missing(data, "username", "password");
  if (names.length === 2) {
    for (const name of names) addRequired(errors, name);
  }
}

function addJsonErrors(errors: Findings, data: JsonObject, name: string): void {
  if (!Object.hasOwn(data, name)) {
    addRequired(errors, name);
    return;
  }
  const problem = objectProblem(binaryText(data, name));
  if (problem !== undefined) {
    errors.push(fieldInvalid(key("data", name), "<secret contents redacted>", problem));
  }
}

/** Why a text is not a JSON object, in the messages of Go's decoder, which accepts `null`. */
function objectProblem(text: string): string | undefined {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const syntax = jsonSyntaxError(bytes);
  if (syntax !== undefined) return syntax;
  const value = parseJson(bytes);
  if (value === null || isJsonObject(value)) return undefined;
  const type = Array.isArray(value) ? "array" : jsonTypes[typeof value];
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

const jsonTypes: { readonly [type: string]: string } = {
  string: "string",
  number: "number",
  bigint: "number",
  boolean: "bool",
};

function missing(data: JsonObject, ...names: readonly string[]): readonly string[] {
  return names.filter((name) => !Object.hasOwn(data, name));
}

function addRequired(errors: Findings, name: string): void {
  errors.push(fieldRequired(key("data", name)));
}

/** A mismatched pair causes a warning only. */
function keyPairWarnings(object: KubeObject): readonly string[] {
  if (textAt(object, "type") !== "kubernetes.io/tls") return [];
  const data = objectAt(object, "data") ?? {};
  const problem = keyPairProblem(binaryText(data, "tls.crt"), binaryText(data, "tls.key"));
  return problem === undefined ? [] : [problem];
}
