import type { ListLiteral, MapLiteral, StructLiteral } from "../syntax/expression.ts";
import { celError, isError, noSuchOverload } from "../values/cel-error.ts";
import { constructedObject } from "../values/constructed-object.ts";
import { isKey } from "../values/containers.ts";
import { showValue } from "../values/show.ts";
import { type CelValue, MapValue, Optional } from "../values/value.ts";
import type { CompilerContext } from "./compiler-context.ts";
import { type Code, constantCode, type Evaluate, Frame } from "./frame.ts";

/** The charges of cel-go (common/cost.go). */
const charges = { list: 10, map: 30, struct: 40 };

export function compileList(context: CompilerContext, node: ListLiteral): Code {
  const codes = node.elements.map((element) => context.compile(element));
  const constants = codes.map(({ constant }) => constant);
  if (node.optional.size === 0 && constants.every((constant) => constant !== undefined)) {
    // A list of literals is a literal, which costs nothing.
    return constantCode(constants);
  }
  const runs = codes.map(({ run }) => run);
  return {
    run: (frame) => {
      const list: CelValue[] = [];
      for (const [i, run] of runs.entries()) {
        const value = node.optional.has(i) ? optionalValue(run(frame)) : run(frame);
        if (isError(value)) return value;
        if (value !== undefined) list.push(value);
      }
      frame.charge(charges.list);
      return list;
    },
  };
}

export function compileMap(context: CompilerContext, node: MapLiteral): Code {
  const entries = node.entries.map(({ key, value, optional }) => ({
    key: context.compile(key),
    value: context.compile(value),
    optional,
  }));
  const run: Evaluate = (frame) => {
    const map = new MapValue();
    for (const { key, value, optional } of entries) {
      const own = key.run(frame);
      if (isError(own)) return own;
      const item = optional ? optionalValue(value.run(frame)) : value.run(frame);
      if (isError(item)) return item;
      if (!isKey(own)) return celError(`unsupported key type: ${showValue(own)}`);
      if (map.get(own) !== undefined) return celError(`Failed with repeated key`);
      if (item !== undefined) map.set(own, item);
    }
    frame.charge(charges.map);
    return map;
  };
  if (entries.some(({ key, value }) => key.constant === undefined || value.constant === undefined))
    return { run };
  const value = run(new Frame([], charges.map));
  return isError(value) ? { run } : constantCode(value);
}

export function compileStruct(context: CompilerContext, node: StructLiteral): Code {
  const typeName = node.name.replace(/^\./, "");
  const fields = node.fields.map(({ name, value, optional }) => ({
    name,
    optional,
    ...context.compile(value),
  }));
  return {
    run: (frame) => {
      const object: [string, CelValue][] = [];
      for (const { name, run, optional } of fields) {
        const value = optional ? optionalValue(run(frame)) : run(frame);
        if (isError(value)) return value;
        if (value !== undefined) object.push([name, value]);
      }
      frame.charge(charges.struct);
      return constructedObject(typeName, object);
    },
  };
}

/** The value of an optional element; undefined if it has none. */
function optionalValue(value: CelValue): CelValue | undefined {
  if (value instanceof Optional) return value.value;
  return isError(value) ? value : noSuchOverload;
}
