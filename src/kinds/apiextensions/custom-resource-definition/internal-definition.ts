import { listAt, structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual, type MutableJsonObject, setKey } from "../../../apimachinery/json.ts";

/** The fields of a version that move to the top if all versions have the same ones, and their names there. */
const hoisted = [
  ["schema", "validation"],
  ["subresources", "subresources"],
  ["additionalPrinterColumns", "additionalPrinterColumns"],
  ["selectableFields", "selectableFields"],
] as const;

/**
 * The spec of a definition in the internal version, which validation reads and whose paths its errors show: what all
 * versions have in common stands above them, and the conversion has the fields of its webhook. Upstream:
 * apiextensions-apiserver, pkg/apis/apiextensions/v1/conversion.go.
 */
export function internalSpec(definition: JsonObject): JsonObject {
  const spec = structAt(definition, "spec");
  const versions = listAt(spec, "versions");
  const [first] = versions;
  const internal: MutableJsonObject = {
    ...spec,
    conversion: internalConversion(structAt(spec, "conversion")),
  };
  const moved: string[] = [];
  for (const [name, above] of hoisted) {
    const value = first?.[name];
    if (value === undefined || !versions.every((version) => jsonEqual(version[name], value))) continue;
    internal[above] = value;
    moved.push(name);
  }
  if (first !== undefined) internal["version"] = first["name"] ?? "";
  if (Array.isArray(spec["versions"])) {
    internal["versions"] = versions.map((version) => without(version, moved));
  }
  return internal;
}

function without(version: JsonObject, fields: readonly string[]): JsonObject {
  const rest: MutableJsonObject = {};
  for (const name in version) if (!fields.includes(name)) setKey(rest, name, version[name] ?? null);
  return rest;
}

function internalConversion(conversion: JsonObject): JsonObject {
  const { clientConfig, conversionReviewVersions } = structAt(conversion, "webhook");
  const internal: MutableJsonObject = { ...conversion };
  delete internal["webhook"];
  if (clientConfig !== undefined) internal["webhookClientConfig"] = clientConfig;
  if (Array.isArray(conversionReviewVersions))
    internal["conversionReviewVersions"] = conversionReviewVersions;
  return internal;
}
