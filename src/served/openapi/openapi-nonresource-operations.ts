import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { type Since, sinceOf } from "../../apimachinery/release.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import type { FieldSchema, StructSchema } from "../../catalog/type-schema.ts";
import { mediaTypes } from "./openapi-calls.ts";
import { type OpenApiType, versionPackage } from "./openapi-definitions.ts";
import { type OpenApiOperation, type OperationName, operationName } from "./openapi-operation.ts";
import { pathOf } from "./openapi-operations.ts";

/** The operation at `/api/v1/` or `/apis/apps/v1/`, which lists the resources. */
export function resourceListOperation(catalog: Catalog, gv: GroupVersion): OpenApiOperation {
  return read(`${pathOf(gv)}/`, {
    ...operationName(["get", "APIResources"], gv.group === "" ? "core" : gv.group, gv.version),
    description: "get available resources",
    type: metaType(catalog, "APIResourceList"),
  });
}

/** The operation at `/apis/apps/`, which lists the versions. */
export function groupOperation(catalog: Catalog, group: string): OpenApiOperation {
  return read(`/apis/${group}/`, {
    ...operationName(["get", "APIGroup"], group, ""),
    description: "get information of a group",
    type: metaType(catalog, "APIGroup"),
  });
}

/** The operations that belong to no group, by the path of their v3 document. Each is the only one of its document. */
export function rootOperations(catalog: Catalog): ReadonlyMap<string, OpenApiOperation> {
  const since = sinceOf(catalog.release);
  const operations = new Map([
    ["api", versionsOperation("/api/", ["get", "APIVersions"], "core", metaType(catalog, "APIVersions"))],
    ["apis", versionsOperation("/apis/", ["get", "APIVersions"], "", metaType(catalog, "APIGroupList"))],
    ["version", versionOperation(since)],
  ]);
  // The discovery of service account issuers is enabled by default since 1.20.
  if (!since("1.20")) return operations;
  return operations.set(".well-known/openid-configuration", issuer).set("openid/v1/jwks", keySet);
}

interface Read extends Pick<OpenApiOperation, "operationId" | "tag" | "description"> {
  readonly type: OpenApiType;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
}

function read(path: string, { type, ...operation }: Read): OpenApiOperation {
  return {
    path,
    method: "get",
    action: undefined,
    gvk: undefined,
    consumes: mediaTypes,
    produces: mediaTypes,
    parameters: [],
    body: undefined,
    responses: [{ code: 200, description: "OK", type }],
    ...operation,
  };
}

function versionsOperation(
  path: string,
  name: OperationName,
  group: string,
  type: OpenApiType,
): OpenApiOperation {
  const { operationId, tag } = operationName(name, group, "");
  return read(path, { operationId, tag: tag || "apis", description: "get available API versions", type });
}

function versionOperation(since: Since): OpenApiOperation {
  return read("/version/", {
    operationId: "getCodeVersion",
    tag: "version",
    description: since("1.33") ? "get the version information for this server" : "get the code version",
    type: versionInfo(since),
    consumes: ["application/json"],
    produces: ["application/json"],
  });
}

const issuer: OpenApiOperation = read("/.well-known/openid-configuration/", {
  operationId: "getServiceAccountIssuerOpenIDConfiguration",
  tag: "WellKnown",
  description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
  type: "string",
  consumes: [],
  produces: ["application/json"],
});

const keySet: OpenApiOperation = read("/openid/v1/jwks/", {
  operationId: "getServiceAccountIssuerOpenIDKeyset",
  tag: "openid",
  description: "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
  type: "string",
  consumes: [],
  produces: ["application/jwk-set+json"],
});

/** The schema of the answer of `/version`. */
function versionInfo(since: Since): StructSchema {
  const emulation = ["emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"];
  const build = ["gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform"];
  const fields = [
    ...["major", "minor"].map((name) => textField(name, true)),
    ...(since("1.33") ? emulation.map((name) => textField(name, false)) : []),
    ...build.map((name) => textField(name, true)),
  ];
  return structSchema({
    name: "Info",
    gv: versionPackage,
    typeMeta: false,
    fields,
    message: [],
    mapType: undefined,
    unions: [],
  });
}

function textField(name: string, required: boolean): FieldSchema {
  return {
    name,
    schema: { type: "scalar", scalar: "string" },
    declaredBy: "Info",
    required,
    emit: required,
    pointer: false,
    list: undefined,
    keys: [],
    mapType: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    default: undefined,
    enum: [],
  };
}

function metaType(catalog: Catalog, name: string): StructSchema {
  const type = catalog.type({ group: "meta", version: "v1" }, name);
  if (type?.type === "struct") return type;
  throw new Error(`${catalog.release} has no ${name}`);
}
