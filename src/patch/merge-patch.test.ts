import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { readJson } from "../codec/json/json.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { documentText } from "./document-text.ts";
import type { FieldValidation } from "./field-validation.ts";
import { applyMergePatch, parseMergePatch } from "./merge-patch.ts";
import { PatchError } from "./patch-error.ts";

function patched(document: string, patch: string): string {
  return documentText(applyMergePatch(readJson(document), readJson(patch)));
}

describe("a merge patch", () => {
  test.each([
    ["adds a member", `{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`],
    ["changes a member", `{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`],
    ["removes a member with null", `{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`],
    ["ignores a null for a missing member", `{}`, `{"a":null}`, `{}`],
    ["merges objects within objects", `{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`],
    ["replaces lists as a whole", `{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`],
    ["replaces a scalar by an object", `{"a":1}`, `{"a":{"b":2,"c":null}}`, `{"a":{"b":2}}`],
    ["keeps nulls of the document", `{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`],
    ["drops nulls from an object that is added", `{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`],
    ["drops nulls from objects of a list that is added", `{}`, `{"a":[null,{"b":null}]}`, `{"a":[null,{}]}`],
    ["drops nulls from objects of a list for a list", `{"a":[1]}`, `{"a":[{"b":null}]}`, `{"a":[{}]}`],
    ["keeps nulls of a list that replaces an object", `{"a":{}}`, `{"a":[{"b":null}]}`, `{"a":[{"b":null}]}`],
    [
      "sorts the keys of objects that it changes, and no others",
      `{"z":{"b":1,"a":2},"y":{"b":1,"a":2}}`,
      `{"y":{"c":3}}`,
      `{"y":{"a":2,"b":1,"c":3},"z":{"b":1,"a":2}}`,
    ],
    ["keeps numbers as they were sent", `{}`, `{"a":1.50,"b":[1e3]}`, `{"a":1.50,"b":[1e3]}`],
    ["uses the last of repeated keys", `{"a":{"x":1}}`, `{"a":{"y":1,"y":2}}`, `{"a":{"x":1,"y":2}}`],
    [
      "treats __proto__ as an ordinary key",
      `{"__proto__":{"a":1}}`,
      `{"__proto__":{"b":2}}`,
      `{"__proto__":{"a":1,"b":2}}`,
    ],
    ["that is a list is the result", `{"a":1}`, `[{"b":null}]`, `[{}]`],
  ])("%s", (_title, document, patch, expected) => {
    expect(patched(document, patch)).toBe(expected);
  });
});

const keys = fc.constantFrom("a", "b", "c", "constructor");
const { object } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, "x", true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }).map(deepFreeze),
}));

/** RFC 7386, plus upstream's treatment of nulls in lists. */
function model(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) return isJsonObject(target) ? patch : patch.map(pruned);
  if (!isJsonObject(patch)) return patch;
  const result: { [key: string]: JsonValue } = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = model(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

function pruned(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.map(pruned) : model(undefined, value);
}

function withoutNullsInLists(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return pruned(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNullsInLists(item)]));
}

describe("for any document and patch", () => {
  test("the result is the same as in RFC 7386", () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        expect(applyMergePatch(document, patch)).toEqual(model(document, patch));
      }),
    );
  });

  test("a patch is idempotent, unless a list with nulls replaces an object", () => {
    fc.assert(
      fc.property(object, object.map(withoutNullsInLists), (document, patch) => {
        const once = applyMergePatch(document, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  test("the empty patch changes nothing", () => {
    fc.assert(
      fc.property(object, (document) => {
        expect(applyMergePatch(document, {})).toEqual(document);
      }),
    );
  });

  test("a later patch prevails over an earlier one with the same members", () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const scalars = Object.fromEntries(Object.keys(patch).map((key) => [key, 7]));
        expect(applyMergePatch(applyMergePatch(document, patch), scalars)).toEqual(
          applyMergePatch(document, scalars),
        );
      }),
    );
  });
});

describe("parsing a merge patch", () => {
  const type = "Go value of type map[string]interface {}";

  test.each<[body: string, fieldValidation: FieldValidation, message: string]>([
    [`[1]`, "Warn", `error decoding patch: json: cannot unmarshal array into ${type}`],
    [`"x"`, "Strict", `error decoding patch: json: cannot unmarshal string into ${type}`],
    [`5`, "Warn", `error decoding patch: json: cannot unmarshal number into ${type}`],
    [`zz`, "Warn", "error decoding patch: invalid character 'z' looking for beginning of value"],
    [``, "Warn", "error decoding patch: unexpected end of JSON input"],
    [`null`, "Warn", "Invalid JSON Patch"],
    [`null`, "Ignore", "Invalid JSON Patch"],
    [`zz`, "Ignore", "Invalid JSON Patch"],
    [`"x"`, "Ignore", "Invalid JSON Patch"],
  ])("%j under %s is refused", (body, fieldValidation, message) => {
    expect(() => parseMergePatch(body, fieldValidation)).toThrow(new PatchError("badRequest", message));
  });

  test("a list is refused only if fields are validated", () => {
    expect(parseMergePatch("[1]", "Ignore").patch).toEqual([1]);
  });

  test("repeated keys are reported at any depth, once per path", () => {
    const body = `{"data":{"a":"1","a":"2","a":"3"},"spec":{"list":[{"x":1,"x":2}]}}`;
    expect(parseMergePatch(body, "Warn").strictErrors).toEqual([
      `duplicate field "data.a"`,
      `duplicate field "spec.list[0].x"`,
    ]);
    expect(parseMergePatch(body, "Ignore").strictErrors).toEqual([]);
  });
});
