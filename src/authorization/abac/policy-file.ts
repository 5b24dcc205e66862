import { booleanAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import { jsonSyntaxError } from "../../codec/json/go-json-error.ts";
import { parseJson } from "../../codec/json/json.ts";

/** A policy of attribute-based access control; empty texts are not set. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const everyone = "system:authenticated";
const version = "abac.authorization.kubernetes.io/v1beta1";

/**
 * Reads a policy file: one policy in JSON a line; blank lines and those that start with `#` do not count.
 * Upstream: pkg/auth/authorizer/abac/abac.go, `NewFromFile`.
 * @throws {Error} upstream's, with the number and the text of the line
 */
export function parsePolicyFile(text: string, path: string): readonly AbacPolicy[] {
  return text.split("\n").flatMap((untrimmed, index) => {
    const line = untrimmed.replace(/\r$/, "");
    const content = line.trim();
    if (content === "" || content.startsWith("#")) return [];
    const policy = policyOf(content);
    if (typeof policy !== "string") return policy;
    throw new Error(`error reading policy file ${path}, line ${index + 1}: ${line}: ${policy}`);
  });
}

/** A text is the error. */
function policyOf(line: string): AbacPolicy | string {
  const problem = jsonSyntaxError(new TextEncoder().encode(line));
  if (problem !== undefined) return `couldn't get version/kind; json parse error: ${problem}`;
  const object = parseJson(line);
  if (!isJsonObject(object)) {
    return "couldn't get version/kind; json parse error: json: cannot unmarshal into Go value of type struct";
  }
  const { kind, apiVersion } = object;
  if (kind === "Policy" && apiVersion === version) return versioned(structAt(object, "spec"));
  if (kind === undefined || apiVersion === undefined) return unversioned(object);
  return `no kind "${textAt(object, "kind")}" is registered for version "${textAt(object, "apiVersion")}"`;
}

/** A user or group `*` is every authenticated user. */
function versioned(spec: JsonObject): AbacPolicy {
  const isForAll = spec["user"] === "*" || spec["group"] === "*";
  return {
    user: isForAll ? "" : textAt(spec, "user"),
    group: isForAll ? everyone : textAt(spec, "group"),
    readonly: booleanAt(spec, "readonly"),
    apiGroup: textAt(spec, "apiGroup"),
    resource: textAt(spec, "resource"),
    namespace: textAt(spec, "namespace"),
    nonResourcePath: textAt(spec, "nonResourcePath"),
  };
}

/** A policy without a version has no API groups, and what it does not restrict is everything. */
function unversioned(object: JsonObject): AbacPolicy {
  const policy = versioned(object);
  const { user, group, namespace, resource } = policy;
  return {
    ...policy,
    group: user === "" && group === "" ? everyone : group,
    apiGroup: "*",
    namespace: namespace || "*",
    resource: resource || "*",
    nonResourcePath: namespace === "" && resource === "" ? "*" : "",
  };
}
