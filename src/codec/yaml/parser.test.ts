import { expect, test } from "vitest";
import { parseYaml } from "./yaml.ts";

test.each([
  ["a: &a !e!x \n  @", "yaml: line 2: found character that cannot start any token"],
  ["a: !e!x &a @", "yaml: found character that cannot start any token"],
  ["a: &a !e!x b", "yaml: found undefined tag handle"],
])("an invalid token is reported before an undefined tag: %j", (text, message) => {
  expect(() => parseYaml(text)).toThrow(message);
});
