import { describe, expect, test } from "vitest";
import { hasPrefix, PrefixIndex } from "./prefix-index.ts";

const prefixes = ["", "pods/", "pods/a/", "pods/a/web", "pods/b/", "pod", "pods", "/", "//"];

describe("PrefixIndex", () => {
  test.each([
    ["pods/a/web", ["", "pods/", "pods/a/", "pods/a/web"]],
    ["pods/a/web-1", ["", "pods/", "pods/a/"]],
    ["pods/c/web", ["", "pods/"]],
    ["pods/", ["", "pods/"]],
    ["pods", ["", "pods"]],
    ["pod", ["", "pod"]],
    ["/", ["", "/"]],
    ["//x", ["", "/", "//"]],
    ["", [""]],
  ])("%j has the prefixes %j", (key, expected) => {
    const index = new PrefixIndex<string>();
    for (const prefix of prefixes) index.add(prefix, prefix);
    const found: string[] = [];
    index.visit(key, (prefix) => found.push(prefix));
    expect(found.sort()).toEqual([...expected].sort());
    expect(prefixes.filter((prefix) => hasPrefix(key, prefix)).sort()).toEqual(found);
  });

  test("deletes members, also during a visit", () => {
    const index = new PrefixIndex<number>();
    for (const member of [1, 2, 3]) index.add("a/", member);
    index.delete("a/", 9);
    const found: number[] = [];
    index.visit("a/k", (member) => {
      found.push(member);
      index.delete("a/", member);
    });
    expect([found, index.all()]).toEqual([[1, 2, 3], []]);
  });

  test("lists its members with their prefixes, and forgets those that are deleted", () => {
    const index = new PrefixIndex<number>();
    for (const [prefix, member] of [
      ["a/", 1],
      ["a/", 2],
      ["b/", 3],
    ] as const)
      index.add(prefix, member);
    index.delete("a/", 1);
    index.delete("b/", 3);
    index.delete("c/", 4);
    expect([index.entries(), index.all()]).toEqual([[["a/", 2]], [2]]);
  });
});
