import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { type CompiledExpression, compile } from "../../../cel/compilation.ts";
import { estimateCost } from "../../../cel/cost/estimate-cost.ts";
import type { Environment } from "../../../cel/environment/environment.ts";
import { kubernetesEnvironment } from "../../../cel/kubernetes-environment.ts";
import { type DeclaredType, declaredSizes } from "../../../cel/schema/declared-type.ts";
import { type SchemaPosition, schemaType } from "../../../cel/schema/schema-type.ts";
import { type CelType, optionalType } from "../../../cel/types/cel-type.ts";
import { formatType } from "../../../cel/types/format-type.ts";

/** A rule in `x-kubernetes-validations`, compiled. */
export interface CompiledRule {
  readonly source: JsonObject;
  /** Undefined if the rule does not compile. */
  readonly expression: CompiledExpression | undefined;
  /** Why the rule cannot be used, in the words of upstream. */
  readonly problem: string | undefined;
  /** The most that one evaluation costs. */
  readonly maxCost: number;
  /** How many values of the type a request can hold at most. */
  readonly maxCardinality: number;
  /** Whether the rule compares with the value before an update. */
  readonly usesOldSelf: boolean;
  readonly isOldSelfOptional: boolean;
  readonly message: CompiledMessage | undefined;
}

/** A compiled `messageExpression`. */
export interface CompiledMessage {
  readonly expression: CompiledExpression | undefined;
  readonly problem: string | undefined;
  readonly maxCost: number;
}

/** The size of the largest request (apiserver, pkg/apis/cel/config.go). */
const maxRequestSize = 3 * 1024 * 1024;

/** How rules are compiled: stored ones may use more than new ones. */
export interface RuleEnvironment {
  readonly release: Release;
  readonly isStored: (expression: string) => boolean;
}

/**
 * The rules of a schema; undefined if it has none, or if expressions cannot see its values. Upstream:
 * apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go.
 */
export function compileRules(
  schema: JsonObject,
  position: SchemaPosition,
  environment: RuleEnvironment,
): readonly CompiledRule[] | undefined {
  const sources = listAt(schema, "x-kubernetes-validations");
  const declared = sources.length === 0 ? undefined : schemaType(schema, "selfType", position);
  return declared && sources.map((source) => compileRule(source, declared, environment));
}

function compileRule(source: JsonObject, declared: DeclaredType, environment: RuleEnvironment): CompiledRule {
  const isOldSelfOptional = source["optionalOldSelf"] === true;
  const rule = textAt(source, "rule");
  const oldSelf = isOldSelfOptional ? optionalType(declared.type) : declared.type;
  const compiled = compileAs(rule, declared, environment, oldSelf);
  const isBool = compiled.expression !== undefined && formatType(compiled.expression.type) === "bool";
  const failure = compiled.problem && `compilation failed: ${compiled.problem}`;
  const problem = failure ?? (isBool ? undefined : "cel expression must evaluate to a bool");
  return {
    source,
    ...compiled,
    problem,
    maxCardinality: Math.floor(maxRequestSize / (declared.minSerializedSize + 1)),
    usesOldSelf: compiled.expression !== undefined && usesOldSelf(rule),
    isOldSelfOptional,
    message: compileMessage(source, declared, environment, oldSelf),
  };
}

/** Whether an expression names the variable, outside of texts. */
function usesOldSelf(rule: string): boolean {
  return /\boldSelf\b/.test(rule.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'));
}

function compileMessage(
  source: JsonObject,
  declared: DeclaredType,
  environment: RuleEnvironment,
  oldSelf: CelType,
): CompiledMessage | undefined {
  const text = textAt(source, "messageExpression");
  if (text === "") return undefined;
  const compiled = compileAs(text, declared, environment, oldSelf);
  if (compiled.expression === undefined) {
    return { ...compiled, problem: `messageExpression compilation failed: ${compiled.problem}` };
  }
  const isText = formatType(compiled.expression.type) === "string";
  return { ...compiled, problem: isText ? undefined : "messageExpression must evaluate to a string" };
}

interface Compiled {
  readonly expression: CompiledExpression | undefined;
  readonly problem: string | undefined;
  readonly maxCost: number;
}

function compileAs(
  text: string,
  declared: DeclaredType,
  { release, isStored }: RuleEnvironment,
  oldSelf: CelType,
): Compiled {
  const expressions = isStored(text) ? "stored" : "new";
  const variables: readonly (readonly [string, CelType])[] = [
    ["self", declared.type],
    ["oldSelf", oldSelf],
  ];
  const environment: Environment = kubernetesEnvironment({ release, expressions, variables });
  const compiled = compile(text, environment);
  if (!("program" in compiled)) return { expression: undefined, problem: compiled.message, maxCost: 0 };
  const sizes = declaredSizes(
    new Map([
      ["self", declared],
      ["oldSelf", declared],
    ]),
  );
  return { expression: compiled, problem: undefined, maxCost: estimateCost(compiled.checked, sizes).max };
}
