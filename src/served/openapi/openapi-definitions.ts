import type { GroupVersion } from "../../apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";
import { type Since, sinceOf } from "../../apimachinery/release.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type {
  EitherSchema,
  FieldSchema,
  ScalarType,
  Schema,
  StructSchema,
  Union,
} from "../../catalog/type-schema.ts";
import { compare, packageOf, schemeVersions } from "./openapi-names.ts";
import { swaggerSchema } from "./openapi-published.ts";

/** The dialects of a server: Swagger 2.0 in one document, and OpenAPI 3.0 in one for each group and version. */
export type OpenApiDialect = "v2" | "v3";

/** The type of a body or a response: a structure, or plain text. */
export type OpenApiType = StructSchema | "string";

/** Scalars without a definition of their own. */
const plain: {
  readonly [scalar in ScalarType]?: { readonly schema: JsonObject; readonly zero?: JsonValue };
} = {
  string: { schema: { type: "string" }, zero: "" },
  bool: { schema: { type: "boolean" }, zero: false },
  int32: { schema: { type: "integer", format: "int32" }, zero: 0 },
  int64: { schema: { type: "integer", format: "int64" }, zero: 0 },
  uint32: { schema: { type: "integer", format: "int64" }, zero: 0 },
  uint64: { schema: { type: "integer", format: "int64" }, zero: 0 },
  double: { schema: { type: "number", format: "double" }, zero: 0 },
  float: { schema: { type: "number", format: "float" }, zero: 0 },
  bytes: { schema: { type: "string", format: "byte" } },
};

interface NamedScalar {
  readonly name: string;
  readonly v2: JsonObject;
  readonly v3: JsonObject;
}

/** Scalars with a definition of their own. The definition of `json` is in the package of the type that contains it. */
const named: { readonly [scalar in ScalarType]?: NamedScalar } = {
  time: same("io.k8s.apimachinery.pkg.apis.meta.v1.Time", { type: "string", format: "date-time" }),
  microtime: same("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", { type: "string", format: "date-time" }),
  duration: same("io.k8s.apimachinery.pkg.apis.meta.v1.Duration", { type: "string" }),
  fieldsV1: same("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", { type: "object" }),
  rawExtension: same("io.k8s.apimachinery.pkg.runtime.RawExtension", { type: "object" }),
  unknown: same("io.k8s.apimachinery.pkg.runtime.Unknown", { type: "object" }),
  quantity: {
    name: "io.k8s.apimachinery.pkg.api.resource.Quantity",
    v2: { type: "string" },
    v3: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  intOrString: {
    name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    v2: { type: "string", format: "int-or-string" },
    v3: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  },
};

function same(name: string, schema: JsonObject): NamedScalar {
  return { name, v2: schema, v3: schema };
}

/**
 * Fields without a description upstream. In v3 they are plain references. For all other fields upstream wraps the reference
 * in `allOf` because it adds the description, and so do we, although we have no descriptions.
 */
const undocumented: ReadonlyMap<string, "all" | ReadonlySet<string>> = new Map<
  string,
  "all" | ReadonlySet<string>
>([
  ["JSONSchemaProps", "all"],
  ["ExternalDocumentation", "all"],
  ["IngressRule", new Set(["http"])],
]);

interface Definition {
  readonly schema: JsonObject;
  /** The names of the definitions it refers to. */
  readonly needs: ReadonlySet<string>;
}

/** Whether schemas list the values of fields that have few: the gate OpenAPIEnums. */
export type OpenApiEnums = "with enums" | "without enums";

/** The definitions of one catalog in one dialect, each made when a document first needs it. */
export class OpenApiDefinitions {
  readonly #catalog: Catalog;
  readonly #since: Since;
  readonly #dialect: OpenApiDialect;
  readonly #enums: OpenApiEnums;
  readonly #prefix: string;
  readonly #sources = new Map<string, () => JsonObject>();
  readonly #built = new Map<string, Definition>();
  #schemeVersions: readonly GroupVersion[] | undefined;
  /** Collects the references of the definition under construction, or the roots of a document. */
  #needs = new Set<string>();

  constructor(catalog: Catalog, dialect: OpenApiDialect, enums: OpenApiEnums) {
    this.#catalog = catalog;
    this.#enums = enums;
    this.#since = sinceOf(catalog.release);
    this.#dialect = dialect;
    this.#prefix = dialect === "v2" ? "#/definitions/" : "#/components/schemas/";
  }

  /** The schema of a body or a response. Adds the definition that it needs to `roots`. */
  schemaOf(type: OpenApiType, roots: Set<string>): JsonObject {
    if (type === "string") return { type: "string" };
    this.#needs = roots;
    return this.#reference(definitionName(type), () => this.#struct(type));
  }

  /** The definitions of `roots`, which `schemaOf` has collected, and all definitions that they refer to, sorted by name. */
  closure(roots: ReadonlySet<string>): JsonObject {
    const found = new Set(roots);
    // The iterator of a Set also visits elements that are added during the iteration.
    for (const name of found) for (const need of this.#definition(name).needs) found.add(need);
    const definitions: MutableJsonObject = {};
    for (const name of [...found].sort()) definitions[name] = this.#definition(name).schema;
    return definitions;
  }

  #definition(name: string): Definition {
    const known = this.#built.get(name);
    if (known !== undefined) return known;
    const source = this.#sources.get(name);
    if (source === undefined) throw new Error(`nothing refers to the definition ${name}`);
    this.#needs = new Set();
    const definition = { schema: source(), needs: this.#needs };
    this.#built.set(name, definition);
    return definition;
  }

  #reference(name: string, source: () => JsonObject): JsonObject {
    this.#needs.add(name);
    if (!this.#sources.has(name)) this.#sources.set(name, source);
    return { $ref: `${this.#prefix}${name}` };
  }

  #struct(struct: StructSchema): JsonObject {
    const properties = new Map<string, JsonObject>();
    if (struct.typeMeta) for (const name of ["apiVersion", "kind"]) properties.set(name, { type: "string" });
    for (const field of struct.fields) properties.set(field.name, this.#property(struct, field));
    const required = struct.fields.filter((field) => field.required).map(({ name }) => name);
    const kinds = this.#kindsOf(struct);
    if (struct.published !== undefined) return this.#publishedSchema(struct.published, properties, kinds);
    return {
      type: "object",
      ...(required.length > 0 && { required }),
      ...(properties.size > 0 && { properties: sorted(properties) }),
      ...(kinds.length > 0 && { "x-kubernetes-group-version-kind": kinds }),
      ...(struct.mapType && { "x-kubernetes-map-type": struct.mapType }),
      ...(struct.unions.length > 0 && { "x-kubernetes-unions": struct.unions.map(unionExtension) }),
    };
  }

  /** What a definition says about custom resources, with the type and metadata that all objects have. */
  #publishedSchema(
    published: JsonObject,
    properties: Map<string, JsonObject>,
    kinds: readonly JsonObject[],
  ): JsonObject {
    const schema = this.#dialect === "v2" ? swaggerSchema(published) : published;
    const own = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    for (const [name, property] of Object.entries(own)) {
      if (isJsonObject(property) && name !== "metadata") properties.set(name, property);
    }
    return {
      ...schema,
      type: "object",
      properties: sorted(properties),
      "x-kubernetes-group-version-kind": kinds,
    };
  }

  #property(struct: StructSchema, field: FieldSchema): JsonObject {
    const value = this.#value(field.schema, struct.gv, this.#defaultOf(field), this.#enumOf(field));
    const extensions = fieldExtensions(field);
    if (this.#dialect === "v2" || !("$ref" in value)) return extensions ? { ...value, ...extensions } : value;
    if (!extensions && isUndocumented(struct, field)) return value;
    return { allOf: [value], ...extensions };
  }

  /** The schema of a value. The `choices` of a list or map are those of its elements. */
  #value(
    schema: Schema,
    gv: GroupVersion,
    fallback: JsonValue | undefined,
    choices: readonly string[] | undefined,
  ): JsonObject {
    const own = fallback === undefined ? undefined : { default: fallback };
    switch (schema.type) {
      case "list":
        return { type: "array", ...own, items: this.#element(schema.items, gv, choices) };
      case "map":
        return { type: "object", ...own, additionalProperties: this.#element(schema.values, gv, choices) };
      case "struct":
        return withDefault(
          this.#reference(definitionName(schema), () => this.#struct(schema)),
          own,
        );
      case "either":
        return withDefault(
          this.#reference(definitionName(schema), () => ({})),
          own,
        );
      case "scalar": {
        const inPlace = plain[schema.scalar];
        if (inPlace === undefined) return withDefault(this.#namedScalar(schema.scalar, gv), own);
        if (own === undefined && choices === undefined) return inPlace.schema;
        return { ...inPlace.schema, ...own, ...(choices && { enum: choices }) };
      }
    }
  }

  #element(schema: Schema, gv: GroupVersion, choices: readonly string[] | undefined): JsonObject {
    return this.#value(schema, gv, this.#zeroOf(schema), choices);
  }

  #namedScalar(scalar: ScalarType, gv: GroupVersion): JsonObject {
    if (scalar === "json") return this.#reference(`${packageOf(gv)}.JSON`, () => ({}));
    const definition = named[scalar];
    if (definition === undefined) throw new Error(`the scalar ${scalar} has no definition`);
    return this.#reference(definition.name, () => definition[this.#dialect]);
  }

  /** The default of a field; v2 has none. */
  #defaultOf(field: FieldSchema): JsonValue | undefined {
    if (this.#dialect === "v2") return undefined;
    if (field.default !== undefined) return field.default;
    if (field.pointer) return undefined;
    const isPlain = field.schema.type === "scalar" && plain[field.schema.scalar] !== undefined;
    return isPlain && !field.emit ? undefined : this.#zeroOf(field.schema);
  }

  /** The default of a required value in v3. Up to 1.28 it was `{}` for scalars with a definition of their own. */
  #zeroOf(schema: Schema): JsonValue | undefined {
    if (this.#dialect === "v2" || schema.type === "list" || schema.type === "map") return undefined;
    if (schema.type === "struct") return {};
    const inPlace = schema.type === "scalar" ? plain[schema.scalar] : undefined;
    if (inPlace !== undefined) return inPlace.zero;
    return this.#since("1.29") ? undefined : {};
  }

  /** Fields have enums since 1.23, pointers since 1.27, the elements of lists and maps since 1.30. */
  #enumOf(field: FieldSchema): readonly string[] | undefined {
    if (field.enum.length === 0 || this.#enums === "without enums") return undefined;
    if (field.pointer && !this.#since("1.27")) return undefined;
    if (field.schema.type !== "scalar" && !this.#since("1.30")) return undefined;
    return [...field.enum].sort();
  }

  #kindsOf(struct: StructSchema): readonly JsonObject[] {
    const { name: kind, gv } = struct;
    if (gv.group !== "meta") return struct.typeMeta ? [{ ...gv, kind }].map(definitionKind) : [];
    if (!struct.typeMeta && kind !== "WatchEvent") return [];
    this.#schemeVersions ??= schemeVersions(this.#catalog);
    const versions = this.#schemeVersions.filter((version) => hasMetaKind(version, kind));
    return versions.map((version) => definitionKind({ ...version, kind }));
  }
}

/** `io.k8s.api.apps.v1.Deployment`. */
function definitionName({ gv, name }: StructSchema | EitherSchema): string {
  if (gv === versionPackage) return `io.k8s.apimachinery.pkg.version.${name}`;
  return `${packageOf(gv)}.${name}`;
}

/** The package of the type of `/version`, which has no version. */
export const versionPackage: GroupVersion = { group: "version", version: "" };

function hasMetaKind({ group, version }: GroupVersion, kind: string): boolean {
  if (kind === "DeleteOptions" || kind === "WatchEvent") return true;
  if (group === "" && version === "v1") return true;
  // These two versions registered Status by mistake.
  return (
    kind === "Status" && group === "resource.k8s.io" && (version === "v1alpha1" || version === "v1alpha2")
  );
}

function definitionKind(gvk: GroupVersion & { readonly kind: string }): JsonObject {
  return { group: gvk.group, kind: gvk.kind, version: gvk.version };
}

function isUndocumented(struct: StructSchema, field: FieldSchema): boolean {
  const fields = undocumented.get(struct.name);
  return fields === "all" || (fields?.has(field.name) ?? false);
}

/** In v3 a reference must not have siblings. */
function withDefault(reference: JsonObject, own: JsonObject | undefined): JsonObject {
  return own === undefined ? reference : { ...own, allOf: [reference] };
}

function fieldExtensions(field: FieldSchema): JsonObject | undefined {
  const { keys, list, mapType, patchMergeKey, patchStrategy } = field;
  if (!list && !mapType && !patchMergeKey && patchStrategy.length === 0) return undefined;
  return {
    ...(keys.length > 0 && { "x-kubernetes-list-map-keys": keys }),
    ...(list && { "x-kubernetes-list-type": list }),
    ...(mapType && { "x-kubernetes-map-type": mapType }),
    ...(patchMergeKey && { "x-kubernetes-patch-merge-key": patchMergeKey }),
    ...(patchStrategy.length > 0 && { "x-kubernetes-patch-strategy": patchStrategy.join(",") }),
  };
}

function unionExtension({ discriminator, fields }: Union): JsonObject {
  return { ...(discriminator && { discriminator }), "fields-to-discriminateBy": fields };
}

function sorted(properties: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...properties].sort(([a], [b]) => compare(a, b)));
}
