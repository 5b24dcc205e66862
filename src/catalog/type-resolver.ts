import type { GroupVersion } from "../apimachinery/group-version.ts";
import { type AnyRelease, type Release, type Since, sinceOf } from "../apimachinery/release.ts";
import { atRelease, type FieldEntry, isPresent, type TypeEntry } from "./catalog-file.ts";
import { catalogFiles } from "./catalog-files.ts";
import { unpackFields } from "./packed-fields.ts";
import { Compilations } from "./struct-schema.ts";
import type {
  EitherSchema,
  FieldSchema,
  ListSchema,
  MessageField,
  ScalarSchema,
  ScalarType,
  Schema,
  StructSchema,
  Union,
} from "./type-schema.ts";

const scalarTypes: readonly ScalarType[] = [
  "string",
  "bool",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "double",
  "float",
  "bytes",
  "time",
  "microtime",
  "duration",
  "quantity",
  "intOrString",
  "rawExtension",
  "json",
  "fieldsV1",
  "unknown",
];

const scalars: ReadonlyMap<string, ScalarSchema> = new Map(
  scalarTypes.map((scalar) => [scalar, { type: "scalar", scalar }]),
);

/** Scalars that are structures in Go: `omitempty` does not omit structures, so one that can be absent is a pointer. */
const goStructures: ReadonlySet<ScalarType> = new Set<ScalarType>([
  "time",
  "microtime",
  "duration",
  "quantity",
  "intOrString",
  "rawExtension",
  "json",
  "fieldsV1",
  "unknown",
]);

/** Resolves the type texts of the catalog to schemas, as of one release. Equal references give the same object. */
export class TypeResolver {
  readonly #release: Release;
  readonly #since: Since<AnyRelease>;
  /** By file key, then by name. */
  readonly #types = new Map<string, Map<string, Schema | undefined>>();
  /** Lists and maps, by file key and text. */
  readonly #composites = new Map<string, Schema>();

  constructor(release: Release) {
    this.#release = release;
    this.#since = sinceOf(release);
  }

  /** The named type of a file such as `core/v1`; undefined when the release has none. */
  type(key: string, name: string): Schema | undefined {
    let types = this.#types.get(key);
    if (types === undefined) {
      types = new Map();
      this.#types.set(key, types);
    }
    if (types.has(name)) return types.get(name);
    const schema = this.#resolveName(key, name);
    types.set(name, schema);
    return schema;
  }

  /** The names of the types that a file has in the release, in the order of their declaration. */
  names(key: string): readonly string[] {
    const file = catalogFiles.file(key);
    if (file === undefined) return [];
    return Object.keys(file.types).filter((name) => this.#entry(key, name) !== undefined);
  }

  /** The fields of a structure as of the release. An inlined structure is replaced by its fields. */
  fieldsOf(key: string, owner: string, entry: TypeEntry): readonly FieldSchema[] {
    const fields: FieldSchema[] = [];
    for (const [name, field] of this.#fieldEntries(entry)) {
      if (field.inline) fields.push(...this.#structure(key, field.type).fields);
      else fields.push(this.#field(key, owner, name, field));
    }
    return fields;
  }

  /** The protobuf fields in ascending order, in which they are written. */
  messageOf(key: string, fields: readonly FieldSchema[], entry: TypeEntry): readonly MessageField[] {
    const byName = new Map(fields.map((field) => [field.name, field]));
    const message: MessageField[] = [];
    for (const [name, field] of this.#fieldEntries(entry)) {
      if (field.proto === undefined) continue;
      const content = field.inline ? { inline: this.#structure(key, field.type) } : byName.get(name);
      if (content !== undefined) message.push({ number: field.proto, content });
    }
    return message.sort((a, b) => a.number - b.number);
  }

  #entry(key: string, name: string): TypeEntry | undefined {
    const file = catalogFiles.file(key);
    if (file === undefined || !Object.hasOwn(file.types, name)) return undefined;
    const entry = file.types[name];
    if (entry === undefined || !isPresent({ since: file.since }, this.#since)) return undefined;
    return isPresent(entry, this.#since) ? atRelease(entry, this.#since) : undefined;
  }

  *#fieldEntries(entry: TypeEntry): Iterable<[name: string, field: FieldEntry]> {
    for (const [name, field] of unpackFields(entry.fields)) {
      if (isPresent(field, this.#since)) yield [name, atRelease(field, this.#since)];
    }
  }

  #resolveName(key: string, name: string): Schema | undefined {
    const entry = this.#entry(key, name);
    if (entry === undefined) return undefined;
    const { alias } = entry;
    if (alias === undefined) return new ResolvedStruct(this, key, name, entry);
    if (alias.includes("|")) return this.#either(key, name, entry, alias.split("|"));
    return this.#namedList(key, name, entry, alias);
  }

  #namedList(key: string, name: string, entry: TypeEntry, alias: string): ListSchema {
    const proto = new Map(unpackFields(entry.fields)).get("items")?.proto;
    if (!alias.startsWith("[]") || proto === undefined)
      throw new Error(`${key}.${name} is no list: ${alias}`);
    return { type: "list", items: this.#reference(key, alias.slice("[]".length)), message: { name, proto } };
  }

  #either(key: string, name: string, entry: TypeEntry, alternatives: readonly string[]): EitherSchema {
    const resolver = this;
    let resolved: readonly Schema[] | undefined;
    let fields: readonly FieldSchema[] | undefined;
    let message: readonly MessageField[] | undefined;
    // Getters, because an alternative may contain this type.
    return {
      type: "either",
      name,
      gv: gvOf(key),
      get alternatives(): readonly Schema[] {
        resolved ??= alternatives.map((text) => resolver.#reference(key, text));
        return resolved;
      },
      get fields(): readonly FieldSchema[] {
        fields ??= resolver.fieldsOf(key, name, entry);
        return fields;
      },
      get message(): readonly MessageField[] {
        message ??= resolver.messageOf(key, this.fields, entry);
        return message;
      },
    };
  }

  #structure(key: string, text: string): StructSchema {
    const schema = this.#reference(key, text);
    if (schema.type !== "struct") throw new Error(`${text}, inlined in ${key}, is no structure`);
    return schema;
  }

  #reference(key: string, text: string): Schema {
    const scalar = scalars.get(text);
    if (scalar !== undefined) return scalar;
    if (text.startsWith("[]") || text.startsWith("map[string]")) return this.#composite(key, text);
    const dot = text.lastIndexOf(".");
    const schema = dot < 0 ? this.type(key, text) : this.type(text.slice(0, dot), text.slice(dot + 1));
    if (schema === undefined)
      throw new Error(`${key} refers to ${text}, which ${this.#release} does not have`);
    return schema;
  }

  #composite(key: string, text: string): Schema {
    const id = `${key} ${text}`;
    const known = this.#composites.get(id);
    if (known !== undefined) return known;
    const composite: Schema = text.startsWith("[]")
      ? { type: "list", items: this.#reference(key, text.slice("[]".length)), message: undefined }
      : { type: "map", values: this.#reference(key, text.slice("map[string]".length)) };
    this.#composites.set(id, composite);
    return composite;
  }

  #field(key: string, owner: string, name: string, entry: FieldEntry): FieldSchema {
    const schema = this.#reference(key, entry.type);
    const required = entry.required ?? false;
    const emit = entry.emit ?? required;
    return {
      name,
      schema,
      declaredBy: owner,
      required,
      emit,
      pointer: entry.ptr ?? (isGoStructure(schema) && !emit),
      list: entry.list,
      keys: entry.keys ?? [],
      mapType: entry.mapType,
      patchStrategy: patchStrategies(entry.patch),
      patchMergeKey: entry.patchKey,
      default: entry.default,
      enum: entry.enum ?? [],
    };
  }
}

/** A structure whose parts are resolved when they are first needed, because it may contain itself. */
class ResolvedStruct implements StructSchema {
  readonly type = "struct";
  readonly name: string;
  readonly gv: GroupVersion;
  readonly typeMeta: boolean;
  readonly mapType: "atomic" | "granular" | undefined;
  readonly unions: readonly Union[];
  readonly #resolver: TypeResolver;
  readonly #key: string;
  readonly #entry: TypeEntry;
  #fields: readonly FieldSchema[] | undefined;
  #fieldsByName: ReadonlyMap<string, FieldSchema> | undefined;
  #message: readonly MessageField[] | undefined;
  #compilations: Compilations | undefined;

  constructor(resolver: TypeResolver, key: string, name: string, entry: TypeEntry) {
    this.name = name;
    this.gv = gvOf(key);
    this.typeMeta = entry.typeMeta ?? false;
    this.mapType = entry.mapType;
    this.unions = (entry.unions ?? []).map(({ discriminator, fields }) => ({ discriminator, fields }));
    this.#resolver = resolver;
    this.#key = key;
    this.#entry = entry;
  }

  get fields(): readonly FieldSchema[] {
    this.#fields ??= this.#resolver.fieldsOf(this.#key, this.name, this.#entry);
    return this.#fields;
  }

  field(name: string): FieldSchema | undefined {
    this.#fieldsByName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#fieldsByName.get(name);
  }

  get message(): readonly MessageField[] {
    this.#message ??= this.#resolver.messageOf(this.#key, this.fields, this.#entry);
    return this.#message;
  }

  compiled<T>(compile: (schema: StructSchema) => T): T {
    this.#compilations ??= new Compilations();
    return this.#compilations.of(this, compile);
  }
}

function isGoStructure(schema: Schema): boolean {
  if (schema.type === "scalar") return goStructures.has(schema.scalar);
  return schema.type === "struct" || schema.type === "either";
}

function patchStrategies(text: string | undefined): readonly ("merge" | "replace" | "retainKeys")[] {
  // The data has no other words than these three, separated by commas.
  return text === undefined ? [] : (text.split(",") as ("merge" | "replace" | "retainKeys")[]);
}

/** `core/v1` is `v1` in JSON; `meta/v1` stays the same, because it is a package and not a group. */
function gvOf(key: string): GroupVersion {
  const slash = key.lastIndexOf("/");
  const group = key.slice(0, slash);
  return { group: group === "core" ? "" : group, version: key.slice(slash + 1) };
}
