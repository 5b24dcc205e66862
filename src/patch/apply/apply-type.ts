import type { JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** What a scalar may hold; `untyped` is any of them. */
export type ScalarKind = "string" | "numeric" | "boolean" | "untyped";

/**
 * What apply knows of a value: which of scalar, list and map it may be, and what becomes of its parts when several
 * managers own them. Upstream's atom. A value that may be several is taken for what it looks like.
 */
export interface ApplyType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export interface ListType {
  /** An atomic list has one owner; items of the others are told apart by their value or their keys. */
  readonly topology: "atomic" | "set" | "map";
  /** In the order of their names. */
  readonly keys: readonly ListKey[];
  readonly items: ApplyType;
}

/** A field that tells the items of a list apart. */
export interface ListKey {
  readonly name: string;
  /** Stands for the field where an item leaves it out. */
  readonly default: JsonValue | undefined;
  /** What an element of the list writes before the value. */
  readonly prefix: string;
}

/** A structure, which has fields, or a map, which has values of one type; custom resources may be both. */
export interface MapType {
  readonly topology: "atomic" | "granular";
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of whatever is no field; undefined where nothing else may stand. */
  readonly values: ApplyType | undefined;
}

export interface FieldType {
  readonly element: PathElement;
  /** The field's place among those of the structure in the order of names. */
  readonly rank: number;
  readonly type: ApplyType;
}

/** A field before it has its rank. */
export interface NamedField {
  readonly name: string;
  /** Made when a value first has the field. */
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

const noFields: ReadonlyMap<string, FieldType> = new Map();

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

/** The type of a list that is one piece. */
export function atomicListType(items: ApplyType): ApplyType {
  return { scalar: undefined, list: { topology: "atomic", keys: [], items }, map: undefined };
}

/** The type of a list whose items are told apart by their keys, or by their value if there are none. */
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

/** Anything, as one piece. */
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

/** Anything without a schema: maps entry by entry, lists as one piece. */
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

/** What a value is taken for. */
export type Shape = "scalar" | "list" | "map";

/** What the value looks like if it may be that, else what it should be. Null is no help: it may stand for anything. */
export function shapeOf(type: ApplyType, value: JsonValue): Shape {
  if (value !== null) {
    if (typeof value !== "object") {
      if (type.scalar !== undefined) return "scalar";
    } else if (Array.isArray(value)) {
      if (type.list !== undefined) return "list";
    } else if (type.map !== undefined) return "map";
  }
  if (type.map !== undefined) return "map";
  return type.scalar === undefined ? "list" : "scalar";
}
