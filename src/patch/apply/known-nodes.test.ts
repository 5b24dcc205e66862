import { describe, expect, test } from "vitest";
import { emptySet } from "./field-set.ts";
import { KnownNodes } from "./known-nodes.ts";

describe("a place in the cache of nodes", () => {
  const place = (known: KnownNodes, ...elements: readonly string[]) =>
    known.placeOf(
      elements,
      elements.map(() => emptySet),
    );

  test("is the same for the same elements", () => {
    const known = new KnownNodes();
    expect(place(known, "f:a", "f:b")).toBe(place(known, "f:a", "f:b"));
    expect(place(known, "f:a", "f:b")).not.toBe(place(known, "f:a"));
    expect(place(known)).toBe(place(known));
  });

  test("depends on the nodes of the children", () => {
    const known = new KnownNodes();
    const child = { "f:x": emptySet };
    expect(known.placeOf(["f:a"], [child])).not.toBe(known.placeOf(["f:a"], [emptySet]));
    expect(known.placeOf(["f:a"], [child])).toBe(known.placeOf(["f:a"], [child]));
  });

  test.each([
    ["20,000 others", 20_000, ""],
    ["fewer others that are long", 2010, "x".repeat(9 * 256)],
  ])("is forgotten after %s", (_title, count, long) => {
    const known = new KnownNodes();
    const first = place(known, "f:a");
    for (let i = 0; i < count - 1; i++) place(known, `f:${i}${long}`);
    if (long === "") expect(place(known, "f:a")).toBe(first);
    place(known, "f:more");
    expect(place(known, "f:a")).not.toBe(first);
  });

  test("is forgotten after 10,000 others with children, which are two steps each", () => {
    const known = new KnownNodes();
    const first = place(known, "f:a");
    for (let i = 0; i < 10_000; i++) known.placeOf([`f:${i}`], [{ "f:x": emptySet }]);
    expect(place(known, "f:a")).not.toBe(first);
  });

  test("is remembered as long as before after all were forgotten", () => {
    const known = new KnownNodes();
    for (let i = 0; i < 20_001; i++) place(known, `f:${i}`);
    const first = place(known, "f:a");
    for (let i = 0; i < 19_999; i++) place(known, `f:${i}`);
    expect(place(known, "f:a")).toBe(first);
  });
});
