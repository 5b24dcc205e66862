import { expect, test } from "vitest";
import { strictWarnings } from "./strict-warnings.ts";
import { readYaml } from "./yaml/yaml.ts";

test("every duplicate key of a YAML body has its own warning", () => {
  const { strictErrors } = readYaml("a: 1\na: 2\nb: 1\nb: 2\n");
  expect(strictErrors).toHaveLength(1);
  expect(strictWarnings([...strictErrors, 'unknown field "x"'])).toEqual([
    'line 2: key "a" already set in map',
    'line 4: key "b" already set in map',
    'unknown field "x"',
  ]);
});
