import { expect, test } from "vitest";
import { parse } from "yaml";
import { blockYaml } from "./openapi-yaml.ts";

test.each([
  ["a word", "merge", "merge\n"],
  ["words in a list of words", "merge,retainKeys", "merge,retainKeys\n"],
  ["an empty text", "", '""\n'],
  ["a text that looks like a boolean", "true", '"true"\n'],
  ["a text that is a boolean in YAML 1.1", "On", '"On"\n'],
  ["a text that looks like a number", "10", '"10"\n'],
  ["a text with a colon", "a: b", '"a: b"\n'],
  ["a number", 1.5, "1.5\n"],
  ["a boolean", true, "true\n"],
  ["a list", ["name", "port"], "- name\n- port\n"],
  ["an empty list", [], "[]\n"],
  ["an object", { group: "", kind: "Pod", version: "v1" }, 'group: ""\nkind: Pod\nversion: v1\n'],
  [
    "objects in a list",
    [
      { group: "apps", kind: "Deployment" },
      { group: "", kind: "Pod" },
    ],
    '- group: apps\n  kind: Deployment\n- group: ""\n  kind: Pod\n',
  ],
  [
    "an object in an object in a list",
    [{ discriminator: "type", "fields-to-discriminateBy": { localhostProfile: "LocalhostProfile" } }],
    "- discriminator: type\n  fields-to-discriminateBy:\n    localhostProfile: LocalhostProfile\n",
  ],
  ["a list in an object", { keys: ["a"], empty: {} }, "keys:\n    - a\nempty: {}\n"],
])("%s is written as yaml.v3 does", (_title, value, text) => {
  expect(blockYaml(value)).toBe(text);
  expect(parse(text)).toEqual(value);
});
