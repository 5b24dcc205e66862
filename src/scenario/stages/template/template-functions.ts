import { goJson } from "../../../apimachinery/go/go-json.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { encodeYaml } from "../../../codec/yaml/yaml.ts";
import { compared, comparesEqual } from "./template-comparisons.ts";
import type { TemplateValue } from "./template-nodes.ts";
import { formatted, isTruth, printed } from "./template-values.ts";

type Arguments = readonly TemplateValue[];
type TemplateFunction = (args: Arguments) => TemplateValue;

/** What templates ask of the cluster. */
export const clusterFunctionNames = [
  "Now",
  "StartTime",
  "Version",
  "NodeIP",
  "NodeIPs",
  "NodeName",
  "NodePort",
  "PodIP",
  "NodeIPWith",
  "NodeIPsWith",
  "PodIPWith",
  "PodIPsWith",
] as const;

/** Calls one of `clusterFunctionNames`. @throws {Error} for wrong arguments */
export type ClusterFunctions = (name: string, args: Arguments) => TemplateValue;

/** Go's own functions, those of KWOK (pkg/utils/gotpl/funcs.go), and some of sprig, which KWOK includes. */
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ["not", ([value]) => !isTruth(value)],
  ["eq", comparesEqual],
  ["ne", (args) => !comparesEqual(args)],
  ["lt", ([a, b]) => compared(a, b) < 0],
  ["le", ([a, b]) => compared(a, b) <= 0],
  ["gt", ([a, b]) => compared(a, b) > 0],
  ["ge", ([a, b]) => compared(a, b) >= 0],
  ["index", ([value, ...keys]) => keys.reduce(elementOf, value)],
  ["len", ([value]) => BigInt(lengthOf(value))],
  ["print", (args) => joined("print", args, formatted, "")],
  ["printf", ([format, ...args]) => printf(textArgument(format), args)],
  ["Quote", ([value]) => short("Quote", quoted(value))],
  ["YAML", ([value, indent]) => short("YAML", yaml(value, indent))],
  ["NodeConditions", () => nodeConditions],
  ["dict", dict],
  ["list", (args) => light(args.map((value) => value ?? null))],
  ["default", ([unset, value]) => (isSet(value) ? value : unset)],
  ["empty", ([value]) => !isSet(value)],
  ["coalesce", (args) => args.find(isSet)],
  ["ternary", ([yes, no, test]) => (test === true ? yes : no)],
  [
    "quote",
    (args) => {
      const set = args.filter((value) => value !== undefined && value !== null);
      return joined("quote", set, (value) => goQuote(formatted(value)), " ");
    },
  ],
  ["toString", ([value]) => short("toString", printed(value))],
  ["lower", ([value]) => textArgument(value).toLowerCase()],
  ["upper", ([value]) => textArgument(value).toUpperCase()],
  ["trim", ([value]) => textArgument(value).trim()],
  ["contains", ([part, value]) => textArgument(value).includes(textArgument(part))],
  ["hasPrefix", ([part, value]) => textArgument(value).startsWith(textArgument(part))],
  ["hasSuffix", ([part, value]) => textArgument(value).endsWith(textArgument(part))],
]);

/** The conditions of a node that is ready, as KWOK reports them. */
const nodeConditions: JsonValue = [
  condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  condition(
    "MemoryPressure",
    "False",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
  ),
  condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
  condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
  condition("NetworkUnavailable", "False", "RouteCreated", "RouteController created a route"),
];

function condition(type: string, status: string, reason: string, message: string): JsonObject {
  return { type, status, reason, message };
}

/** @throws {Error} for another value */
export function textArgument(value: TemplateValue): string {
  if (typeof value !== "string") throw new Error(`invalid value; expected string, not ${printed(value)}`);
  return value;
}

/** Sprig takes zero and empty values, false among them, as not set. */
function isSet(value: TemplateValue): boolean {
  return isTruth(value) && value !== 0;
}

function elementOf(value: TemplateValue, key: TemplateValue): TemplateValue {
  if (value === undefined || value === null) throw new Error("index of untyped nil");
  if (Array.isArray(value)) {
    if (typeof key !== "bigint") throw new Error(`cannot index a list with ${printed(key)}`);
    if (key < 0n || key >= BigInt(value.length)) throw new Error(`index out of range: ${key}`);
    return value[Number(key)];
  }
  if (!isJsonObject(value)) throw new Error(`can't index ${printed(value)}`);
  const name = textArgument(key);
  return Object.hasOwn(value, name) ? value[name] : null;
}

function lengthOf(value: TemplateValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (isJsonObject(value ?? null)) return Object.keys(value ?? {}).length;
  throw new Error(`len of ${printed(value)}`);
}

const longestFormatted = 100_000;

/** Text that is not too long: functions in a row could double it. @throws {Error} for longer text */
function short(name: string, text: string): string {
  if (text.length > longestFormatted) throw tooLong(name);
  return text;
}

function tooLong(name: string): Error {
  return new Error(`${name} writes more than ${longestFormatted} characters`);
}

function joined(
  name: string,
  args: Arguments,
  textOf: (value: TemplateValue) => string,
  separator: string,
): string {
  let text = "";
  for (const [index, value] of args.entries())
    text = short(name, `${text}${index === 0 ? "" : separator}${textOf(value)}`);
  return text;
}

const heaviest = 1_000_000;
/** How much work it is to write a list or a dictionary that a template has made. */
const weights = new WeakMap<object, number>();

/** A value that is not too large: lists of lists could double it. @throws {Error} for a larger one */
function light<Value extends JsonObject | readonly JsonValue[]>(value: Value): Value {
  if (weightOf(value) > heaviest) throw new Error(`a value of more than ${heaviest} characters`);
  return value;
}

function weightOf(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  const known = weights.get(value);
  if (known !== undefined) return known;
  let weight = 1;
  for (const [key, one] of Object.entries(value)) weight += key.length + weightOf(one);
  weights.set(value, weight);
  return weight;
}

/** The verbs of Go that templates of statuses need. */
function printf(format: string, args: Arguments): string {
  let next = 0;
  let length = 0;
  const text = format.replace(/%(.?)/g, (directive, verb: string) => {
    if (verb === "%") return "%";
    const value = args[next++];
    if (verb !== "s" && verb !== "v" && verb !== "d" && verb !== "q")
      throw new Error(`printf: the verb ${directive} is not supported; supported: %s, %v, %d, %q, %%`);
    const piece = short("printf", verb === "q" ? goQuote(formatted(value)) : formatted(value));
    length += piece.length;
    if (length > longestFormatted) throw tooLong("printf");
    return piece;
  });
  return short("printf", text);
}

/** Text in quotation marks; of other values, their JSON in quotation marks. */
function quoted(value: TemplateValue): string {
  const json = goJson(value);
  return typeof value === "string" ? json : goQuote(json);
}

/** The value as YAML; with an indent, on lines of its own that begin with twice as many spaces. */
function yaml(value: TemplateValue, indent: TemplateValue): string {
  const text = encodeYaml(value ?? null);
  const depth = typeof indent === "bigint" ? Number(indent) : 0;
  if (depth <= 0) return text;
  if (depth > mostIndent) throw new Error(`YAML: an indent of more than ${mostIndent}`);
  return `\n${text}`.replaceAll("\n", `\n${"  ".repeat(depth)}`);
}

const mostIndent = 50;

function dict(args: Arguments): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (let i = 0; i < args.length; i += 2) entries.push([printed(args[i]), args[i + 1] ?? ""]);
  return light(Object.fromEntries(entries));
}
