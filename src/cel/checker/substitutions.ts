import { type CelType, types } from "../types/cel-type.ts";
import { isDynamic, isDynamicOrError, isExactly } from "../types/type-relations.ts";

/** What type parameters stand for, which grows as expressions are checked (cel-go, checker/types.go). */
export class Substitutions {
  readonly #bound: Map<string, CelType> = new Map();
  /** What the names that the assignment has bound stood for before. */
  readonly #replaced: (readonly [name: string, before: CelType | undefined])[] = [];
  #count = 0;

  /** A type parameter that stands for nothing yet. */
  fresh(): CelType {
    return { kind: "param", name: `_var${this.#count++}`, parameters: [] };
  }

  /** Whether a value of each type can be used for the other's place; if not, nothing changes. */
  assign(from: readonly CelType[], to: readonly CelType[]): boolean {
    this.#replaced.length = 0;
    if (this.#allAssignable(from, to)) return true;
    for (const [name, before] of this.#replaced.toReversed()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  #bind(name: string, type: CelType): void {
    this.#replaced.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  /** The type with its parameters replaced. */
  apply(type: CelType): CelType {
    return this.#replace(type, undefined);
  }

  /** The type with its parameters replaced, those that stand for nothing by dyn. */
  applyAll(type: CelType): CelType {
    return this.#replace(type, types.dyn);
  }

  #replace(type: CelType, unbound: CelType | undefined): CelType {
    if (type.kind === "param") {
      const bound = this.#bound.get(type.name);
      return bound === undefined ? (unbound ?? type) : this.#replace(bound, unbound);
    }
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map((parameter) => this.#replace(parameter, unbound));
    return parameters.every((parameter, i) => parameter === type.parameters[i])
      ? type
      : { ...type, parameters };
  }

  #allAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, i) => this.#assignable(type, to[i] ?? types.error));
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (b.kind === "param") {
      const verdict = this.#substitute(a, b);
      if (verdict !== "unbound") return verdict === "valid";
    }
    if (a.kind === "param") return this.#substitute(b, a) === "valid";
    if (isDynamicOrError(a) || isDynamicOrError(b)) return true;
    if (a.kind === "null") return isNullable(b);
    if (b.kind === "null") return isNullable(a);
    if (a.kind === "type") return b.kind === "type";
    if (a.kind === "list" || a.kind === "map" || a.kind === "opaque") {
      return a.kind === b.kind && a.name === b.name && this.#allAssignable(a.parameters, b.parameters);
    }
    return a.kind === b.kind && a.name === b.name;
  }

  /** Binds a parameter to a type, or checks the type against what it is bound to; the more general one stays. */
  #substitute(type: CelType, parameter: CelType): "valid" | "invalid" | "unbound" {
    if (type.kind === "param" && type.name === parameter.name) return "valid";
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (!this.#isAbsent(parameter, type)) return "unbound";
      this.#bind(parameter.name, type);
      return "valid";
    }
    if (isExactly(type, bound)) return "valid";
    if (!this.#assignable(type, bound)) return "invalid";
    const general = mostGeneral(type, bound);
    if (this.#isAbsent(parameter, general)) this.#bind(parameter.name, general);
    return "valid";
  }

  /** Whether a parameter does not occur in a type. */
  #isAbsent(parameter: CelType, type: CelType): boolean {
    if (type.kind !== "param") return type.parameters.every((inner) => this.#isAbsent(parameter, inner));
    if (type.name === parameter.name) return false;
    const bound = this.#bound.get(type.name);
    return bound === undefined || this.#isAbsent(parameter, bound);
  }
}

/** The more general of two types that can be used for each other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrMoreGeneral(a, b) ? a : b;
}

function isEqualOrMoreGeneral(a: CelType, b: CelType): boolean {
  if (isDynamic(a) || a.kind === "param") return true;
  if (isDynamic(b) || b.kind === "param") return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "type":
      return true;
    case "opaque":
    case "list":
    case "map":
      if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
      return a.parameters.every((parameter, i) =>
        isEqualOrMoreGeneral(parameter, b.parameters[i] ?? types.error),
      );
    default:
      return isExactly(a, b);
  }
}

/** Null is a value of wrappers, and for the sake of compatibility of every message and opaque type. */
function isNullable(type: CelType): boolean {
  const { kind, nullable } = type;
  if (nullable || kind === "null") return true;
  return kind === "opaque" || kind === "object" || kind === "duration" || kind === "timestamp";
}
