import { DecodeError } from "../../apimachinery/decode-error.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { plainJson } from "../../apimachinery/go/parsed-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import { readYaml } from "../../codec/yaml/yaml.ts";

const group = "apiserver.config.k8s.io";
const kind = "AuthorizationConfiguration";

/** The fields of an object, by name: those of its members, or of the elements of a list. */
interface Fields {
  readonly [field: string]: Fields;
}

/** A field whose value has no fields. */
const leaf: Fields = {};

function webhookFields(since: Since): Fields {
  return {
    authorizedTTL: leaf,
    unauthorizedTTL: leaf,
    timeout: leaf,
    subjectAccessReviewVersion: leaf,
    matchConditionSubjectAccessReviewVersion: leaf,
    failurePolicy: leaf,
    connectionInfo: { type: leaf, kubeConfigFile: leaf },
    matchConditions: { expression: leaf },
    ...(since("1.34") && { cacheAuthorizedRequests: leaf, cacheUnauthorizedRequests: leaf }),
  };
}

/** Decodes a file strictly, as upstream (apiserver, pkg/apis/apiserver/load). @throws {DecodeError} */
export function decodedConfiguration(text: string, since: Since): JsonObject {
  if (text === "") return {};
  const { value: parsed, strictErrors } = readYaml(text);
  const value = plainJson(parsed);
  // Go reads null into the zero value of a struct.
  if (value === null) throw new DecodeError("Object 'Kind' is missing in 'null'");
  if (!isJsonObject(value)) {
    const type = Array.isArray(value) ? "array" : typeof value;
    throw new DecodeError(`couldn't get version/kind; json parse error: json: cannot unmarshal ${type}`);
  }
  checkKind(value, since);
  const fields: Fields = {
    apiVersion: leaf,
    kind: leaf,
    authorizers: { type: leaf, name: leaf, webhook: webhookFields(since) },
  };
  const unknown = unknownFields(value, fields, "").map((path) => `unknown field ${goQuote(path)}`);
  const errors = [...strictErrors, ...unknown];
  if (errors.length > 0) throw new DecodeError(`strict decoding error: ${errors.join(", ")}`);
  return value;
}

function checkKind(value: JsonObject, since: Since): void {
  const [apiVersion, given] = [textAt(value, "apiVersion"), textAt(value, "kind")];
  if (given === "") throw new DecodeError(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  if (apiVersion === "")
    throw new DecodeError(`Object 'apiVersion' is missing in '${JSON.stringify(value)}'`);
  const versions = ["v1alpha1", ...(since("1.30") ? ["v1beta1"] : []), ...(since("1.32") ? ["v1"] : [])];
  if (given === kind && versions.some((version) => apiVersion === `${group}/${version}`)) return;
  throw new DecodeError(
    `no kind ${goQuote(given)} is registered for version ${goQuote(apiVersion)} in scheme "k8s.io/apiserver/pkg/apis/apiserver/load/load.go:33"`,
  );
}

function unknownFields(value: JsonValue, fields: Fields, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => unknownFields(each, fields, `${path}[${i}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return known === undefined ? [inner] : unknownFields(member, known, inner);
  });
}
