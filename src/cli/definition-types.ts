import { booleanAt, listAt, objectAt, textAt, textsAt, valueAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { propertyName, schemaType, typeComment } from "./schema-types.ts";

/** The types that all definitions share. */
const shared = `/** The metadata of an object. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: {
    apiVersion: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean;
    blockOwnerDeletion?: boolean;
  }[];
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  managedFields?: {
    manager?: string;
    operation?: string;
    apiVersion?: string;
    time?: string;
    fieldsType?: string;
    fieldsV1?: unknown;
    subresource?: string;
  }[];
}
`;

/** A version of a definition. */
interface Version {
  readonly name: string;
  readonly schema: JsonObject | undefined;
  readonly isStored: boolean;
  readonly deprecation: string | undefined;
}

/** TypeScript types for all versions of CustomResourceDefinitions: a file that imports nothing. */
export function definitionTypes(definitions: readonly JsonObject[]): string {
  const names = typeNames(definitions);
  const parts = definitions.map((definition, index) => typesOf(definition, names[index] ?? ""));
  const sources = definitions.map((definition) => textAt(definition, "metadata", "name") || "a definition");
  return [`// The types of ${sources.join(", ")}, written by \`kubedouble types\`.\n`, shared, ...parts].join(
    "\n",
  );
}

/** A name for each definition. Kinds with the same name get that of their group as well. */
function typeNames(definitions: readonly JsonObject[]): readonly string[] {
  const kinds = definitions.map((definition) => pascalCase(textAt(definition, "spec", "names", "kind")));
  return kinds.map((kind, index) => {
    const isTaken = kind === "ObjectMeta" || kinds.filter((other) => other === kind).length > 1;
    const group = textAt(definitions[index] ?? {}, "spec", "group");
    return isTaken ? `${kind}${pascalCase(group)}` : kind;
  });
}

/** A name that TypeScript accepts: `my-kind.io` is MyKindIo. */
function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(name) ? name : `Kind${name}`;
}

function typesOf(definition: JsonObject, name: string): string {
  const group = textAt(definition, "spec", "group");
  const kind = textAt(definition, "spec", "names", "kind");
  const versions = versionsOf(definition);
  const nameOf = (version: Version) => `${name}${pascalCase(version.name)}`;
  const texts = versions.map((version) =>
    versionType(version, nameOf(version), `${group}/${version.name}`, kind),
  );
  const stored = versions.find(({ isStored }) => isStored) ?? versions[0];
  const alias =
    stored &&
    `/** ${kind} in the version in which it is stored. */\nexport type ${name} = ${nameOf(stored)};\n`;
  return [...texts, ...(alias === undefined ? [] : [alias])].join("\n");
}

function versionsOf(definition: JsonObject): readonly Version[] {
  // The form of v1beta1: one version, one schema for all of them.
  const common = objectAt(definition, "spec", "validation", "openAPIV3Schema");
  const listed = listAt(definition, "spec", "versions");
  const only = textAt(definition, "spec", "version");
  if (listed.length === 0) return [{ name: only, schema: common, isStored: true, deprecation: undefined }];
  return listed.map((version) => ({
    name: textAt(version, "name"),
    schema: objectAt(version, "schema", "openAPIV3Schema") ?? common,
    isStored: booleanAt(version, "storage"),
    deprecation: booleanAt(version, "deprecated") ? textAt(version, "deprecationWarning") : undefined,
  }));
}

function versionType(
  { schema = {}, deprecation }: Version,
  name: string,
  apiVersion: string,
  kind: string,
): string {
  const properties = objectAt(schema, "properties") ?? {};
  const required = new Set(textsAt(schema, "required"));
  const own = Object.entries(properties).filter(
    ([field]) => !["apiVersion", "kind", "metadata"].includes(field),
  );
  const fields = own.map(([field, value]) => {
    const type = isJsonObject(value) ? value : {};
    const mark = required.has(field) && valueAt(type, "default") === undefined ? "" : "?";
    return `${typeComment(type, "  ")}  ${propertyName(field)}${mark}: ${schemaType(type, "  ")};\n`;
  });
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || schema["properties"] === undefined;
  return [
    typeComment(schema, "", deprecation === undefined ? [] : [`@deprecated ${deprecation}`.trim()]),
    `export interface ${name} {\n`,
    `  apiVersion: ${JSON.stringify(apiVersion)};\n`,
    `  kind: ${JSON.stringify(kind)};\n`,
    "  metadata: ObjectMeta;\n",
    ...fields,
    open ? "  [field: string]: unknown;\n" : "",
    "}\n",
  ].join("");
}
