import { getKey, isJsonObject, type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";

/** The values that a step leads to from one value. */
type Step = (value: JsonValue) => readonly JsonValue[];

/** One step at a time: a name, a quoted name, an index, a slice, a wildcard or a filter. */
const tokens =
  /\.(?<name>[\w$-]+)|\.(?<star>\*)|\[\s*(?:'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<all>\*)|(?<index>-?\d+)|(?<from>-?\d*):(?<to>-?\d*)|\?\(\s*@(?<path>(?:\.[\w$-]+)+)\s*(?:(?<operator>==|!=|<=|>=|<|>)\s*(?<operand>'[^']*'|"[^"]*"|-?[\d.]+|true|false)\s*)?\))\s*\]/y;

/**
 * Compiles a JSON path of client-go's form without braces, such as `.status.conditions[?(@.type=="Ready")].status`, to a
 * function that returns the first value it finds. Undefined for a path of another form.
 */
export function compileJsonPath(path: string): ((value: JsonValue) => JsonValue | undefined) | undefined {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    tokens.lastIndex = at;
    const groups = tokens.exec(path)?.groups;
    if (groups === undefined) return undefined;
    steps.push(stepOf(groups));
    at = tokens.lastIndex;
  }
  return (value) => steps.reduce<readonly JsonValue[]>((found, step) => found.flatMap(step), [value]).at(0);
}

type Groups = { readonly [name: string]: string | undefined };

function stepOf(groups: Groups): Step {
  const name = groups["name"] ?? groups["single"] ?? groups["double"];
  if (name !== undefined) return member(name);
  if (groups["path"] !== undefined) return filter(groups["path"], groups["operator"], groups["operand"]);
  if (groups["index"] !== undefined) return element(Number(groups["index"]));
  if (groups["from"] !== undefined) return slice(groups["from"], groups["to"] ?? "");
  return children;
}

function member(name: string): Step {
  return (value) => {
    const found = isJsonObject(value) ? getKey(value, name) : undefined;
    return found === undefined ? [] : [found];
  };
}

function element(index: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? (value as readonly JsonValue[]).at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

function slice(from: string, to: string): Step {
  const [first, last] = [from === "" ? 0 : Number(from), to === "" ? undefined : Number(to)];
  return (value) => (Array.isArray(value) ? value.slice(first, last) : []);
}

function children(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function filter(path: string, operator: string | undefined, operand: string | undefined): Step {
  const names = path.slice(1).split(".").map(member);
  const wanted = operand === undefined ? undefined : literal(operand);
  return (value) =>
    children(value).filter((item) => {
      const [found] = names.reduce<readonly JsonValue[]>((values, step) => values.flatMap(step), [item]);
      if (operator === undefined || wanted === undefined) return found !== undefined;
      return found !== undefined && compares(found, operator, wanted);
    });
}

function literal(text: string): JsonValue {
  if (text.startsWith("'") || text.startsWith('"')) return text.slice(1, -1);
  return text === "true" || text === "false" ? text === "true" : Number(text);
}

function compares(a: JsonValue, operator: string, b: JsonValue): boolean {
  if (operator === "==") return jsonEqual(a, b);
  if (operator === "!=") return !jsonEqual(a, b);
  if (typeof a !== typeof b || a === null || b === null) return false;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}
