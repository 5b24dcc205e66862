import { DecodeError } from "../../apimachinery/decode-error.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { booleanAt, listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import { BodyError, decodeParsed } from "../../codec/decode.ts";
import { readYaml } from "../../codec/yaml/yaml.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type {
  AuthenticationConfiguration,
  ClaimOrExpression,
  IssuerConfiguration,
  JwtAuthenticatorConfiguration,
  PrefixedClaimOrExpression,
} from "../contract/jwt-configuration.ts";
import { configurationSchema } from "./configuration-schema.ts";

/** Upstream's name has the number of a line, which differs by release. */
const schemeName = "k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go";

const noKind: GroupVersionKind = { group: "", version: "", kind: "" };

/**
 * Reads an AuthenticationConfiguration, in YAML or JSON, of a version that the release has. Unknown and repeated fields are
 * errors. Upstream: pkg/kubeapiserver/options/authentication.go, loadAuthenticationConfigFromData.
 * @throws {ConfigurationError} in the words of Go's decoders
 */
export function readConfiguration(text: string, since: Since): AuthenticationConfiguration {
  if (text === "") throw new ConfigurationError("empty config data");
  const object = decoded(text, since);
  const anonymous = object["anonymous"] === undefined ? undefined : structAt(object, "anonymous");
  return {
    jwt: listAt(object, "jwt").map(authenticatorOf),
    anonymous: anonymous && {
      enabled: booleanAt(anonymous, "enabled"),
      paths: listAt(anonymous, "conditions").map((condition) => textAt(condition, "path")),
    },
  };
}

function decoded(text: string, since: Since): JsonObject {
  const schemaOf = (gvk: GroupVersionKind): KindSchema | undefined => {
    if (gvk.kind === "") throw new BodyError(`Object 'Kind' is missing in '${text}'`, undefined);
    if (gvk.version === "") throw new BodyError(`Object 'apiVersion' is missing in '${text}'`, undefined);
    const isConfiguration =
      gvk.group === "apiserver.config.k8s.io" && gvk.kind === "AuthenticationConfiguration";
    const struct = isConfiguration ? configurationSchema(gvk.version, since) : undefined;
    return struct && builtInSchema(struct);
  };
  try {
    const { value, strictErrors: earlier } = readYaml(text);
    const target = { defaults: noKind, schemaOf, schemeName };
    const { object, strictErrors } = decodeParsed(value, earlier, target, "anyCaseSorted");
    if (strictErrors.length === 0) return object;
    throw new ConfigurationError(`strict decoding error: ${strictErrors.join(", ")}`);
  } catch (error) {
    if (!(error instanceof BodyError || error instanceof DecodeError)) throw error;
    throw new ConfigurationError(error.message);
  }
}

function authenticatorOf(object: JsonObject): JwtAuthenticatorConfiguration {
  const mappings = structAt(object, "claimMappings");
  return {
    issuer: issuerOf(structAt(object, "issuer")),
    claimValidationRules: listAt(object, "claimValidationRules").map((rule) => ({
      ...claimOrExpression(rule),
      requiredValue: textAt(rule, "requiredValue"),
      message: textAt(rule, "message"),
    })),
    claimMappings: {
      username: prefixed(structAt(mappings, "username")),
      groups: prefixed(structAt(mappings, "groups")),
      uid: claimOrExpression(structAt(mappings, "uid")),
      extra: listAt(mappings, "extra").map((mapping) => ({
        key: textAt(mapping, "key"),
        valueExpression: textAt(mapping, "valueExpression"),
      })),
    },
    userValidationRules: listAt(object, "userValidationRules").map((rule) => ({
      expression: textAt(rule, "expression"),
      message: textAt(rule, "message"),
    })),
  };
}

function issuerOf(issuer: JsonObject): IssuerConfiguration {
  return {
    url: textAt(issuer, "url"),
    discoveryUrl: textAt(issuer, "discoveryURL"),
    certificateAuthority: textAt(issuer, "certificateAuthority"),
    audiences: textsAt(issuer, "audiences"),
    audienceMatchPolicy: textAt(issuer, "audienceMatchPolicy"),
    egressSelectorType: textAt(issuer, "egressSelectorType"),
  };
}

function claimOrExpression(object: JsonObject): ClaimOrExpression {
  return { claim: textAt(object, "claim"), expression: textAt(object, "expression") };
}

function prefixed(object: JsonObject): PrefixedClaimOrExpression {
  const { prefix } = object;
  return { ...claimOrExpression(object), prefix: typeof prefix === "string" ? prefix : undefined };
}
