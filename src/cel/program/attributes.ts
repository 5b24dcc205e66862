import { typeOfNode } from "../checker/checked-expression.ts";
import type { Expression } from "../syntax/expression.ts";
import { operators } from "../syntax/operators.ts";
import { unwrapOptional } from "../types/type-relations.ts";
import { celError, isError } from "../values/cel-error.ts";
import { type CelValue, Optional, optionalNone } from "../values/value.ts";
import { type Adapter, adapterOf } from "./adapt.ts";
import type { CompilerContext } from "./compiler-context.ts";
import { type Code, constantCode, type Evaluate, type Frame } from "./frame.ts";
import { isInherited, lookUp, missing, plainField } from "./lookup.ts";

/** One step of an attribute: `.name`, `[key]` or their optional forms. */
interface Qualifier {
  /** The key, or how it is computed. */
  readonly key: CelValue | undefined;
  /** The key as the expression has it, for messages. */
  readonly shownKey: CelValue | undefined;
  readonly computeKey: Evaluate;
  readonly isOptional: boolean;
  readonly adapt: Adapter | undefined;
}

/** A name or a value, and the fields and indices that are selected from it (cel-go, interpreter/attributes.go). */
interface Attribute {
  readonly root: Evaluate;
  /** The charge for reading the attribute, without its qualifiers. */
  readonly charge: 0 | 1;
  readonly qualifiers: readonly Qualifier[];
}

/** Whether the node is a step of an attribute. */
export function isQualified(node: Expression): boolean {
  if (node.kind === "select") return true;
  return node.kind === "call" && indexOperators.has(node.function);
}

const indexOperators: ReadonlySet<string> = new Set([
  operators.index,
  operators.optionalIndex,
  operators.optionalSelect,
]);

/** Compiles a name, a selection, an index, or `has(selection)`. */
export function compileAttribute(context: CompilerContext, node: Expression): Code {
  const reference = context.checked.references[node.id];
  if (reference?.kind === "constant") return constantCode(reference.value);
  if (node.kind === "select" && node.testOnly) return compilePresence(context, node.operand, node.field);
  return codeOf(attributeOf(context, node));
}

/** Compiles a variable by its name, which an error mentions if the variable has no value. */
function rootOf(context: CompilerContext, node: Expression, name: string): Evaluate {
  const slot = context.slotOf(name);
  const initialize = context.initializerOf(name);
  if (initialize !== undefined) {
    return (frame) => {
      const known = frame.slots[slot];
      if (known !== undefined) return known;
      const value = initialize(frame);
      frame.slots[slot] = value;
      return value;
    };
  }
  const adapt = name.startsWith(".") ? adapterOf(typeOfNode(context.checked, node)) : undefined;
  const absent = celError(`no such attribute(s): ${name.replace(/^\./, "")}`);
  if (adapt === undefined)
    return (frame) => frame.slots[slot] ?? (frame.slots[slot] === null ? null : absent);
  return (frame) => {
    const value = frame.slots[slot];
    return value === undefined ? absent : adapt(value);
  };
}

function attributeOf(context: CompilerContext, node: Expression): Attribute {
  const reference = context.checked.references[node.id];
  if (reference?.kind === "variable") {
    return { root: rootOf(context, node, reference.name), charge: 1, qualifiers: [] };
  }
  if (!isQualified(node) || (node.kind === "select" && node.testOnly)) {
    const { run } = context.compile(node);
    const isConditional = node.kind === "call" && node.function === operators.conditional;
    return { root: run, charge: isConditional ? 0 : 1, qualifiers: [] };
  }
  const [operand, step, isOptional] = stepOf(node);
  const attribute = attributeOf(context, operand);
  const adapt = adapterOf(unwrapOptional(typeOfNode(context.checked, node)));
  const code = typeof step === "string" ? constantCode(step) : context.compile(step);
  const computeKey = code.uncharged ?? code.run;
  const shownKey = code.constant;
  const { property } = unwrapOptional(typeOfNode(context.checked, operand));
  const key = typeof shownKey === "string" && property !== undefined ? property(shownKey) : shownKey;
  const qualifier: Qualifier = { key, shownKey, computeKey, isOptional, adapt };
  return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
}

function stepOf(
  node: Expression,
): readonly [operand: Expression, key: Expression | string, isOptional: boolean] {
  if (node.kind === "select") return [node.operand, node.field, false];
  if (node.kind !== "call") throw new Error(`${node.kind} selects nothing`);
  const [operand, key] = node.arguments;
  if (operand === undefined || key === undefined) throw new Error(`${node.function} needs two operands`);
  return [operand, key, node.function !== operators.index];
}

function codeOf({ root, charge, qualifiers }: Attribute): Code {
  const steps = stepsOf(root, qualifiers);
  const inner = qualifiers.length;
  const total = inner + charge;
  return {
    run: (frame) => {
      frame.cost += total;
      return steps(frame);
    },
    uncharged: (frame) => {
      frame.cost += inner;
      return steps(frame);
    },
  };
}

/** The evaluation of an attribute without its charges. */
function stepsOf(root: Evaluate, qualifiers: readonly Qualifier[]): Evaluate {
  const plain = qualifiers.map(plainName).filter((name) => name !== undefined);
  const [first, second] = plain;
  if (qualifiers.length === 0) return root;
  if (plain.length === qualifiers.length && first !== undefined) {
    if (plain.length === 1) return (frame) => selectFrom(root(frame), first);
    if (plain.length === 2 && second !== undefined) {
      return (frame) => selectFrom(selectFrom(root(frame), first), second);
    }
    return (frame) => {
      let value = root(frame);
      for (const name of plain) value = selectFrom(value, name);
      return value;
    };
  }
  return (frame) => qualify(frame, root(frame), qualifiers);
}

/** The name of a step that selects a field of this name and nothing else. */
function plainName({ key, shownKey, isOptional, adapt }: Qualifier): string | undefined {
  if (typeof key !== "string" || key !== shownKey || isOptional || adapt !== undefined) return undefined;
  return isInherited(key) ? undefined : key;
}

function selectFrom(value: CelValue, name: string): CelValue {
  return plainField(value, name) ?? selectFromAny(value, name);
}

/** A value that is no plain object, or has no such field. */
function selectFromAny(value: CelValue, name: string): CelValue {
  if (isError(value)) return value;
  if (value instanceof Optional) return fieldOfOptional(value, name);
  const found = lookUp(value, name);
  return found === undefined ? missing(value, name) : found;
}

function fieldOfOptional({ value }: Optional, name: string): CelValue {
  const found = value === undefined ? undefined : lookUp(value, name);
  return found === undefined ? optionalNone : new Optional(found);
}

/** Applies the steps one after the other. After an optional step, what is absent is none instead of an error. */
function qualify(frame: Frame, start: CelValue, qualifiers: readonly Qualifier[]): CelValue {
  if (isError(start)) return start;
  let value: CelValue = start;
  let isOptional = false;
  if (start instanceof Optional) {
    if (start.value === undefined) return start;
    value = start.value;
    isOptional = true;
  }
  for (const qualifier of qualifiers) {
    const key = qualifier.key ?? qualifier.computeKey(frame);
    if (isError(key)) return key;
    isOptional ||= qualifier.isOptional;
    const found = lookUp(value, key);
    if (found === undefined) return isOptional ? optionalNone : missing(value, qualifier.shownKey ?? key);
    if (isError(found)) return found;
    value = qualifier.adapt === undefined ? found : qualifier.adapt(found);
    if (isError(value)) return value;
  }
  return isOptional ? new Optional(value) : value;
}

/** `has(operand.field)` */
function compilePresence(context: CompilerContext, operand: Expression, field: string): Code {
  const attribute = attributeOf(context, operand);
  const steps = stepsOf(attribute.root, attribute.qualifiers);
  const { property } = unwrapOptional(typeOfNode(context.checked, operand));
  const key = property?.(field) ?? field;
  const testCost = context.checked.environment.presenceTestHasCost ? 1 : 0;
  const total = attribute.qualifiers.length + attribute.charge + testCost;
  return {
    run: (frame) => {
      frame.cost += total;
      const value = steps(frame);
      if (isError(value)) return value;
      const target = value instanceof Optional ? value.value : value;
      return target !== undefined && lookUp(target, key) !== undefined;
    },
  };
}
