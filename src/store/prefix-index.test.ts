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
    for (const prefix of prefixes) index.set(prefix, prefix);
    const found: string[] = [];
    index.visit(key, (prefix) => found.push(prefix));
    expect(found.sort()).toEqual([...expected].sort());
    expect(prefixes.filter((prefix) => hasPrefix(key, prefix)).sort()).toEqual(found);
  });

  test("deletes members, also during a visit", () => {
    const index = new PrefixIndex<number>();
    for (const prefix of ["a/", "a/k"]) index.set(prefix, prefix.length);
    index.delete("b/");
    const found: number[] = [];
    index.visit("a/k", (member) => {
      found.push(member);
      for (const prefix of ["a/", "a/k"]) index.delete(prefix);
    });
    expect([found, index.entries()]).toEqual([[2], []]);
  });

  test("has one member for a prefix, and lists them", () => {
    const index = new PrefixIndex<number>();
    index.set("a/", 1);
    index.set("b/", 2);
    index.set("a/", 3);
    expect([index.get("a/"), index.get("c/")]).toEqual([3, undefined]);
    expect(index.entries()).toEqual([
      ["a/", 3],
      ["b/", 2],
    ]);
  });
});
