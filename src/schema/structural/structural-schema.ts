import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";

/**
 * A node of the schema of a custom resource: what it says about the shape of values, and its source, which says the rest.
 * Upstream: apiextensions-apiserver, pkg/apiserver/schema/structural.go.
 */
export interface Structural {
  readonly source: JsonObject;
  /** Empty without a type. */
  readonly type: string;
  readonly nullable: boolean;
  readonly isEmbeddedResource: boolean;
  readonly isIntOrString: boolean;
  readonly preservesUnknownFields: boolean;
  /** Undefined without a default; a default of null counts as none. */
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, Structural>;
  /** The schema of other keys, whether other keys are allowed, or undefined if the schema does not say. */
  readonly additionalProperties: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly mapKeys: readonly string[];
  /** The properties with a default of their own. */
  readonly defaulted: readonly (readonly [name: string, schema: Structural])[];
  /** Whether this node or one below has a default. */
  readonly hasDefaults: boolean;
  /** Whether values of this node or of one below are resources with a type and metadata. */
  readonly hasEmbeddedResources: boolean;
  /** Whether this node or one below is a set or a map list, whose items must differ. */
  readonly hasDistinctItems: boolean;
}

const noProperties: ReadonlyMap<string, Structural> = new Map();

/** The structural form of an `openAPIV3Schema`. */
export function structural(source: JsonObject): Structural {
  const properties = propertiesOf(source);
  const additionalProperties = additionalPropertiesOf(source);
  const items = isJsonObject(source["items"]) ? structural(source["items"]) : undefined;
  const own = source["default"] ?? undefined;
  const listType = textOf(source["x-kubernetes-list-type"]);
  return {
    source,
    type: textOf(source["type"]) ?? "",
    nullable: source["nullable"] === true,
    isEmbeddedResource: source["x-kubernetes-embedded-resource"] === true,
    isIntOrString: source["x-kubernetes-int-or-string"] === true,
    preservesUnknownFields: source["x-kubernetes-preserve-unknown-fields"] === true,
    default: own,
    properties,
    additionalProperties,
    items,
    listType,
    mapType: textOf(source["x-kubernetes-map-type"]),
    mapKeys: textsOf(source["x-kubernetes-list-map-keys"]),
    defaulted: [...properties].filter(([, property]) => property.default !== undefined),
    hasDefaults: own !== undefined || someWithin(properties, additionalProperties, items, "hasDefaults"),
    hasEmbeddedResources:
      source["x-kubernetes-embedded-resource"] === true ||
      someWithin(properties, additionalProperties, items, "hasEmbeddedResources"),
    hasDistinctItems:
      listType === "set" ||
      listType === "map" ||
      someWithin(properties, additionalProperties, items, "hasDistinctItems"),
  };
}

/** The schema of the values of keys that are not properties. */
export function schemaOfOthers({ additionalProperties }: Structural): Structural | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The schema that describes a key of an object. */
export function schemaOfKey(schema: Structural | undefined, key: string): Structural | undefined {
  return schema && (schema.properties.get(key) ?? schemaOfOthers(schema));
}

function propertiesOf(source: JsonObject): ReadonlyMap<string, Structural> {
  const declared = source["properties"];
  if (!isJsonObject(declared)) return noProperties;
  const properties = new Map<string, Structural>();
  for (const [name, schema] of Object.entries(declared)) {
    if (isJsonObject(schema)) properties.set(name, structural(schema));
  }
  return properties;
}

function additionalPropertiesOf(source: JsonObject): Structural | boolean | undefined {
  const additional = source["additionalProperties"];
  if (isJsonObject(additional)) return structural(additional);
  return typeof additional === "boolean" ? additional : undefined;
}

function someWithin(
  properties: ReadonlyMap<string, Structural>,
  additional: Structural | boolean | undefined,
  items: Structural | undefined,
  flag: "hasDefaults" | "hasEmbeddedResources" | "hasDistinctItems",
): boolean {
  if (items?.[flag] || (typeof additional === "object" && additional[flag])) return true;
  for (const property of properties.values()) if (property[flag]) return true;
  return false;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
