import { expect, test } from "vitest";
import { invalid } from "../../apimachinery/errors/errors.ts";
import { fieldInvalid, fieldRequired } from "../../apimachinery/errors/field.ts";
import { RepeatedErrors } from "./repeated-errors.ts";

test("errors with the same field and text are repeated", () => {
  const repeated = new RepeatedErrors();
  const kind = { group: "", kind: "ConfigMap" };
  const wrong = fieldInvalid("a", 1, "is wrong");
  repeated.observe(
    invalid(kind, "m", [wrong, fieldRequired("a"), wrong, fieldInvalid("b", 1, "is wrong"), wrong]),
  );
  repeated.observe(invalid(kind, "m", [wrong]));
  expect(repeated.count).toBe(2);
  repeated.reset();
  expect(repeated.count).toBe(0);
});
