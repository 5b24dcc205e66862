import { expect, test } from "vitest";
import { LastFew } from "./last-few.ts";

test("what is known for equal options is the same, until four others were asked for since", () => {
  const known = new LastFew<{ readonly serial: number }>();
  let serial = 0;
  const of = (name: string) => known.of([name, { on: true }], () => ({ serial: serial++ })).serial;
  expect(["a", "a", "b", "c", "d", "a", "e", "a", "b"].map(of)).toEqual([0, 0, 1, 2, 3, 0, 4, 0, 5]);
});
