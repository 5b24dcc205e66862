import { expect, test } from "vitest";
import { compileExpression } from "../../src/cel/evaluate.ts";

/** Expressions that want too much, and the errors of cel-go for them. */
const tooMuch: readonly (readonly [title: string, expression: string, message: string | RegExp])[] = [
  [
    "an expression of a megabyte",
    `'${"a".repeat(1_000_000)}'`,
    "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 1000002, limit 100000",
  ],
  [
    "10,000 parentheses",
    `${"(".repeat(10_000)}1${")".repeat(10_000)}`,
    /expression recursion limit exceeded: 250/,
  ],
  ["10,000 lists", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, /expression recursion limit exceeded: 250/],
  ["10,000 sums", Array(10_000).fill("1").join("+"), /expression recursion limit exceeded: 250/],
  ["10,000 fields", `self${".a".repeat(10_000)}`, /expression recursion limit exceeded: 250/],
  ["10,000 conditions", `${"true ? 1 : ".repeat(5_000)}2`, /expression recursion limit exceeded: 250/],
  ["parentheses that nothing closes", "(".repeat(200), /Syntax error: mismatched input '<EOF>'/],
  [
    "characters that are no tokens",
    "$".repeat(90_000),
    /89900 more errors were truncated|more errors were truncated/,
  ],
  ["a string that nothing closes", `'${"\\'".repeat(40_000)}`, /token recognition error/],
];

test.each(tooMuch)("%s does not compile", (_title, expression, message) => {
  const compile = () => compileExpression(expression);
  if (typeof message === "string") expect(compile).toThrow(message);
  else expect(compile).toThrow(message);
});

const cancelled = "operation cancelled: actual cost limit exceeded";
const list = Array.from({ length: 1000 }, (_, i) => i);

/** Expressions that compile, and whose evaluation ends at the limit of their cost. */
const bombs: readonly (readonly [title: string, expression: string])[] = [
  ["all of all of all", "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))"],
  ["map of map", "self.list.map(a, self.list.map(b, self.list.map(c, [a, b, c]))).size() > 0"],
  ["a text that doubles", `[self.text]${".map(t, t + t)".repeat(30)}.size() == 1`],
  ["texts in a loop", "self.list.map(a, self.list.map(b, self.text + self.text)).size() > 0"],
  ["a long replacement", "self.list.all(a, self.text.replace('a', self.text).size() > 0)"],
  [
    "a regular expression made to explode",
    "self.list.all(a, self.list.all(b, self.short.matches('^(a|aa)+(a+)+b?$')))",
  ],
];

test.each(bombs)("%s ends at the limit of the cost", (_title, expression) => {
  const compiled = compileExpression(expression);
  const self = { list, text: "a".repeat(100_000), short: "a".repeat(2_000) };
  expect(() => compiled.evaluate({ self })).toThrow(cancelled);
});

test("lists that double end before they fill the memory", () => {
  let expression = "a0";
  const names = Array.from({ length: 40 }, (_, i) => i);
  for (const i of names.toReversed()) {
    const value = i === 0 ? "[1, 2, 3, 4]" : `a${i - 1} + a${i - 1}`;
    expression =
      i === 39 ? `cel.bind(a39, ${value}, a39.size())` : `cel.bind(a${i}, ${value}, ${expression})`;
  }
  expect(() => compileExpression(expression, { extensions: ["bindings"] }).evaluate()).toThrow(cancelled);
});

test.each([
  ["__proto__", "no such key: __proto__"],
  ["constructor", "no such key: constructor"],
  ["hasOwnProperty", "no such key: hasOwnProperty"],
])("the property %s of every object of JavaScript is no field", (name, message) => {
  expect(() => compileExpression(`self.${name}`).evaluate({ self: {} })).toThrow(message);
  expect(compileExpression(`has(self.${name})`).evaluate({ self: {} }).value).toBe(false);
  expect(compileExpression(`'${name}' in self`).evaluate({ self: {} }).value).toBe(false);
});

test.each([
  ["length of a list", "self.list.length", "unsupported index type 'string' in list"],
  ["entries of a map", "{'a': 1}.entries", "no such key: entries"],
  ["value of an optional", "optional.of({'a': 1}).nothing", undefined],
  ["a method of a list", "self.list.map", "unsupported index type 'string' in list"],
])("%s is no field", (_title, expression, message) => {
  const evaluate = () => compileExpression(expression).evaluate({ self: { list } }).value;
  if (message === undefined) expect(evaluate()).toBeNull();
  else expect(evaluate).toThrow(message);
});
