import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../src/cel/compilation.ts";
import { estimateCost } from "../../src/cel/cost/estimate-cost.ts";
import { kubernetesEnvironment } from "../../src/cel/kubernetes-environment.ts";
import { declaredSizes } from "../../src/cel/schema/declared-type.ts";
import { schemaType } from "../../src/cel/schema/schema-type.ts";
import { Issues } from "../../src/cel/syntax/issues.ts";
import { parse } from "../../src/cel/syntax/parser.ts";
import { unparse } from "../../src/cel/syntax/unparse.ts";
import type { CelType } from "../../src/cel/types/cel-type.ts";
import { isDynamic } from "../../src/cel/types/type-relations.ts";
import { isList } from "../../src/cel/values/containers.ts";
import { hasType } from "../../src/cel/values/type-of.ts";
import type { CelValue } from "../../src/cel/values/value.ts";

const schema = {
  type: "object",
  properties: {
    count: { type: "integer" },
    ratio: { type: "number" },
    name: { type: "string", maxLength: 8 },
    flag: { type: "boolean" },
    names: { type: "array", maxItems: 4, items: { type: "string", maxLength: 5 } },
    counts: { type: "array", maxItems: 4, items: { type: "integer" } },
    labels: { type: "object", maxProperties: 3, additionalProperties: { type: "string", maxLength: 5 } },
  },
};

const self = schemaType(schema, "self", "part");
if (self === undefined) throw new Error("the schema declares no type");
const environment = kubernetesEnvironment({
  release: "1.36",
  expressions: "stored",
  variables: [["self", self.type]],
});

const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "-"), maxLength: 5 });
const objects = fc.record({
  count: fc.integer({ min: -9, max: 9 }),
  ratio: fc.double({ noNaN: true, min: -10, max: 10 }),
  name: text,
  flag: fc.boolean(),
  names: fc.array(text, { maxLength: 4 }),
  counts: fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 4 }),
  labels: fc.dictionary(fc.constantFrom("a", "b", "c"), text, { maxKeys: 3 }),
});

/** Expressions by the type of their value, each of which the checker accepts. */
const { bool, int, string } = fc.letrec<Record<"bool" | "int" | "string" | "ints" | "strings", string>>(
  (tie) => {
    const pair = (a: string, b: string, write: (a: string, b: string) => string) =>
      // The keys of the record are those of the type.
      fc.tuple(tie(a as "int"), tie(b as "int")).map(([x, y]) => write(x, y));
    const one = (a: string, write: (a: string) => string) => tie(a as "int").map(write);
    const choose = (...choices: fc.Arbitrary<string>[]) =>
      fc.oneof({ maxDepth: 4, withCrossShrink: true }, ...(choices as [fc.Arbitrary<string>]));
    return {
      int: choose(
        fc.constantFrom("self.count", "1", "-3", "7"),
        pair("int", "int", (a, b) => `(${a} + ${b})`),
        pair("int", "int", (a, b) => `(${a} * ${b})`),
        pair("int", "int", (a, b) => `(${a} % ${b})`),
        one("string", (a) => `size(${a})`),
        one("strings", (a) => `${a}.size()`),
        one("ints", (a) => `${a}.sum()`),
        pair("bool", "int", (a, b) => `(${a} ? ${b} : 2)`),
      ),
      string: choose(
        fc.constantFrom("self.name", "'a'", "'é-b'"),
        pair("string", "string", (a, b) => `(${a} + ${b})`),
        one("string", (a) => `${a}.lowerAscii()`),
        one("strings", (a) => `${a}.join('-')`),
        one("int", (a) => `string(${a})`),
        pair("bool", "string", (a, b) => `(${a} ? ${b} : self.name)`),
      ),
      bool: choose(
        fc.constantFrom("self.flag", "true", "has(self.name)"),
        pair("int", "int", (a, b) => `(${a} < ${b})`),
        pair("string", "string", (a, b) => `(${a} == ${b})`),
        pair("bool", "bool", (a, b) => `(${a} && ${b})`),
        pair("bool", "bool", (a, b) => `(${a} || !${b})`),
        pair("string", "strings", (a, b) => `(${a} in ${b})`),
        pair("string", "string", (a, b) => `${a}.startsWith(${b})`),
        one("string", (a) => `${a}.matches('^[a-c]*$')`),
        pair("strings", "string", (a, b) => `${a}.all(s, s != ${b})`),
        pair("ints", "int", (a, b) => `${a}.exists(i, i > ${b})`),
        one("ints", (a) => `${a}.exists_one(i, i == 1)`),
      ),
      strings: choose(
        fc.constantFrom("self.names", "['a', 'b']"),
        pair("strings", "strings", (a, b) => `(${a} + ${b})`),
        pair("strings", "string", (a, b) => `${a}.map(s, s + ${b})`),
        one("strings", (a) => `${a}.filter(s, s != 'a')`),
        one("string", (a) => `${a}.split('-')`),
      ),
      ints: choose(
        fc.constantFrom("self.counts", "[1, 2, 3]"),
        pair("ints", "int", (a, b) => `${a}.map(i, i + ${b})`),
        one("ints", (a) => `${a}.filter(i, i > 0)`),
      ),
    };
  },
);
const expressions = fc.oneof(bool, int, string);

const syntax = { macros: new Map(), optionalSyntax: true, escapedIdentifiers: true };

function parsed(expression: string) {
  const issues = new Issues({ text: expression, description: "<input>" });
  const { root } = parse(issues, syntax);
  return { root, errors: issues.toString() };
}

test("what parses prints as an expression that parses to the same", () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      const first = parsed(expression);
      expect(first.errors).toBe("");
      const printed = unparse(first.root);
      const second = parsed(printed);
      expect(second.errors).toBe("");
      expect(unparse(second.root)).toBe(printed);
      expect(withoutIds(second.root)).toEqual(withoutIds(first.root));
    }),
    { numRuns: 300 },
  );
});

test("the value has the type that the checker deduces, and costs no more than estimated", () => {
  fc.assert(
    fc.property(expressions, objects, (expression, object) => {
      const compiled = compile(expression, environment);
      if (!("program" in compiled)) {
        // A constant part can fail: 7 % 0 does not occur, but an overflow may.
        expect(compiled.kind).toBe("instantiation");
        return;
      }
      const outcome = compiled.program.evaluate({ self: object });
      const { max } = estimateCost(compiled.checked, declaredSizes(new Map([["self", self]])));
      expect(outcome.cost).toBeLessThanOrEqual(max);
      if (outcome.error === undefined) expect(matches(outcome.value, compiled.type)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function matches(value: CelValue, type: CelType): boolean {
  if (isDynamic(type)) return true;
  if (!hasType(value, type)) return false;
  const [element] = type.parameters;
  return !isList(value) || element === undefined || value.every((item) => matches(item, element));
}

function withoutIds(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === "id" ? undefined : value)));
}
