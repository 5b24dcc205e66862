import { describe, expect, test } from "vitest";
import { sinceOf } from "../release.ts";
import { joinedWording, type Wording, worded, wordingIn } from "./wording.ts";

const word: Wording = (since) => (since("1.20") ? "new" : "old");
const [old, now] = [sinceOf("1.19"), sinceOf("1.20")];

describe("a wording", () => {
  test.each<[title: string, wording: Wording, before: string, after: string]>([
    ["text", "a", "a", "a"],
    ["a function of the release", word, "old", "new"],
    ["a template with a text", worded`(${"a"})`, "(a)", "(a)"],
    ["a template with wordings", worded`${word} or ${worded`<${word}>`}`, "old or <old>", "new or <new>"],
    ["a list", joinedWording(["a", word, "b"], "; "), "a; old; b", "a; new; b"],
    ["an empty list", joinedWording([], "; "), "", ""],
  ])("%s", (_title, wording, before, after) => {
    expect([wordingIn(old, wording), wordingIn(now, wording)]).toEqual([before, after]);
  });

  test("that all releases share is a text", () => {
    expect(worded`a ${"b"} c`).toBe("a b c");
    expect(joinedWording(["a", "b"], ",")).toBe("a,b");
  });
});
