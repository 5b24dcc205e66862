import { expect, test } from "vitest";
import { fieldInvalid } from "../errors/field.ts";
import { checkedOnce } from "./checked-once.ts";
import type { Findings } from "./findings.ts";

interface Port {
  number: number;
}

/** A check of ports against a limit, and how often it ran. */
function limited() {
  const counter = { runs: 0 };
  const check = checkedOnce(
    (errors, port: Port, field, limit: number) => {
      counter.runs += 1;
      if (port.number > limit) errors.push(fieldInvalid(field, port.number, `must be at most ${limit}`));
    },
    (limit) => [limit],
  );
  const fieldsOf = (port: Port, field: string, limit: number): readonly string[] => {
    const errors: Findings = [fieldInvalid("other", 0, "found before")];
    check(errors, port, field, limit);
    return errors.slice(1).map((error) => error.field);
  };
  return { counter, fieldsOf };
}

test("a frozen part without errors is checked once, wherever it is", () => {
  const { counter, fieldsOf } = limited();
  const port = Object.freeze({ number: 80 });
  expect([fieldsOf(port, "a", 100), fieldsOf(port, "b", 100)]).toEqual([[], []]);
  expect(counter.runs).toBe(1);
});

test("a part with errors is checked each time", () => {
  const { counter, fieldsOf } = limited();
  const port = Object.freeze({ number: 800 });
  expect([fieldsOf(port, "a", 100), fieldsOf(port, "b", 100)]).toEqual([["a"], ["b"]]);
  expect(counter.runs).toBe(2);
});

test("another context needs another check", () => {
  const { fieldsOf } = limited();
  const port = Object.freeze({ number: 80 });
  expect([fieldsOf(port, "a", 100), fieldsOf(port, "a", 50), fieldsOf(port, "a", 100)]).toEqual([
    [],
    ["a"],
    [],
  ]);
});

test("a part that can change is checked each time", () => {
  const { fieldsOf } = limited();
  const port = { number: 80 };
  expect(fieldsOf(port, "a", 100)).toEqual([]);
  port.number = 800;
  expect(fieldsOf(port, "a", 100)).toEqual(["a"]);
});
