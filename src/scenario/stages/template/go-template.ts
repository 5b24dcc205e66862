import { isJsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { sortedKeys } from "../../../apimachinery/text-order.ts";
import { type ClusterFunctions, clusterFunctionNames, templateFunctions } from "./template-functions.ts";
import type { Operand, Pipeline, TemplateNode, TemplateValue } from "./template-nodes.ts";
import { parseTemplate } from "./template-parser.ts";
import { isTruth, printed } from "./template-values.ts";

/** What a template may write, and how often its loops may run altogether. */
const longestOutput = 1024 * 1024;
const mostSteps = 100_000;

/** Renders an object as text. @throws {Error} for what the template cannot do with the object */
export type GoTemplate = (object: JsonValue, functions: ClusterFunctions) => string;

const functionNames: ReadonlySet<string> = new Set([
  ...templateFunctions.keys(),
  ...clusterFunctionNames,
  "and",
  "or",
]);

/** A template of Go's package text/template with the functions of KWOK. @throws {Error} for what is not supported, and lists what is */
export function goTemplate(source: string): GoTemplate {
  const nodes = parseTemplate(source.trim(), functionNames);
  return (object, functions) => new Execution(object, functions).render(nodes);
}

class Execution {
  readonly #functions: ClusterFunctions;
  /** The last one of a name counts. */
  readonly #variables: { readonly name: string; value: TemplateValue }[];
  #dot: TemplateValue;
  readonly #output: string[] = [];
  #length = 0;
  #steps = 0;

  constructor(object: JsonValue, functions: ClusterFunctions) {
    this.#functions = functions;
    this.#dot = object;
    this.#variables = [{ name: "$", value: object }];
  }

  render(nodes: readonly TemplateNode[]): string {
    this.#walk(nodes);
    return this.#output.join("");
  }

  #walk(nodes: readonly TemplateNode[]): void {
    for (const node of nodes) {
      if (++this.#steps > mostSteps) throw new Error(`the template takes more than ${mostSteps} steps`);
      if (node.type === "text") this.#write(node.text);
      else if (node.type === "output") {
        const value = this.#valueOf(node.pipeline);
        if (node.pipeline.variables.length === 0) this.#write(printed(value));
      } else this.#block(node);
    }
  }

  #write(text: string): void {
    this.#length += text.length;
    if (this.#length > longestOutput)
      throw new Error(`the template writes more than ${longestOutput} characters`);
    this.#output.push(text);
  }

  #block(node: Extract<TemplateNode, { readonly type: "if" | "with" | "range" }>): void {
    const scope = this.#variables.length;
    const before = this.#dot;
    if (node.type === "range") this.#range(node);
    else {
      const value = this.#valueOf(node.pipeline);
      if (node.type === "with" && isTruth(value)) this.#dot = value;
      this.#walk(isTruth(value) ? node.body : node.otherwise);
    }
    this.#dot = before;
    this.#variables.length = scope;
  }

  #range({
    pipeline,
    body,
    otherwise,
  }: Extract<TemplateNode, { readonly type: "if" | "with" | "range" }>): void {
    const { variables, isAssignment } = pipeline;
    const elements = elementsOf(this.#valueOf({ ...pipeline, variables: [] }));
    if (elements.length === 0) this.#walk(otherwise);
    for (const [key, element] of elements) {
      const scope = this.#variables.length;
      const values = variables.length === 2 ? [key, element] : [element];
      for (const [index, name] of variables.entries()) this.#set(name, values[index], isAssignment);
      this.#dot = element;
      this.#walk(body);
      this.#variables.length = scope;
    }
  }

  #set(name: string, value: TemplateValue, isAssignment: boolean): void {
    const known = isAssignment ? this.#variables.findLast((variable) => variable.name === name) : undefined;
    if (known !== undefined) known.value = value;
    else this.#variables.push({ name, value });
  }

  #valueOf({ variables, isAssignment, commands }: Pipeline): TemplateValue {
    let value: TemplateValue;
    for (const [index, command] of commands.entries()) {
      value = this.#command(command, index === 0 ? [] : [value]);
    }
    for (const name of variables) this.#set(name, value, isAssignment);
    return value;
  }

  #command([first, ...rest]: readonly Operand[], last: readonly TemplateValue[]): TemplateValue {
    if (first === undefined) return undefined;
    if (first.type === "function") return this.#call(first.name, rest, last);
    if (last.length > 0) throw new Error("can't give argument to non-function");
    return this.#operand(first);
  }

  #operand(operand: Operand): TemplateValue {
    switch (operand.type) {
      case "literal":
        return operand.value;
      case "dot":
        return this.#dot;
      case "variable":
        return this.#variables.findLast(({ name }) => name === operand.name)?.value;
      case "pipeline":
        return this.#valueOf(operand.pipeline);
      case "function":
        return this.#call(operand.name, [], []);
      case "field":
        return fieldOf(this.#operand(operand.of), operand.name);
    }
  }

  #call(name: string, operands: readonly Operand[], last: readonly TemplateValue[]): TemplateValue {
    if (name === "and" || name === "or") return this.#choose(name, operands, last);
    const args = [...operands.map((operand) => this.#operand(operand)), ...last];
    const own = templateFunctions.get(name);
    if (own !== undefined) return own(args);
    return this.#functions(name, args);
  }

  /** `or` is its first true argument, `and` its first false one; the rest is not evaluated. */
  #choose(name: "and" | "or", operands: readonly Operand[], last: readonly TemplateValue[]): TemplateValue {
    let value: TemplateValue = last[0];
    for (const operand of operands) {
      value = this.#operand(operand);
      if (isTruth(value) === (name === "or")) return value;
    }
    return last.length > 0 ? last[0] : value;
  }
}

/** Missing keys have no value, and neither have their fields (text/template/exec.go, evalField). */
function fieldOf(value: TemplateValue, name: string): TemplateValue {
  if (value === undefined) return undefined;
  if (value === null) throw new Error(`nil pointer evaluating interface {}.${name}`);
  if (!isJsonObject(value)) throw new Error(`can't evaluate field ${name} in ${printed(value).slice(0, 60)}`);
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The keys and elements that a loop goes through. */
function elementsOf(
  value: TemplateValue,
): readonly (readonly [key: TemplateValue, element: TemplateValue])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((element: JsonValue, index) => [BigInt(index), element]);
  if (isJsonObject(value)) return sortedKeys(value).map((key) => [key, value[key]]);
  throw new Error(`range can't iterate over ${printed(value).slice(0, 60)}`);
}
