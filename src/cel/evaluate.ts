import type { JsonValue } from "../apimachinery/json.ts";
import { isJsonObject } from "../apimachinery/json.ts";
import { parseRelease, type Release } from "../apimachinery/release.ts";
import { toJson } from "../apimachinery/to-json.ts";
import { compile } from "./compilation.ts";
import { estimateCost } from "./cost/estimate-cost.ts";
import type { Library } from "./environment/declarations.ts";
import { kubernetesEnvironment } from "./kubernetes-environment.ts";
import { bindings } from "./libraries/extensions/comprehensions.ts";
import { encoders } from "./libraries/extensions/encoders.ts";
import { math } from "./libraries/extensions/math.ts";
import { jsonPatches } from "./libraries/kubernetes/json-patches.ts";
import { type Activation, perCallLimit } from "./program/program.ts";
import { type DeclaredType, declaredSizes } from "./schema/declared-type.ts";
import { schemaType } from "./schema/schema-type.ts";
import { type CelType, types } from "./types/cel-type.ts";
import { formatType } from "./types/format-type.ts";
import { toJsonValue } from "./values/to-json.ts";

/**
 * A library that most expressions of Kubernetes do not have: `math.greatest(a, b)`, `base64.encode(b)` and
 * `cel.bind(x, a, b)` of cel-go, and `jsonpatch.escapeKey(key)`, which mutating admission policies have.
 */
export type Extension = "math" | "encoders" | "bindings" | "jsonpatch";

const extensionLibraries: Readonly<Record<Extension, Library>> = {
  math,
  encoders,
  bindings,
  jsonpatch: jsonPatches,
};

/** What an expression is evaluated with. */
export interface CompileOptions {
  /** The OpenAPI schema of `self` and `oldSelf`, as in a CustomResourceDefinition. Default: their type is not known. */
  readonly schema?: object;
  /** The names of further variables, whose types are not known. Default: none. */
  readonly variables?: readonly string[];
  /** The release whose libraries the expression may use, from "1.16" to "1.36". Default: "1.32". */
  readonly release?: Release;
  /**
   * Whether the expression is "new", so that it may only use what the release before has as well, or "stored".
   * Default: "new", as for an expression in a request.
   */
  readonly expressions?: "new" | "stored";
  /** Libraries that the release does not have for every expression. Default: none. */
  readonly extensions?: readonly Extension[];
  /** The cost beyond which an evaluation ends. Default: 1,000,000, as in Kubernetes. */
  readonly costLimit?: number;
}

/** The values of variables: `self`, `oldSelf`, `object`, and those that the options name. */
export interface Variables {
  readonly [name: string]: unknown;
}

/** The value of an expression. */
export interface Evaluation {
  /** The value as JSON; integers beyond 2^53 are bigints. */
  readonly value: JsonValue;
  /** The cost that was used. */
  readonly cost: number;
}

/** A compiled expression. */
export interface Expression {
  /** The type of its value, as messages of the compiler name it: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** The least and the most that an evaluation costs, given the sizes that the schema declares. */
  readonly estimatedCost: { readonly min: number; readonly max: number };
  /**
   * Evaluates the expression.
   * @throws {ExpressionError} with the message of cel-go: `no such key: replicas`
   */
  evaluate(variables?: Variables): Evaluation;
}

/** An expression does not compile, or its evaluation fails. The message is that of cel-go. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

/** The variables that an expression may always name: those of custom resources and of admission policies. */
const known = ["self", "oldSelf", "object", "oldObject", "request", "params", "namespaceObject", "variables"];

/**
 * Compiles an expression of Kubernetes for many evaluations.
 * @throws {ExpressionError} whose message shows each error with a pointer under its place
 */
export function compileExpression(expression: string, options: CompileOptions = {}): Expression {
  const { schema, variables = [], release = "1.32", expressions = "new", extensions = [] } = options;
  const { costLimit = perCallLimit } = options;
  const declared = schema === undefined ? undefined : declaredType(schema);
  const names = [...known, ...variables];
  const environment = kubernetesEnvironment({
    // Calls from JavaScript can pass any text.
    release: parseRelease(release),
    expressions,
    extensions: extensions.map((name) => extensionLibraries[name]),
    variables: names.map((name): [string, CelType] => [name, typeOfVariable(name, declared)]),
  });
  const compiled = compile(expression, environment);
  if (!("program" in compiled)) throw new ExpressionError(compiled.message);
  const { program, checked, type } = compiled;
  const roots =
    declared === undefined
      ? []
      : ([
          ["self", declared],
          ["oldSelf", declared],
        ] as const);
  const { min, max } = estimateCost(checked, declaredSizes(new Map(roots)));
  return {
    type: formatType(type),
    estimatedCost: { min, max },
    evaluate(values = {}) {
      const outcome = program.evaluate(activationOf(values), costLimit);
      if (outcome.error !== undefined) throw new ExpressionError(outcome.error);
      return { value: toJsonValue(outcome.value), cost: outcome.cost };
    },
  };
}

/**
 * Evaluates an expression of Kubernetes: `evaluate("self.replicas <= 5", { self: { replicas: 3 } })` is true.
 * @throws {ExpressionError} if the expression does not compile or its evaluation fails
 */
export function evaluate(
  expression: string,
  variables: Variables = {},
  options: CompileOptions = {},
): JsonValue {
  const names = [...(options.variables ?? []), ...Object.keys(variables)];
  return compileExpression(expression, { ...options, variables: names }).evaluate(variables).value;
}

function declaredType(schema: object): DeclaredType {
  const json = toJson(schema);
  const declared = isJsonObject(json) ? schemaType(json, "self", "root") : undefined;
  if (declared === undefined)
    throw new ExpressionError("the schema declares no type: it needs a type such as object");
  return declared;
}

function typeOfVariable(name: string, declared: DeclaredType | undefined): CelType {
  const isTyped = name === "self" || name === "oldSelf";
  return isTyped && declared !== undefined ? declared.type : types.dyn;
}

/** Plain data are values as they are; nothing is copied. What is no plain data, such as a Date, has no fields. */
function activationOf(variables: Variables): Activation {
  // The types of JavaScript do not say what an object consists of; the evaluation looks at each value that it reads.
  return variables as Activation;
}
