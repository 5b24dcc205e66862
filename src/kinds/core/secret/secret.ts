import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { jsonSyntaxError } from "../../../codec/json/go-json-error.ts";
import { parseJson } from "../../../codec/json/json.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  base64Size,
  binaryText,
  dataKeyErrors,
  immutabilityErrors,
  maxDataSize,
} from "../config-data/config-data.ts";
import { keyPairProblem } from "./key-pair.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };
const accountName = "kubernetes.io/service-account.name";

/** The strategy of Secrets, whose type determines the required data. Upstream: pkg/registry/core/secret/strategy.go. */
export function secretStrategy(base: Strategy): Strategy {
  return {
    ...base,
    validate: secretErrors,
    warningsOnCreate: keyPairWarnings,
    validateUpdate: (object, old) => [
      ...typeChangeErrors(object, old),
      ...immutabilityErrors(object, old, ["data"]),
      ...metadataErrors(object, metadataRules),
      ...secretErrors(object),
    ],
    warningsOnUpdate: keyPairWarnings,
  };
}

function typeChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const type = textAt(object, "type");
  return type === textAt(old, "type") ? [] : [fieldInvalid("type", type, "field is immutable")];
}

function secretErrors(object: KubeObject): FieldError[] {
  const data = objectAt(object, "data") ?? {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const name of Object.keys(data)) {
    errors.push(...dataKeyErrors(name, "data"));
    size += base64Size(textAt(data, name));
  }
  if (size > maxDataSize) errors.push(fieldTooLong("data", maxDataSize));
  const ofType = contentChecks.get(textAt(object, "type"));
  return ofType === undefined ? errors : [...errors, ...ofType(data, object)];
}

/** Validates the data of a type. */
type ContentCheck = (data: JsonObject, secret: KubeObject) => FieldError[];

const contentChecks: ReadonlyMap<string, ContentCheck> = new Map<string, ContentCheck>([
  ["kubernetes.io/service-account-token", accountNameErrors],
  ["kubernetes.io/dockercfg", (data) => jsonErrors(data, ".dockercfg")],
  ["kubernetes.io/dockerconfigjson", (data) => jsonErrors(data, ".dockerconfigjson")],
  ["kubernetes.io/basic-auth", loginErrors],
  ["kubernetes.io/ssh-auth", (data) => (textAt(data, "ssh-privatekey") ? [] : required("ssh-privatekey"))],
  ["kubernetes.io/tls", (data) => missing(data, "tls.crt", "tls.key").flatMap(required)],
]);

function accountNameErrors(_data: JsonObject, { metadata }: KubeObject): FieldError[] {
  if (metadata.annotations?.[accountName]) return [];
  return [fieldRequired(key("metadata.annotations", accountName))];
}

/** Requires a username or a password, which can be empty. */
function loginErrors(data: JsonObject): FieldError[] {
  const names = missing(data, "username", "password");
  return names.length === 2 ? names.flatMap(required) : [];
}

function jsonErrors(data: JsonObject, name: string): FieldError[] {
  if (!Object.hasOwn(data, name)) return required(name);
  const problem = objectProblem(binaryText(data, name));
  return problem === undefined
    ? []
    : [fieldInvalid(key("data", name), "<secret contents redacted>", problem)];
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

function required(name: string): FieldError[] {
  return [fieldRequired(key("data", name))];
}

/** A mismatched pair causes a warning only. */
function keyPairWarnings(object: KubeObject): readonly string[] {
  if (textAt(object, "type") !== "kubernetes.io/tls") return [];
  const data = objectAt(object, "data") ?? {};
  const problem = keyPairProblem(binaryText(data, "tls.crt"), binaryText(data, "tls.key"));
  return problem === undefined ? [] : [problem];
}
