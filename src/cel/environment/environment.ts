import { type Macros, withMacros } from "../syntax/macro-table.ts";
import type { CelType } from "../types/cel-type.ts";
import type { ConstantDeclaration, FunctionDeclaration, Library, Overload } from "./declarations.ts";

/** What an expression may refer to. */
export interface Environment {
  /** The types of the variables by name, which may be qualified. */
  readonly variables: ReadonlyMap<string, CelType>;
  readonly constants: ReadonlyMap<string, ConstantDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: Macros;
  /** The object types that an expression can construct, by name. */
  readonly objectTypes: ReadonlyMap<string, CelType>;
  /** The namespace in which names are looked up first. */
  readonly container: string;
  /** Whether `a.?b` and the like are part of the language. */
  readonly optionalSyntax: boolean;
  readonly escapedIdentifiers: boolean;
  /** Whether the elements of a list or map literal must have one type. */
  readonly homogeneousLiterals: boolean;
  /** Whether literals that no function accepts are errors of the compiler: `duration("x")`. */
  readonly literalValidation: boolean;
  /** Whether `has(a.b)` costs as much as `a.b`. */
  readonly presenceTestHasCost: boolean;
  /** Whether what the checker finds wrong prevents the run; without, it is an error of the run. */
  readonly isChecked: boolean;
}

/** The parts of an environment, all of which have defaults. */
export interface EnvironmentParts {
  readonly libraries: readonly Library[];
  readonly variables?: Iterable<readonly [name: string, type: CelType]>;
  readonly objectTypes?: Iterable<CelType>;
  readonly container?: string;
  readonly optionalSyntax?: boolean;
  readonly escapedIdentifiers?: boolean;
  readonly homogeneousLiterals?: boolean;
  readonly literalValidation?: boolean;
  readonly presenceTestHasCost?: boolean;
  readonly isChecked?: boolean;
}

const empty: Environment = {
  variables: new Map(),
  constants: new Map(),
  functions: new Map(),
  macros: new Map(),
  objectTypes: new Map(),
  container: "",
  optionalSyntax: true,
  escapedIdentifiers: true,
  homogeneousLiterals: false,
  literalValidation: false,
  presenceTestHasCost: true,
  isChecked: true,
};

/** Composes an environment. Overloads that several libraries give a function are joined. */
export function environmentOf({
  libraries,
  variables = [],
  objectTypes = [],
  ...settings
}: EnvironmentParts): Environment {
  return { ...extendedEnvironment(empty, { libraries, variables, objectTypes }), ...settings };
}

/** The same environment with more libraries, variables and object types. What is not extended is shared. */
export function extendedEnvironment(
  environment: Environment,
  parts: Pick<Required<EnvironmentParts>, "libraries" | "variables" | "objectTypes">,
): Environment {
  const { libraries, variables, objectTypes } = parts;
  return {
    ...environment,
    ...(libraries.length > 0 && withLibraries(environment, libraries)),
    variables: new Map([...environment.variables, ...variables]),
    objectTypes: new Map([
      ...environment.objectTypes,
      ...Array.from(objectTypes, (type) => [type.name, type] as const),
    ]),
  };
}

function withLibraries(
  { functions: known, constants, macros }: Environment,
  libraries: readonly Library[],
): Pick<Environment, "functions" | "constants" | "macros"> {
  const functions = new Map(known);
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const own = functions.get(declaration.name);
    functions.set(declaration.name, own === undefined ? declaration : joined(own, declaration.overloads));
  }
  return {
    functions,
    constants: new Map([
      ...constants,
      ...libraries.flatMap((library) =>
        (library.constants ?? []).map((constant) => [constant.name, constant] as const),
      ),
    ]),
    macros: withMacros(
      macros,
      libraries.flatMap((library) => library.macros ?? []),
    ),
  };
}

/** The names that a name can stand for in a container, innermost first. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [name.slice(1)];
  const candidates: string[] = [];
  for (let scope = container; scope !== ""; scope = scope.slice(0, Math.max(0, scope.lastIndexOf(".")))) {
    candidates.push(`${scope}.${name}`);
  }
  return [...candidates, name];
}

function joined(declaration: FunctionDeclaration, overloads: readonly Overload[]): FunctionDeclaration {
  const ids = new Set(overloads.map(({ id }) => id));
  return {
    ...declaration,
    overloads: [...declaration.overloads.filter(({ id }) => !ids.has(id)), ...overloads],
  };
}
