import type { Since } from "../../apimachinery/release.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import type { FieldSchema, Schema, StructSchema } from "../../catalog/type-schema.ts";

type Release = Parameters<Since>[0];

/** A field of a structure: its name, its type, and the first release that has it if the structure is older. */
type Field = readonly [name: string, type: string, since?: Release];

/**
 * The types of an AuthenticationConfiguration. They are not in the bundled catalog, because no request contains them.
 * Upstream: apiserver, pkg/apis/apiserver/v1/types.go.
 */
const structures: { readonly [name: string]: readonly Field[] } = {
  AuthenticationConfiguration: [
    ["jwt", "[]JWTAuthenticator"],
    ["anonymous", "AnonymousAuthConfig", "1.31"],
  ],
  AnonymousAuthConfig: [
    ["enabled", "bool"],
    ["conditions", "[]AnonymousAuthCondition"],
  ],
  AnonymousAuthCondition: [["path", "string"]],
  JWTAuthenticator: [
    ["issuer", "Issuer"],
    ["claimValidationRules", "[]ClaimValidationRule"],
    ["claimMappings", "ClaimMappings"],
    ["userValidationRules", "[]UserValidationRule"],
  ],
  Issuer: [
    ["url", "string"],
    ["discoveryURL", "string", "1.30"],
    ["certificateAuthority", "string"],
    ["audiences", "[]string"],
    ["audienceMatchPolicy", "string", "1.30"],
    ["egressSelectorType", "string", "1.34"],
  ],
  ClaimValidationRule: [
    ["claim", "string"],
    ["requiredValue", "string"],
    ["expression", "string"],
    ["message", "string"],
  ],
  ClaimMappings: [
    ["username", "PrefixedClaimOrExpression"],
    ["groups", "PrefixedClaimOrExpression"],
    ["uid", "ClaimOrExpression"],
    ["extra", "[]ExtraMapping"],
  ],
  PrefixedClaimOrExpression: [
    ["claim", "string"],
    ["prefix", "string"],
    ["expression", "string"],
  ],
  ClaimOrExpression: [
    ["claim", "string"],
    ["expression", "string"],
  ],
  ExtraMapping: [
    ["key", "string"],
    ["valueExpression", "string"],
  ],
  UserValidationRule: [
    ["expression", "string"],
    ["message", "string"],
  ],
};

/** The first release of each version. */
const versions: ReadonlyMap<string, Release> = new Map<string, Release>([
  ["v1alpha1", "1.29"],
  ["v1beta1", "1.30"],
  ["v1", "1.34"],
]);

/** The structure of a version of AuthenticationConfiguration; undefined if the release does not have the version. */
export function configurationSchema(version: string, since: Since): StructSchema | undefined {
  const first = versions.get(version);
  return first === undefined || !since(first)
    ? undefined
    : structure("AuthenticationConfiguration", version, since);
}

function structure(name: string, version: string, since: Since): StructSchema {
  const fields = (structures[name] ?? [])
    .filter(([, , first]) => first === undefined || since(first))
    .map(([field, type]) => fieldSchema(name, field, schemaOf(type, version, since)));
  return structSchema({
    name,
    gv: { group: "apiserver.config.k8s.io", version },
    typeMeta: name === "AuthenticationConfiguration",
    fields,
    message: [],
    mapType: undefined,
    unions: [],
  });
}

function schemaOf(type: string, version: string, since: Since): Schema {
  if (type === "string" || type === "bool") return { type: "scalar", scalar: type };
  if (!type.startsWith("[]")) return structure(type, version, since);
  return { type: "list", items: schemaOf(type.slice("[]".length), version, since), message: undefined };
}

function fieldSchema(owner: string, name: string, schema: Schema): FieldSchema {
  return {
    name,
    schema,
    declaredBy: owner,
    required: false,
    emit: false,
    // A scalar keeps an explicit zero, which an unset prefix differs from.
    pointer: schema.type !== "list",
    list: undefined,
    keys: [],
    mapType: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    default: undefined,
    enum: [],
  };
}
