import type { JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** The type of a scalar; `untyped` allows all of them. */
export type ScalarKind = "string" | "numeric" | "boolean" | "untyped";

/**
 * The type of a value in apply, upstream's Atom: whether it may be a scalar, a list or a map, and how its parts are
 * merged. If several are possible, the value decides.
 */
export interface ApplyType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export interface ListType {
  /** An atomic list has one owner; items of other lists are identified by their value or their keys. */
  readonly topology: "atomic" | "set" | "map";
  /** Sorted by name. */
  readonly keys: readonly ListKey[];
  readonly items: ApplyType;
}

/** A key field of list items. */
export interface ListKey {
  readonly name: string;
  /** The value for items without the field. */
  readonly default: JsonValue | undefined;
  /** The text before the value in a path element. */
  readonly prefix: string;
}

/** A structure with fields, or a map with values of one type. In custom resources it may be both. */
export interface MapType {
  readonly topology: "atomic" | "granular";
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of other keys; undefined if none are allowed. */
  readonly values: ApplyType | undefined;
}

export interface FieldType {
  readonly element: PathElement;
  /** The position of the field in the sorted names of the structure. */
  readonly rank: number;
  readonly type: ApplyType;
}

/** A field without its rank. */
export interface NamedField {
  readonly name: string;
  /** Called when a value first has the field. */
  readonly type: () => ApplyType;
}

/** The fields of a structure by name. */
export function fieldTypes(fields: readonly NamedField[]): ReadonlyMap<string, FieldType> {
  const byName = [...fields].sort((a, b) => compareText(a.name, b.name));
  return new Map(byName.map(({ name, type }, rank) => [name, new LazyField(name, rank, type)]));
}

class LazyField implements FieldType {
  readonly element: PathElement;
  readonly rank: number;
  readonly #make: () => ApplyType;
  #type: ApplyType | undefined;

  constructor(name: string, rank: number, make: () => ApplyType) {
    this.element = fieldElement(name);
    this.rank = rank;
    this.#make = make;
  }

  get type(): ApplyType {
    this.#type ??= this.#make();
    return this.#type;
  }
}

const noFields: ReadonlyMap<string, FieldType> = fieldTypes([]);

/** The type of a scalar. */
export function scalarType(scalar: ScalarKind): ApplyType {
  return scalars[scalar];
}

const scalars: { readonly [kind in ScalarKind]: ApplyType } = {
  string: { scalar: "string", list: undefined, map: undefined },
  numeric: { scalar: "numeric", list: undefined, map: undefined },
  boolean: { scalar: "boolean", list: undefined, map: undefined },
  untyped: { scalar: "untyped", list: undefined, map: undefined },
};

/** The type of an atomic list. */
export function atomicListType(items: ApplyType): ApplyType {
  return { scalar: undefined, list: { topology: "atomic", keys: [], items }, map: undefined };
}

/** The type of a list whose items are identified by their keys, or by their value if there are no keys. */
export function itemizedListType(items: ApplyType, keys: readonly Omit<ListKey, "prefix">[]): ApplyType {
  const byName = [...keys].sort((a, b) => compareText(a.name, b.name));
  const list: ListType = {
    topology: keys.length === 0 ? "set" : "map",
    keys: byName.map((key) => ({ ...key, prefix: `${encodeJson(key.name)}:` })),
    items,
  };
  return { scalar: undefined, list, map: undefined };
}

/** The type of a map whose values are all of one type. */
export function mapType(topology: MapType["topology"], values: ApplyType): ApplyType {
  return { scalar: undefined, list: undefined, map: { topology, fields: noFields, values } };
}

/** Any value, as one atomic piece. */
export const atomicType: ApplyType = {
  scalar: "untyped",
  list: {
    topology: "atomic",
    keys: [],
    get items(): ApplyType {
      return atomicType;
    },
  },
  map: {
    topology: "atomic",
    fields: noFields,
    get values(): ApplyType {
      return atomicType;
    },
  },
};

/** Any value without a schema: granular maps, atomic lists. */
export const deducedType: ApplyType = {
  scalar: "untyped",
  list: { topology: "atomic", keys: [], items: atomicType },
  map: {
    topology: "granular",
    fields: noFields,
    get values(): ApplyType {
      return deducedType;
    },
  },
};

/** The kind of a value. */
export type Shape = "scalar" | "list" | "map";

/** The shape of the value if its type allows it, otherwise a shape that the type allows. Null fits any type. */
export function shapeOf(type: ApplyType, value: JsonValue): Shape {
  if (typeof value !== "object" && type.scalar !== undefined) return "scalar";
  if (Array.isArray(value) && type.list !== undefined) return "list";
  if (type.map !== undefined) return "map";
  return type.scalar === undefined ? "list" : "scalar";
}
