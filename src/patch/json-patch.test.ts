import { describe, expect, test } from "vitest";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import type { FieldValidation } from "./field-validation.ts";
import { applyJsonPatch, parseJsonPatch, patchJsonText } from "./json-patch.ts";
import { PatchError, type PatchErrorKind } from "./patch-error.ts";

/** The text of a document after the operations. */
function patched(document: string, operations: string): string {
  return patchJsonText(document, parseJsonPatch(operations, "Warn").operations);
}

/** The kind and message of the error that a call throws. */
function refusal(call: () => unknown): [kind: PatchErrorKind, message: string] {
  try {
    call();
  } catch (error) {
    if (error instanceof PatchError) return [error.kind, error.message];
    throw error;
  }
  throw new Error("not refused");
}

describe("an operation", () => {
  test.each([
    ["add creates a member", `{"a":1}`, `[{"op":"add","path":"/b","value":2}]`, `{"a":1,"b":2}`],
    ["add replaces a member", `{"a":1}`, `[{"op":"add","path":"/a","value":2}]`, `{"a":2}`],
    ["add without a value adds null", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`],
    ["add inserts before an index", `{"a":[1,2]}`, `[{"op":"add","path":"/a/1","value":9}]`, `{"a":[1,9,2]}`],
    ["add at the length appends", `{"a":[1]}`, `[{"op":"add","path":"/a/1","value":9}]`, `{"a":[1,9]}`],
    ["add at - appends", `{"a":[1]}`, `[{"op":"add","path":"/a/-","value":9}]`, `{"a":[1,9]}`],
    ["add at -1 appends", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-1","value":9}]`, `{"a":[1,2,9]}`],
    [
      "add counts negative indices from behind the last element",
      `{"a":[1]}`,
      `[{"op":"add","path":"/a/-2","value":9}]`,
      `{"a":[9,1]}`,
    ],
    [
      "an index may have a sign and zeros",
      `{"a":[1]}`,
      `[{"op":"replace","path":"/a/+00","value":9}]`,
      `{"a":[9]}`,
    ],
    ["remove deletes a member", `{"a":1,"b":2}`, `[{"op":"remove","path":"/a"}]`, `{"b":2}`],
    ["remove at -1 deletes the last element", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-1"}]`, `{"a":[1]}`],
    ["replace adds a missing member", `{}`, `[{"op":"replace","path":"/a","value":1}]`, `{"a":1}`],
    ["replace sets an element", `{"a":[1,2]}`, `[{"op":"replace","path":"/a/-1","value":9}]`, `{"a":[1,9]}`],
    [
      "replace of the whole document accepts an object",
      `{"a":1}`,
      `[{"op":"replace","path":"","value":{"b":2}}]`,
      `{"b":2}`,
    ],
    [
      "replace of the whole document accepts a list",
      `{"a":1}`,
      `[{"op":"replace","path":"","value":[1]}]`,
      `[1]`,
    ],
    [
      "replace of the whole document by a scalar does nothing",
      `{"a":1}`,
      `[{"op":"replace","path":"","value":5}]`,
      `{"a":1}`,
    ],
    [
      "move moves a value",
      `{"a":{"x":1},"b":{}}`,
      `[{"op":"move","from":"/a/x","path":"/b/y"}]`,
      `{"a":{},"b":{"y":1}}`,
    ],
    [
      "move within a list removes first",
      `{"a":[1,2,3]}`,
      `[{"op":"move","from":"/a/0","path":"/a/2"}]`,
      `{"a":[2,3,1]}`,
    ],
    [
      "a copy is independent of the original",
      `{"a":{"x":1}}`,
      `[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x","value":2}]`,
      `{"a":{"x":1},"b":{"x":2}}`,
    ],
    ["copy of a missing member adds null", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"b":null}`],
    ["~1 is a slash and ~0 a tilde", `{}`, `[{"op":"add","path":"/a~1b~0c~01","value":1}]`, `{"a/b~c~1":1}`],
    [
      "percent signs are ordinary characters",
      `{}`,
      `[{"op":"add","path":"/a%20b","value":1}]`,
      `{"a%20b":1}`,
    ],
    ["a lone slash is the member with the empty name", `{}`, `[{"op":"add","path":"/","value":1}]`, `{"":1}`],
    ["the text before the first slash is ignored", `{}`, `[{"op":"add","path":"x/a","value":1}]`, `{"a":1}`],
    [
      "__proto__ is an ordinary member",
      `{}`,
      `[{"op":"add","path":"/__proto__","value":{}},{"op":"add","path":"/__proto__/x","value":1}]`,
      `{"__proto__":{"x":1}}`,
    ],
    [
      "constructor is missing unless it was sent",
      `{}`,
      `[{"op":"test","path":"/constructor","value":null},{"op":"copy","from":"/constructor","path":"/a"}]`,
      `{"a":null}`,
    ],
  ])("%s", (_title, document, operations, expected) => {
    expect(patched(document, operations)).toBe(expected);
  });

  test.each([
    ["a missing parent", `{}`, `[{"op":"add","path":"/a/b","value":1}]`],
    ["a scalar as parent", `{"a":1}`, `[{"op":"add","path":"/a/b","value":1}]`],
    ["null as parent", `{"a":null}`, `[{"op":"add","path":"/a/b","value":1}]`],
    ["an index beyond the length", `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":1}]`],
    ["an index before the beginning", `{"a":[1]}`, `[{"op":"add","path":"/a/-3","value":1}]`],
    ["an index that is not a number", `{"a":[1]}`, `[{"op":"add","path":"/a/x","value":1}]`],
    ["an index with a fraction", `{"a":[1]}`, `[{"op":"replace","path":"/a/0.0","value":1}]`],
    ["a pointer without a slash", `{"a":1}`, `[{"op":"remove","path":"a"}]`],
    ["adding the whole document", `{}`, `[{"op":"add","path":"","value":{}}]`],
    ["removing a missing member", `{}`, `[{"op":"remove","path":"/a"}]`],
    ["removing - of a list", `{"a":[1]}`, `[{"op":"remove","path":"/a/-"}]`],
    ["replacing a missing element", `{"a":[1]}`, `[{"op":"replace","path":"/a/1","value":1}]`],
    ["replacing below a missing member", `{}`, `[{"op":"replace","path":"/a/b","value":1}]`],
    ["moving a missing member", `{}`, `[{"op":"move","from":"/a","path":"/b"}]`],
    ["moving a value into itself", `{"a":{}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`],
    ["copying from below a missing member", `{}`, `[{"op":"copy","from":"/a/b","path":"/c"}]`],
    ["no from", `{"a":1}`, `[{"op":"copy","path":"/b"}]`],
    ["no path", `{}`, `[{"op":"add","value":1}]`],
    ["an unknown op", `{}`, `[{"op":"zork","path":"/a"}]`],
    ["no op", `{}`, `[{"path":"/a"}]`],
    ["null as operation", `{}`, `[null]`],
    ["null as op", `{}`, `[{"op":null,"path":"/a"}]`],
  ])("does not apply with %s", (_title, document, operations) => {
    expect(refusal(() => patched(document, operations))[0]).toBe("unprocessable");
  });
});

describe("test", () => {
  test.each([
    ["an object with its keys in another order", `{"a":{"x":1,"y":[2]}}`, "/a", `{"y":[2],"x":1}`, true],
    ["an object with an additional member", `{"a":{"x":1,"y":2}}`, "/a", `{"x":1}`, false],
    ["a list in another order", `{"a":[1,2]}`, "/a", `[2,1]`, false],
    ["a number in the same notation", `{"a":1}`, "/a", `1`, true],
    ["the same number in another notation", `{"a":1}`, "/a", `1.0`, false],
    ["a fraction with an additional digit", `{"a":[0.5]}`, "/a", `[0.50]`, false],
    ["a number with many digits", `{"a":12345678901234567890123}`, "/a", `12345678901234567890123`, true],
    [
      "a string with Go's escapes, sent with the same escapes",
      `{"a":"\\u003cb\\u003e"}`,
      "/a",
      `"\\u003cb\\u003e"`,
      true,
    ],
    ["a string with Go's escapes, sent without escapes", `{"a":"\\u003cb\\u003e"}`, "/a", `"<b>"`, false],
    ["a string with an unnecessary escape", `{"a":"A"}`, "/a", `"\\u0041"`, false],
    ["null for a missing member", `{}`, "/a", `null`, true],
    ["null for null", `{"a":null}`, "/a", `null`, true],
    ["null within a list", `{"a":[null]}`, "/a", `[null]`, true],
    ["another value for a missing member", `{}`, "/a", `""`, false],
    ["null for an existing value", `{"a":0}`, "/a", `null`, false],
    ["a list for an object", `{"a":{}}`, "/a", `[]`, false],
    ["the last element", `{"a":[1,2]}`, "/a/-1", `2`, true],
    ["a missing element", `{"a":[1]}`, "/a/1", `null`, false],
    ["the whole document", `{"a":[1]}`, "", `{ "a": [ 1 ] }`, true],
    ["another document", `{"a":[1]}`, "", `{"a":[2]}`, false],
    ["null for the whole document", `{}`, "", `null`, false],
  ])("compares %s", (_title, document, path, value, holds) => {
    const operations = `[{"op":"test","path":"${path}","value":${value}}]`;
    if (holds) expect(parseJson(patched(document, operations))).toEqual(parseJson(document));
    else expect(refusal(() => patched(document, operations))[0]).toBe("unprocessable");
  });
});

describe("the patched text", () => {
  test("has sorted keys in objects that an operation opened, and is unchanged elsewhere", () => {
    const document = `{"z":{"b":1,"a":2},"y":{"b":1,"a":2},"x":1}`;
    expect(patched(document, `[{"op":"add","path":"/y/c","value":{"n":1,"m":2}}]`)).toBe(
      `{"x":1,"y":{"a":2,"b":1,"c":{"n":1,"m":2}},"z":{"b":1,"a":2}}`,
    );
  });

  test("keeps numbers and repeated keys of values as sent, without whitespace, escaped for HTML", () => {
    const operations = `[{"op":"add","path":"/a","value": { "n" : 1.50, "n" : [ 1e3 , "<a b>" ] } }]`;
    expect(patched(`{}`, operations)).toBe(`{"a":{"n":1.50,"n":[1e3,"\\u003ca b\\u003e"]}}`);
  });
});

describe("a JSON patch that is not a list of operations", () => {
  const noOperations = { operations: [], strictErrors: [] };

  test.each<[body: string, fieldValidation: FieldValidation, message: string]>([
    [
      `{"op":"add"}`,
      "Warn",
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    ],
    [
      `"x"`,
      "Strict",
      "error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp",
    ],
    [
      `[1]`,
      "Warn",
      "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp",
    ],
    [
      `[{"op":5}]`,
      "Warn",
      "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
    ],
    [
      `[{"path":{}}]`,
      "Warn",
      "error decoding patch: json: cannot unmarshal object into Go struct field jsonPatchOp.path of type string",
    ],
    [`zz`, "Warn", "error decoding patch: invalid character 'z' looking for beginning of value"],
    [``, "Warn", "error decoding patch: unexpected end of JSON input"],
    [`{}`, "Ignore", "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
    [`["x"]`, "Ignore", "json: cannot unmarshal string into Go value of type jsonpatch.Operation"],
    [``, "Ignore", "unexpected end of JSON input"],
  ])("%j under %s is refused", (body, fieldValidation, message) => {
    expect(refusal(() => parseJsonPatch(body, fieldValidation))).toEqual(["badRequest", message]);
  });

  test.each([["null"], ["[]"], [" [ ] "]])("%j has no operations", (body) => {
    expect(parseJsonPatch(body, "Warn")).toEqual(noOperations);
  });

  test("without field validation, a member of the wrong type fails only when its operation is applied", () => {
    const { operations } = parseJsonPatch(`[{"op":5,"path":"/a"}]`, "Ignore");
    expect(operations).toEqual([{ op: undefined, path: "/a", from: undefined, value: "null" }]);
  });
});

describe("strict field validation of a JSON patch", () => {
  test.each([
    [`[{"op":"add","path":"/a","value":1,"bogus":1}]`, [`json patch unknown field "[0].bogus"`]],
    [`[{"op":"add","path":"/b","path":"/a","value":1}]`, [`json patch duplicate field "[0].path"`]],
    [`[{"op":"add","path":"/a","value":1},{"OP":"add"}]`, [`json patch unknown field "[1].OP"`]],
    [
      `[{"op":"add","path":"/a","value":{"x":[{"y":1,"y":2}]}}]`,
      [`json patch duplicate field "[0].value.x[0].y"`],
    ],
    [`[{"op":"add","path":"/a","value":{"x":1.5}}]`, []],
  ])("%s", (body, errors) => {
    expect(parseJsonPatch(body, "Warn").strictErrors).toEqual(errors);
    expect(parseJsonPatch(body, "Ignore").strictErrors).toEqual([]);
  });

  test("the last of repeated members counts", () => {
    expect(patched(`{}`, `[{"op":"add","path":"/b","path":"/a","value":1,"value":2}]`)).toBe(`{"a":2}`);
  });
});

describe("limits", () => {
  test("10,000 operations are applied", () => {
    const operations = Array.from({ length: 10_000 }, (_, i) => ({ op: "add", path: "/a/-", value: i }));
    const document = applyJsonPatch({ a: [] }, parseJsonPatch(JSON.stringify(operations), "Warn").operations);
    expect(document).toEqual({ a: operations.map(({ value }) => value) });
  });

  test("10,001 operations are too many", () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: "remove", path: "/a" }));
    expect(refusal(() => parseJsonPatch(JSON.stringify(operations), "Warn"))).toEqual([
      "tooLarge",
      "The allowed maximum operations in a JSON patch is 10000, got 10001",
    ]);
  });

  test("copies cannot add more than 3 MiB", () => {
    const double = { op: "copy", from: "/a", path: "/a/-" };
    const operations = JSON.stringify(Array.from({ length: 40 }, () => double));
    expect(refusal(() => patched(`{"a":["x"]}`, operations))).toEqual([
      "unprocessable",
      expect.stringContaining("exceeding the limit 3145728"),
    ]);
  });

  test("copies of 3 MiB are applied, and not a byte more", () => {
    const document = JSON.stringify({ a: "x".repeat(1024 * 1024 - 2), b: 1 });
    const copies = ["/c", "/d", "/e"].map((path) => ({ op: "copy", from: "/a", path }));
    expect(patched(document, JSON.stringify(copies))).toContain('"e":"xx');
    const more = [...copies, { op: "copy", from: "/b", path: "/f" }];
    expect(refusal(() => patched(document, JSON.stringify(more)))[1]).toMatch(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
  });

  test("a result that is deeper than the limit for bodies is refused", () => {
    const into = (depth: number) => `/a${"/x".repeat(depth)}`;
    const operations = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((depth) => {
      return { op: "copy", from: "/a", path: into(depth) };
    });
    const document = encodeJson({ a: {} });
    expect(refusal(() => patched(document, JSON.stringify(operations)))).toEqual([
      "unprocessable",
      "exceeded max depth",
    ]);
  });
});

describe("a null in a list", () => {
  test.each([
    ["[null]", "[null]", true],
    ["[null]", "[{}]", false],
    ["[{}]", "[null]", false],
    ["[null,{}]", "[null,{}]", true],
  ])("%s and %s are equal to a test: %j", (list, value, isEqual) => {
    const test = () => patched(`{"a":${list}}`, `[{"op":"test","path":"/a","value":${value}}]`);
    if (isEqual) expect(test()).toBe(`{"a":${list}}`);
    else expect(refusal(test)[0]).toBe("unprocessable");
  });
});
