import { expect, test } from "vitest";
import { toJson } from "./to-json.ts";

class Metadata {
  readonly name = "a";
  readonly namespace = undefined;
  readonly creationTimestamp = new Date(0);
  greet(): string {
    return this.name;
  }
}

test.each<[title: string, value: unknown, json: unknown]>([
  [
    "members of a class, without methods",
    new Metadata(),
    { name: "a", creationTimestamp: "1970-01-01T00:00:00.000Z" },
  ],
  ["what toJSON returns", { url: new URL("https://a.test/") }, { url: "https://a.test/" }],
  ["null for what a list cannot leave out", [undefined, () => 1, Number.NaN], [null, null, null]],
  ["large integers", { count: 2n ** 60n }, { count: 2n ** 60n }],
  ["nothing for undefined", undefined, undefined],
  ["nothing for what toJSON leaves out", { toJSON: () => undefined }, undefined],
])("JSON has %s", (_title, value, json) => {
  expect(toJson(value)).toEqual(json);
});

test("a key named __proto__ stays a key", () => {
  const json = toJson(JSON.parse('{"__proto__": 1}'));
  expect(JSON.stringify(json)).toBe('{"__proto__":1}');
});

test("bigints stay bigints, even if the page gives them a toJSON", () => {
  Object.assign(BigInt.prototype, { toJSON: () => "text" });
  try {
    expect(toJson({ count: 5n, list: [1n] })).toEqual({ count: 5n, list: [1n] });
  } finally {
    Reflect.deleteProperty(BigInt.prototype, "toJSON");
  }
});
