import { expect, test } from "vitest";
import { includeObjectOf } from "./include-object.ts";

const read = (query: string) => includeObjectOf(new URLSearchParams(query));

test.each([
  ["", "Metadata"],
  ["includeObject=", "Metadata"],
  ["includeObject=None", "None"],
  ["includeObject=Metadata", "Metadata"],
  ["includeObject=Object", "Object"],
])("%j includes %s", (query, expected) => expect(read(query)).toBe(expected));

test("another value is refused", () => {
  expect(() => read("includeObject=object")).toThrow(
    expect.objectContaining({
      code: 400,
      message:
        "Unable to convert to Table as requested: includeObject: Invalid value: \"object\": must be 'Metadata', 'Object', 'None', or empty",
    }),
  );
});
