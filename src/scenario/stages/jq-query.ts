import { isJsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import { type JqToken, jqTokens, unsupportedJq } from "./jq-tokens.ts";

/** The values that a query yields for a document, without null; none if it fails, as in KWOK (pkg/utils/expression/query.go). */
export type JqQuery = (document: JsonValue) => readonly JsonValue[];

type Filter = (input: JsonValue) => readonly JsonValue[];

/** A value has no such part. It ends the query without values. */
class JqFailure extends Error {}

/** Parsers of nested parentheses call themselves. */
const deepest = 50;

/** @throws {Error} that says what is supported, for everything else */
export function parseJq(source: string): JqQuery {
  const filter = new JqParser(source).whole();
  return (document) => {
    try {
      return filter(document).filter((value) => value !== null);
    } catch (error) {
      if (error instanceof JqFailure) return [];
      throw error;
    }
  };
}

/** Binary operators, the loosest first. */
const binaryOperators: readonly { readonly [operator: string]: (left: Filter, right: Filter) => Filter }[] = [
  { "|": (left, right) => (input) => left(input).flatMap(right) },
  { "//": alternative },
  { or: (left, right) => truths(left, right, (a, b) => a || b) },
  { and: (left, right) => truths(left, right, (a, b) => a && b) },
  {
    "==": (left, right) => comparison(left, right, true),
    "!=": (left, right) => comparison(left, right, false),
  },
];

class JqParser {
  readonly #source: string;
  readonly #tokens: readonly JqToken[];
  #next = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = jqTokens(source);
  }

  whole(): Filter {
    const filter = this.#binary(0);
    if (this.#next < this.#tokens.length) throw this.#unsupported();
    return filter;
  }

  #binary(level: number): Filter {
    const operators = binaryOperators[level];
    if (operators === undefined) return this.#postfix();
    let left = this.#binary(level + 1);
    for (;;) {
      const { text = "" } = this.#tokens[this.#next] ?? {};
      const combine = Object.hasOwn(operators, text) ? operators[text] : undefined;
      if (combine === undefined) return left;
      this.#next++;
      left = combine(left, this.#binary(level + 1));
    }
  }

  #postfix(): Filter {
    let filter = this.#term();
    for (;;) {
      const { text, type } = this.#tokens[this.#next] ?? {};
      if (type === "field" || text === "." || text === "[") filter = then(filter, this.#access());
      else if (this.#take("?")) filter = orNothing(filter);
      else return filter;
    }
  }

  #term(): Filter {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw this.#unsupported();
    if (token.type === "field") return this.#access();
    this.#next++;
    if (token.type === "literal") return () => [token.value];
    switch (token.text) {
      case ".":
        return this.#rootPath();
      case "(":
        return this.#inParentheses();
      case "not":
        return (input) => [!isTrue(input)];
      case "select": {
        if (!this.#take("(")) throw this.#unsupported();
        const condition = this.#inParentheses();
        // jq yields the value once for each truth, which makes no difference to who asks which values there are.
        return (input) => (condition(input).some(isTrue) ? [input] : []);
      }
      default:
        this.#next--;
        throw this.#unsupported();
    }
  }

  /** What follows a single dot: `."a"`, `.[]`, or nothing. */
  #rootPath(): Filter {
    const { type, text } = this.#tokens[this.#next] ?? {};
    if (text === "[" || type === "literal") {
      this.#next--;
      return this.#access();
    }
    return (input) => [input];
  }

  /** One step: `.a`, `."a"`, `["a"]`, `[0]` or `[]`, where a dot may precede the bracket. */
  #access(): Filter {
    const token = this.#tokens[this.#next++];
    if (token?.type === "field") return (input) => [fieldOf(input, token.text)];
    if (token?.text === ".") {
      const quoted = this.#tokens[this.#next];
      if (quoted?.type === "literal" && typeof quoted.value === "string") {
        this.#next++;
        const name = quoted.value;
        return (input) => [fieldOf(input, name)];
      }
      if (!this.#take("[")) throw this.#unsupported();
    }
    if (this.#take("]")) return elementsOf;
    const index = this.#tokens[this.#next++];
    if (index?.type !== "literal" || !this.#take("]")) throw this.#unsupported(this.#next - 1);
    if (typeof index.value === "number") return elementAt(index.value);
    if (typeof index.value !== "string") throw this.#unsupported(this.#next - 2);
    const name = index.value;
    return (input) => [fieldOf(input, name)];
  }

  #inParentheses(): Filter {
    if (++this.#depth > deepest) throw this.#unsupported();
    const filter = this.#binary(0);
    if (!this.#take(")")) throw this.#unsupported();
    this.#depth--;
    return filter;
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#next];
    const isNext = token?.type === "word" && token.text === text;
    if (isNext) this.#next++;
    return isNext;
  }

  #unsupported(at = this.#next): Error {
    return unsupportedJq(this.#source, this.#tokens[at]?.at ?? this.#source.length);
  }
}

function then(first: Filter, second: Filter): Filter {
  return (input) => first(input).flatMap(second);
}

function orNothing(filter: Filter): Filter {
  return (input) => {
    try {
      return filter(input);
    } catch (error) {
      if (error instanceof JqFailure) return [];
      throw error;
    }
  };
}

/** `a // b`: what is true of `a`, or else `b`. Failures of `a` are none. */
function alternative(left: Filter, right: Filter): Filter {
  const first = orNothing(left);
  return (input) => {
    const found = first(input).filter(isTrue);
    return found.length > 0 ? found : right(input);
  };
}

function truths(left: Filter, right: Filter, combine: (a: boolean, b: boolean) => boolean): Filter {
  return (input) => {
    const others = new Set(right(input).map(isTrue));
    const combined = [...new Set(left(input).map(isTrue))].flatMap((a) =>
      [...others].map((b) => combine(a, b)),
    );
    return [...new Set(combined)];
  };
}

function comparison(left: Filter, right: Filter, wanted: boolean): Filter {
  return (input) => {
    const others = right(input);
    return [...new Set(left(input).flatMap((a) => others.map((b) => jsonEqual(a, b) === wanted)))];
  };
}

function isTrue(value: JsonValue): boolean {
  return value !== null && value !== false;
}

function fieldOf(input: JsonValue, name: string): JsonValue {
  if (input === null) return null;
  if (!isJsonObject(input)) throw new JqFailure();
  return Object.hasOwn(input, name) ? (input[name] ?? null) : null;
}

function elementsOf(input: JsonValue): readonly JsonValue[] {
  if (Array.isArray(input)) return input;
  if (isJsonObject(input)) return Object.values(input);
  throw new JqFailure();
}

function elementAt(index: number): Filter {
  return (input) => {
    if (input === null) return [null];
    if (!Array.isArray(input)) throw new JqFailure();
    return [input.at(index) ?? null];
  };
}
