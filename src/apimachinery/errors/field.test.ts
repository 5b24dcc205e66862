import { describe, expect, test } from "vitest";
import { noGoTypes } from "../go/go-shape.ts";
import { go } from "../go/go-value.ts";
import { sinceOf } from "../release.ts";
import { child, index, key } from "../validation/field-path.ts";
import {
  aggregateMessage,
  type FieldError,
  fieldCauses,
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
} from "./field.ts";

describe("a field error", () => {
  test.each<[FieldError, string, string]>([
    [fieldRequired("a"), "FieldValueRequired", "Required value"],
    [fieldRequired("a", "must be set"), "FieldValueRequired", "Required value: must be set"],
    [fieldInvalid("a", "b", "no"), "FieldValueInvalid", 'Invalid value: "b": no'],
    [fieldInvalid("a", null, "no"), "FieldValueInvalid", 'Invalid value: "null": no'],
    [fieldTypeInvalid("a", 1.5, "no"), "FieldValueTypeInvalid", "Invalid value: 1.5: no"],
    [
      fieldNotSupported("a", "b", ["c", "d"]),
      "FieldValueNotSupported",
      'Unsupported value: "b": supported values: "c", "d"',
    ],
    [fieldNotSupported("a", "b", []), "FieldValueNotSupported", 'Unsupported value: "b"'],
    [
      fieldNotSupported("dryRun", go.stringSlice([""]), ["All"]),
      "FieldValueNotSupported",
      'Unsupported value: []string{""}: supported values: "All"',
    ],
    [fieldForbidden("a", "never"), "FieldValueForbidden", "Forbidden: never"],
    [fieldDuplicate("a", "b"), "FieldValueDuplicate", 'Duplicate value: "b"'],
    [fieldNotFound("a", "b"), "FieldValueNotFound", 'Not found: "b"'],
    [fieldTooLong("a", 128), "FieldValueTooLong", "Too long: may not be more than 128 bytes"],
    [fieldTooLong("a", -1), "FieldValueTooLong", "Too long: value is too long"],
    [fieldTooMany("a", 3, 2), "FieldValueTooMany", "Too many: 3: must have at most 2 items"],
    [fieldTooMany("a", 3, -1), "FieldValueTooMany", "Too many: 3: has too many items"],
    [fieldTooMany("a", -1, 2), "FieldValueTooMany", "Too many: must have at most 2 items"],
    [fieldInternal("a", "boom"), "InternalError", "Internal error: boom"],
  ])("%j", (error, type, body) => {
    expect(fieldCauses([error], sinceOf("1.33"), noGoTypes)).toMatchObject([{ type, body }]);
  });

  test("is one line with its field, and several are in brackets", () => {
    expect(aggregateMessage([fieldRequired("a")])).toBe("a: Required value");
    expect(aggregateMessage([fieldRequired("a"), fieldRequired("b"), fieldRequired("a")])).toBe(
      "[a: Required value, b: Required value]",
    );
  });
});

test("errors that become too long end with the number of those that are left out", () => {
  const list = go.stringSlice(Array.from({ length: 100_000 }, () => "0123456789"));
  const errors = Array.from({ length: 100_000 }, () => fieldInvalid("a", list, "no"));
  const causes = fieldCauses(errors, sinceOf("1.33"), noGoTypes);
  expect(causes.length).toBeLessThan(20);
  expect(causes.at(-1)?.body).toBe(`${errors.length - causes.length + 1} more errors are not shown`);
});

test("paths are dotted, with list positions and map keys in brackets", () => {
  expect(child(index(child("spec", "containers"), 0), "name")).toBe("spec.containers[0].name");
  expect(child("", "metadata", "name")).toBe("metadata.name");
  expect(key("data", "a b")).toBe("data[a b]");
});
