import { expect, test } from "vitest";
import { checkOptions, unknownName } from "./option-checks.ts";
import { boolean, listOf, numberFrom, oneOf, text } from "./option-types.ts";

const types = {
  name: text,
  isOpen: boolean,
  size: numberFrom(1),
  groups: listOf(text),
  mode: oneOf("AlwaysAllow", "AlwaysDeny", "RBAC"),
};

test("accepts options of their types, and undefined ones", () => {
  const options = { name: "a", isOpen: false, size: 1, groups: ["a"], mode: "RBAC" };
  expect(() => checkOptions("call", options, types)).not.toThrow();
  expect(() => checkOptions("call", { name: undefined }, types)).not.toThrow();
  expect(() => checkOptions("call", {}, types)).not.toThrow();
});

test.each<[string, unknown, string]>([
  ["no object", null, "call: the options must be an object, not null"],
  ["a list", ["a"], 'call: the options must be an object, not ["a"]'],
  ["a similar name", { nmae: "a" }, 'call: unknown option "nmae"; did you mean "name"?'],
  [
    "another name",
    { toString: 1 },
    'call: unknown option "toString"; known: name, isOpen, size, groups, mode',
  ],
  ["no text", { name: 1 }, "call: name must be text, not 1"],
  ["null", { name: null }, "call: name must be text, not null"],
  ["no boolean", { isOpen: "yes" }, 'call: isOpen must be true or false, not "yes"'],
  ["a small number", { size: 0 }, "call: size must be a number of at least 1, not 0"],
  ["no number", { size: Number.NaN }, "call: size must be a number of at least 1, not NaN"],
  ["no list", { groups: "a" }, 'call: groups must be a list of which each element is text, not "a"'],
  ["a wrong element", { groups: [1] }, "call: groups must be a list of which each element is text, not [1]"],
  [
    "an unknown value",
    { mode: "Rbac" },
    'call: mode must be "AlwaysAllow", "AlwaysDeny" or "RBAC", not "Rbac"',
  ],
  [
    "a misspelt value",
    { mode: "AlwaysAlow" },
    'call: mode must be "AlwaysAllow", "AlwaysDeny" or "RBAC", not "AlwaysAlow"; did you mean "AlwaysAllow"?',
  ],
  ["a regular expression", { name: /a/ }, "call: name must be text, not /a/"],
  ["a function", { name: () => {} }, "call: name must be text, not a function"],
  [
    "a long value",
    { name: { a: "b".repeat(99) } },
    `call: name must be text, not {"a":"${"b".repeat(54)}...`,
  ],
])("%s is refused", (_title, options, message) => {
  expect(() => checkOptions("call", options, types)).toThrow(new TypeError(message));
});

test("the title names the option", () => {
  expect(() => checkOptions("call", { size: 0 }, types, (option) => `--${option}`)).toThrow(
    "--size must be a number of at least 1, not 0",
  );
});

test("an unknown name without a similar one has no list if there are many", () => {
  const many = Array.from({ length: 30 }, (_, index) => `Gate${index}`);
  expect(unknownName("unknown gate", "Something", many).message).toBe('unknown gate "Something"');
});

test("a required option must be given", () => {
  const required = { name: { ...text, isRequired: true as const } };
  const message = "call needs the option name: text";
  expect(() => checkOptions("call", {}, required)).toThrow(message);
  expect(() => checkOptions("call", { name: undefined }, required)).toThrow(message);
  expect(() => checkOptions("call", { name: "" }, required)).not.toThrow();
});
