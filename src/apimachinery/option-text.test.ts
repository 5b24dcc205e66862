import { expect, test } from "vitest";
import { optionsFromText } from "./option-text.ts";
import { integerFrom, text } from "./option-types.ts";

const types = { name: text, times: integerFrom(1) };

test.each([
  ["no text", undefined, {}],
  ["values of their types", "name=2,times=2", { name: "2", times: 2 }],
  ["a value with an equals sign", "name=a=b", { name: "a=b" }],
  ["an unknown option, for a later check", "__proto__=x", JSON.parse('{"__proto__": "x"}')],
])("%s", (_what, written, expected) => {
  expect(optionsFromText("call", written, types)).toEqual(expected);
});

test.each([
  ["", 'call: "" is not an option; write option=value'],
  ["name=a,times", 'call: "times" is not an option; write option=value'],
  ["times=1,times=2", "call: the option times is given twice"],
])("%j is refused", (written, message) => {
  expect(() => optionsFromText("call", written, types)).toThrow(message);
});
