import { badRequest } from "../errors/errors.ts";
import { aggregateMessage, fieldCauses } from "../errors/field.ts";
import { noGoTypes } from "../go/go-shape.ts";
import type { Since } from "../release.ts";
import { compareText } from "../text-order.ts";
import { collectErrors, type Findings } from "../validation/findings.ts";
import {
  addRequirementErrors,
  addRequirementKeyErrors,
  compileRequirement,
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
} from "../validation/label-requirement.ts";
import { type LabelToken, scanLabelSelector } from "./label-selector-scanner.ts";

/** Selects objects by their labels. */
export interface LabelSelector {
  /** Whether it matches every object. */
  readonly isEmpty: boolean;
  /** The requirements, all of which must match, in the order of their keys. */
  readonly requirements: readonly LabelRequirement[];
  readonly matches: (labels: Labels) => boolean;
  /** The selector in the syntax of a query: `app=web,tier in (a,b)`. */
  readonly text: string;
}

/** Matches every object. */
export const everyLabel: LabelSelector = {
  isEmpty: true,
  requirements: [],
  matches: () => true,
  text: "",
};

/** Matches no object, as an absent selector in an object does. */
export const noLabel: LabelSelector = {
  isEmpty: false,
  requirements: [],
  matches: () => false,
  text: "",
};

/** A selector of valid requirements. */
export function labelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everyLabel;
  const sorted = requirements.toSorted((a, b) => compareText(a.key, b.key));
  const tests = sorted.map(compileRequirement);
  const [only] = tests;
  return {
    isEmpty: false,
    requirements: sorted,
    matches: tests.length === 1 && only !== undefined ? only : (labels) => all(tests, labels),
    text: sorted.map(formatRequirement).join(","),
  };
}

function all(tests: readonly ((labels: Labels) => boolean)[], labels: Labels): boolean {
  for (const test of tests) if (!test(labels)) return false;
  return true;
}

/**
 * Parses a selector of a query.
 * @throws {StatusError} badRequest for a syntax error, with the wording of the release
 */
export function parseLabelSelector(text: string, since: Since): LabelSelector {
  if (text === "") return everyLabel;
  const parser = new Parser(scanLabelSelector(text), since);
  return labelSelector(parser.parse());
}

/** The operators that follow a key. */
const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

/** Reads tokens from left to right. */
class Parser {
  readonly #tokens: readonly LabelToken[];
  readonly #since: Since;
  #position = 0;

  constructor(tokens: readonly LabelToken[], since: Since) {
    this.#tokens = tokens;
    this.#since = since;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    const first = this.#peek();
    if (first.type === "end") return requirements;
    if (!startsRequirement(first)) throw found(first, ", expected: !, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.type === "end") return requirements;
      if (!isSymbol(separator, ",")) throw found(separator, ", expected: ',' or 'end of string'");
      const following = this.#peek();
      if (!startsRequirement(following)) throw found(following, ", expected: identifier after ','");
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = isSymbol(this.#peek(), "!");
    if (isNegated) this.#next();
    const token = this.#next();
    if (token.type !== "word") throw unparsable(token, ", expected: identifier");
    const key = token.text;
    this.#check((errors) => addRequirementKeyErrors(errors, key, "<nil>"));
    if (isNegated) return { key, operator: "!", values: [] };
    if (endsRequirement(this.#peek())) return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#valueSet() : [this.#value()];
    const requirement: LabelRequirement = { key, operator, values };
    this.#check((errors) => addRequirementErrors(errors, requirement));
    return requirement;
  }

  #check(validate: (errors: Findings) => void): void {
    const errors = collectErrors(validate);
    if (errors.length > 0) {
      throw unparsableRequirement(aggregateMessage(fieldCauses(errors, this.#since, noGoTypes)));
    }
  }

  #operator(): LabelOperator {
    const token = this.#next();
    const operator = OPERATORS.get(token.text);
    if (operator === undefined) throw unparsable(token, ", expected: in, notin, =, ==, !=, gt, lt");
    return operator;
  }

  #value(): string {
    if (endsRequirement(this.#peek())) return "";
    const token = this.#next();
    if (token.type !== "word") throw unparsable(token, ", expected: identifier");
    return token.text;
  }

  /** The values in parentheses, distinct and sorted. An omitted value is the empty string. */
  #valueSet(): string[] {
    const open = this.#next();
    // Here only, upstream's message has no comma.
    if (!isSymbol(open, "(")) throw unparsable(open, " expected: '('");
    const first = this.#peek();
    if (isSymbol(first, ")")) {
      this.#next();
      return [""];
    }
    if (first.type !== "word" && !isSymbol(first, ",")) {
      throw unparsable(first, ", expected: ',', ')' or identifier");
    }
    const values = this.#listedValues();
    this.#next();
    return [...values].sort(compareText);
  }

  /** Stops before the closing parenthesis. */
  #listedValues(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      if (token.type === "word") {
        values.add(token.text);
        const following = this.#peek();
        if (isSymbol(following, ")")) return values;
        if (!isSymbol(following, ",")) throw unparsable(following, ", expected: ',' or ')'");
        continue;
      }
      if (!isSymbol(token, ",")) throw unparsable(token, ", expected: ',', or identifier");
      if (values.size === 0) values.add("");
      if (isSymbol(this.#peek(), ")")) return values.add("");
      if (!isSymbol(this.#peek(), ",")) continue;
      // Before 1.35, the second comma was lost, so that `(a,,)` could not be parsed.
      if (!this.#since("1.35")) this.#next();
      values.add("");
    }
  }

  #peek(): LabelToken {
    return this.#tokens[this.#position] ?? { type: "end", text: "" };
  }

  #next(): LabelToken {
    const token = this.#peek();
    this.#position++;
    return token;
  }
}

function isSymbol(token: LabelToken, text: string): boolean {
  return token.type === "symbol" && token.text === text;
}

function startsRequirement(token: LabelToken): boolean {
  return token.type === "word" || isSymbol(token, "!");
}

function endsRequirement(token: LabelToken): boolean {
  return token.type === "end" || isSymbol(token, ",");
}

function found(token: LabelToken, expectation: string): Error {
  return badRequest(`found '${token.text}'${expectation}`);
}

function unparsable(token: LabelToken, expectation: string): Error {
  return unparsableRequirement(`found '${token.text}'${expectation}`);
}

function unparsableRequirement(text: string): Error {
  return badRequest(`unable to parse requirement: ${text}`);
}
