import type { CelValue, PlainObject } from "./value.ts";

const typeName: unique symbol = Symbol("type name");

/** An object with the name of its type, where no reader of its fields sees it. */
interface Constructed extends PlainObject {
  readonly [typeName]?: string;
}

/** An object that an expression constructs. It is a plain object, so it can be read like the input. */
export function constructedObject(name: string, fields: Iterable<readonly [string, CelValue]>): PlainObject {
  return Object.defineProperty(Object.fromEntries(fields), typeName, { value: name });
}

/** The name of the type that an expression gave the value; undefined for any other value. */
export function constructedTypeName(value: PlainObject): string | undefined {
  const constructed: Constructed = value;
  return constructed[typeName];
}
