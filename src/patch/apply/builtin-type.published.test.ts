import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import type { ApplyType, MapType } from "./apply-type.ts";
import { builtinType } from "./builtin-type.ts";

const { definitions } = JSON.parse(readFileSync("test/conformance/data/schema-1.32.json", "utf8")) as {
  readonly definitions: { readonly [name: string]: JsonObject };
};

const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
const objectIn = (schema: JsonObject, name: string): JsonObject => {
  const value = schema[name];
  return isJsonObject(value) ? value : {};
};

/** Types that upstream treats by name, regardless of the published definition. */
const knownByName: ReadonlyMap<string, string> = new Map([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", "untyped"],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", "untyped or atomic list or atomic map"],
  ["io.k8s.apimachinery.pkg.util.intstr.IntOrString", "untyped or atomic list or granular map"],
]);

/** Compares types with their published schemas, each definition once. */
class Comparison {
  readonly differences: string[] = [];
  compared = 0;
  readonly #seen = new Set<string>();

  compare(path: string, schema: JsonObject, type: ApplyType): void {
    const name = text(schema["$ref"]).replace("#/definitions/", "");
    const topology = text(schema["x-kubernetes-map-type"]);
    const known = knownByName.get(name);
    if (name === "") this.#compareParts(path, schema, type);
    else if (known !== undefined) this.#expect(path, known, type);
    else this.#compareDefinition(path, name, topology, type);
  }

  #compareDefinition(path: string, name: string, topology: string, type: ApplyType): void {
    const id = `${name} ${topology}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const definition = definitions[name] ?? {};
    // The map type that a field declares for its structure applies to that field only.
    const own = topology === "" ? definition : { ...definition, "x-kubernetes-map-type": topology };
    this.#compareParts(path, own, type);
  }

  #expect(path: string, expected: string, type: ApplyType): void {
    this.compared++;
    const found = describeType(type);
    if (found !== expected) this.differences.push(`${path} is ${found}, published as ${expected}`);
  }

  #compareParts(path: string, schema: JsonObject, type: ApplyType): void {
    this.#expect(path, describeSchema(schema), type);
    if (schema["type"] === "array" && type.list !== undefined) {
      this.compare(`${path}[]`, objectIn(schema, "items"), type.list.items);
    }
    if (schema["type"] === "object" && type.map !== undefined) this.#compareFields(path, schema, type.map);
  }

  #compareFields(path: string, schema: JsonObject, { fields, values }: MapType): void {
    const properties = objectIn(schema, "properties");
    for (const [name, { type }] of fields) this.compare(`${path}.${name}`, objectIn(properties, name), type);
    if (isJsonObject(schema["additionalProperties"]) && values !== undefined) {
      this.compare(`${path}{}`, schema["additionalProperties"], values);
    }
  }
}

/** The type that upstream's `schemaconv` derives from a schema, in the format of `describeType`. */
function describeSchema(schema: JsonObject): string {
  switch (schema["type"]) {
    case undefined:
      return "untyped or atomic list or granular map";
    case "string":
      return ["", "byte"].includes(text(schema["format"])) ? "string" : "untyped";
    case "integer":
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    case "array":
      return describeList(schema);
    default: {
      const names = Object.keys(objectIn(schema, "properties")).sort();
      const topology = text(schema["x-kubernetes-map-type"]) || "granular";
      return names.length === 0 ? `${topology} map` : `${topology} structure of ${names.join()}`;
    }
  }
}

function describeList(schema: JsonObject): string {
  const keys = schema["x-kubernetes-list-map-keys"];
  switch (schema["x-kubernetes-list-type"]) {
    case "map":
      return `list by ${Array.isArray(keys) ? keys.toSorted().join() : ""}`;
    case "set":
      return "set";
    default:
      return "atomic list";
  }
}

function describeType({ scalar, list, map }: ApplyType): string {
  const parts: string[] = scalar === undefined ? [] : [scalar];
  if (list?.topology === "map") parts.push(`list by ${list.keys.map(({ name }) => name).join()}`);
  else if (list !== undefined) parts.push(list.topology === "set" ? "set" : "atomic list");
  if (map !== undefined) {
    const names = [...map.fields.keys()].sort().join();
    parts.push(names === "" ? `${map.topology} map` : `${map.topology} structure of ${names}`);
  }
  return parts.join(" or ");
}

describe("the types of release 1.32", () => {
  const catalog = catalogOf({ release: "1.32" });
  const comparison = new Comparison();
  for (const [name, definition] of Object.entries(definitions)) {
    const gvks = definition["x-kubernetes-group-version-kind"];
    // Options and lists have no owned fields and belong to many groups.
    const [gvk, ...others] = Array.isArray(gvks) ? gvks.filter(isJsonObject) : [];
    if (gvk === undefined || others.length > 0 || name.endsWith("List")) continue;
    const { group, version, kind } = gvk;
    const schema = catalog.kind({ group: text(group), version: text(version), kind: text(kind) });
    if (schema !== undefined) comparison.compare(text(kind), definition, builtinType(schema));
  }

  test("match the published schemas", () => {
    expect(comparison.differences).toEqual([]);
  });

  test("include many definitions", () => {
    expect(comparison.compared).toBeGreaterThan(2_000);
  });
});
