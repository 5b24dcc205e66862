import type { FunctionDeclaration } from "../environment/declarations.ts";
import { candidateNames, type Environment } from "../environment/environment.ts";
import type { Call, Expression, Identifier, Select } from "../syntax/expression.ts";
import type { Issues } from "../syntax/issues.ts";
import { operators } from "../syntax/operators.ts";
import type { ParsedExpression } from "../syntax/parser.ts";
import { type CelType, optionalType, types } from "../types/cel-type.ts";
import { formatSignature, formatType } from "../types/format-type.ts";
import { isDynamicOrError, isExactly, isOptional, unwrapOptional } from "../types/type-relations.ts";
import { doubleValue, isInt, Uint } from "../values/numbers.ts";
import type { CelValue } from "../values/value.ts";
import { checkComprehension, checkList, checkMap, checkStruct } from "./check-constructors.ts";
import type { CheckedExpression, Reference } from "./checked-expression.ts";
import type { CheckerContext } from "./checker-context.ts";
import { Scope } from "./scope.ts";
import { mostGeneral, Substitutions } from "./substitutions.ts";

/** Checks an expression against an environment. What is wrong with it is added to `issues`. */
export function check(parsed: ParsedExpression, environment: Environment, issues: Issues): CheckedExpression {
  const checker = new Checker(parsed, environment, issues);
  checker.check(parsed.root);
  const nodeTypes = checker.types.map((type) => type && checker.substitutions.applyAll(type));
  return { ...parsed, environment, types: nodeTypes, references: checker.references };
}

class Checker implements CheckerContext {
  readonly environment: Environment;
  readonly substitutions: Substitutions = new Substitutions();
  readonly scope: Scope = new Scope();
  readonly types: (CelType | undefined)[] = [];
  readonly references: (Reference | undefined)[] = [];
  readonly #parsed: ParsedExpression;
  readonly #issues: Issues;

  constructor(parsed: ParsedExpression, environment: Environment, issues: Issues) {
    this.#parsed = parsed;
    this.environment = environment;
    this.#issues = issues;
  }

  check(node: Expression): CelType {
    const type = this.#typeOf(node);
    this.types[node.id] = type;
    return type;
  }

  error(id: number, message: string): CelType {
    if (this.environment.isChecked) this.#issues.add(this.#parsed.offsets[id], message);
    return types.error;
  }

  undeclared(id: number, name: string): CelType {
    return this.error(id, `undeclared reference to '${name}' (in container '${this.environment.container}')`);
  }

  mismatch(id: number, expected: CelType, actual: CelType): CelType {
    return this.error(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.substitutions.assign([previous], [current])) return mostGeneral(previous, current);
    return types.dyn;
  }

  #typeOf(node: Expression): CelType {
    switch (node.kind) {
      case "literal":
        return typeOfLiteral(node.value);
      case "identifier":
        return this.#checkIdentifier(node);
      case "select":
        return this.#checkSelect(node);
      case "call":
        return this.#checkCall(node);
      case "list":
        return checkList(this, node);
      case "map":
        return checkMap(this, node);
      case "struct":
        return checkStruct(this, node);
      case "comprehension":
        return checkComprehension(this, node);
    }
  }

  #checkIdentifier(node: Identifier): CelType {
    const type = this.#resolve(node.id, node.name);
    if (type !== undefined) return type;
    this.references[node.id] = { kind: "variable", name: `.${node.name}` };
    return this.undeclared(node.id, node.name);
  }

  /** The type of what a name refers to, which is recorded; undefined if nothing has the name. */
  #resolve(id: number, name: string): CelType | undefined {
    const local = this.scope.get(name);
    if (local !== undefined) {
      this.references[id] = { kind: "variable", name };
      return local;
    }
    for (const candidate of candidateNames(this.environment.container, name)) {
      const variable = this.environment.variables.get(candidate);
      if (variable !== undefined) {
        // A local variable of this name hides it unless the name begins with a dot.
        this.references[id] = { kind: "variable", name: `.${candidate}` };
        return variable;
      }
      const constant = this.environment.constants.get(candidate);
      if (constant !== undefined) {
        this.references[id] = { kind: "constant", value: constant.value };
        return constant.type;
      }
    }
    return undefined;
  }

  #checkSelect(node: Select): CelType {
    const name = node.testOnly ? undefined : qualifiedName(node);
    if (name !== undefined && !this.scope.has(firstName(name))) {
      const type = this.#resolve(node.id, name);
      if (type !== undefined) return type;
    }
    const type = this.#selectField(node.id, node.operand, node.field);
    return node.testOnly ? types.bool : this.substitutions.apply(type);
  }

  #selectField(id: number, operand: Expression, field: string): CelType {
    const operandType = this.substitutions.apply(this.check(operand));
    const target = unwrapOptional(operandType);
    const result = this.#fieldType(id, target, field);
    return isOptional(operandType) ? optionalType(result) : result;
  }

  #fieldType(id: number, target: CelType, field: string): CelType {
    switch (target.kind) {
      case "map":
        return target.parameters[1] ?? types.dyn;
      case "object":
        return target.field?.(field) ?? this.error(id, `undefined field '${field}'`);
      case "param":
        this.substitutions.assign([types.dyn], [target]);
        return types.dyn;
      default:
        if (!isDynamicOrError(target)) {
          this.error(id, `type '${formatType(target)}' does not support field selection`);
        }
        return types.dyn;
    }
  }

  #checkOptionalSelect(node: Call): CelType {
    const [operand, field] = node.arguments;
    if (operand === undefined || field?.kind !== "literal" || typeof field.value !== "string") {
      return this.error(node.id, "unsupported optional field selection");
    }
    const type = this.#selectField(node.id, operand, field.value);
    this.types[field.id] = types.string;
    const result = isOptional(type) ? type : optionalType(type);
    return this.substitutions.apply(result);
  }

  #checkCall(node: Call): CelType {
    if (node.function === operators.optionalSelect) return this.#checkOptionalSelect(node);
    const argumentTypes = node.arguments.map((argument) => this.check(argument));
    const { target } = node;
    if (target === undefined) {
      const declaration = this.#findFunction(node.function);
      if (declaration === undefined) return this.#unknownFunction(node);
      return this.#resolveOverload(node, declaration, argumentTypes, undefined);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix && this.#findFunction(`${prefix}.${node.function}`);
    if (qualified) return this.#resolveOverload(node, qualified, argumentTypes, undefined);
    const targetType = this.check(target);
    const declaration = this.environment.functions.get(node.function);
    if (declaration === undefined) return this.#unknownFunction(node);
    return this.#resolveOverload(node, declaration, argumentTypes, targetType);
  }

  #unknownFunction(node: Call): CelType {
    this.references[node.id] = { kind: "call", overloads: [], isGlobal: node.target === undefined };
    return this.undeclared(node.id, node.function);
  }

  #findFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.environment.container, name)) {
      const found = this.environment.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds the overloads that take the arguments; several may if a type is not known. */
  #resolveOverload(
    node: Call,
    declaration: FunctionDeclaration,
    argumentTypes: readonly CelType[],
    target: CelType | undefined,
  ): CelType {
    if (declaration.name === operators.and || declaration.name === operators.or) {
      return this.#checkLogical(node, declaration, argumentTypes);
    }
    const given = target === undefined ? argumentTypes : [target, ...argumentTypes];
    const matching = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (target !== undefined) || overload.parameters.length !== given.length)
        continue;
      const signature = this.#instantiate([overload.result, ...overload.parameters]);
      if (!this.substitutions.assign(given, signature.slice(1))) continue;
      matching.push(overload);
      const own = this.substitutions.apply(signature[0] ?? types.dyn);
      if (result === undefined) result = own;
      else if (!isDynamicOrError(result) && !isExactly(own, result)) result = types.dyn;
    }
    if (result === undefined) {
      const overloads = declaration.overloads.filter(({ parameters }) => parameters.length === given.length);
      this.references[node.id] = { kind: "call", overloads, isGlobal: target === undefined };
      return this.#noMatchingOverload(node, declaration.name, argumentTypes, target);
    }
    this.references[node.id] = { kind: "call", overloads: matching, isGlobal: target === undefined };
    return result;
  }

  #checkLogical(node: Call, { overloads }: FunctionDeclaration, argumentTypes: readonly CelType[]): CelType {
    let result = types.bool;
    for (const [i, type] of argumentTypes.entries()) {
      if (this.substitutions.assign([type], [types.bool])) continue;
      result = this.mismatch(node.arguments[i]?.id ?? node.id, types.bool, type);
    }
    this.references[node.id] = { kind: "call", overloads, isGlobal: true };
    return result;
  }

  #noMatchingOverload(
    node: Call,
    name: string,
    argumentTypes: readonly CelType[],
    target: CelType | undefined,
  ): CelType {
    const shown = argumentTypes.map((type) => this.substitutions.applyAll(type));
    const signature = formatSignature(shown, target && this.substitutions.applyAll(target));
    return this.error(node.id, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  /** The types with a new parameter for each of theirs. */
  #instantiate(signature: readonly CelType[]): readonly CelType[] {
    if (!signature.some(hasParameter)) return signature;
    const own = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (type.kind === "param") {
        const known = own.get(type.name) ?? this.substitutions.fresh();
        own.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replace) };
    };
    return signature.map(replace);
  }
}

function hasParameter(type: CelType): boolean {
  return type.kind === "param" || type.parameters.some(hasParameter);
}

function typeOfLiteral(value: CelValue): CelType {
  if (value === null) return types.null;
  if (typeof value === "string") return types.string;
  if (typeof value === "boolean") return types.bool;
  if (value instanceof Uint) return types.uint;
  if (isInt(value)) return types.int;
  return doubleValue(value) === undefined ? types.bytes : types.double;
}

/** `a.b.c` as a name; undefined if an operand is not a name. */
function qualifiedName(node: Expression): string | undefined {
  if (node.kind === "identifier") return node.name;
  if (node.kind !== "select" || node.testOnly) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

function firstName(name: string): string {
  const dot = name.indexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}
