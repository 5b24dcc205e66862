import { describe, expect, test } from "vitest";
import { orderElements, Positions } from "./element-order.ts";

const ordered = (merged: string, patch: string, server: string): string =>
  orderElements({
    merged: [...merged],
    patchOrder: [...patch],
    serverOrder: [...server],
    mergeKey: "",
  }).join("");

describe("a merged list", () => {
  test.each([
    ["puts a new element before those of the server", "abc", "c", "ab", "cab"],
    ["leaves an element of both in its place", "abc", "b", "abc", "abc"],
    ["has the patch's order of elements of both", "abc", "ba", "abc", "bac"],
    ["puts a new element before the next one of the patch", "abcd", "db", "abc", "dabc"],
    ["has the server's order without a patch", "cab", "", "abc", "abc"],
    ["ends with what the server has after the patch's elements", "abcd", "a", "abcd", "abcd"],
  ])("%s", (_title, merged, patch, server, result) => {
    expect(ordered(merged, patch, server)).toBe(result);
  });

  test("that the order lists nothing of is sorted as Go sorts by insertion", () => {
    // Each element that the server does not have comes before all that were sorted before it.
    expect(ordered("abxy", "", "ab")).toBe("yxab");
    expect(ordered("xaby", "", "ab")).toBe("yabx");
    expect(ordered("bxa", "", "ab")).toBe("axb");
  });

  test("of more than twenty elements has those that are not listed first", () => {
    const server = "abcdefghijklmnopqr";
    expect(ordered(`${server}XY`, "", server)).toBe(`YX${server}`);
    expect(ordered(`${server}XYZ`, "", server)).toBe(`XYZ${server}`);
  });
});

describe("positions", () => {
  test("are those of the first element with an identity", () => {
    const positions = new Positions([{ name: "a" }, { name: "b" }, { name: "a" }], "name");
    expect(["a", "b", "c"].map((name) => positions.find(name))).toEqual([0, 1, undefined]);
  });

  test("after an element that is no object cannot be found", () => {
    const positions = new Positions([{ name: "a" }, "b", { name: "c" }], "name");
    expect(positions.find("a")).toBe(0);
    expect(() => positions.find("c")).toThrow("value for key 1 is not a map");
  });
});
