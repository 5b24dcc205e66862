import { expect, test } from "vitest";
import type { Release } from "../apimachinery/release.ts";
import { compatibleWith, emulating, expressionRelease, ownVersion } from "./effective-version.ts";

test("a server is compatible with the release before its own", () => {
  expect(ownVersion("1.33")).toEqual({ binary: "1.33", emulation: "1.33", minCompatibility: "1.32" });
});

test.each<[binary: Release, emulation: Release, minCompatibility: Release, expressions: Release]>([
  ["1.31", "1.31", "1.30", "1.31"],
  ["1.32", "1.31", "1.31", "1.32"],
  ["1.33", "1.33", "1.32", "1.33"],
  ["1.33", "1.32", "1.31", "1.32"],
  ["1.33", "1.31", "1.31", "1.32"],
  ["1.36", "1.34", "1.33", "1.34"],
  ["1.36", "1.33", "1.33", "1.34"],
])(
  "%s as %s is compatible with %s and compiles the expressions of %s",
  (binary, emulation, oldest, release) => {
    const version = emulating(binary, emulation);
    expect(version).toEqual({ binary, emulation, minCompatibility: oldest });
    expect(expressionRelease(version)).toBe(release);
  },
);

test.each<[binary: Release, emulation: Release, problem: string]>([
  ["1.30", "1.30", "Kubernetes 1.30 cannot emulate another release: 1.31 is the first that can"],
  ["1.31", "1.29", "emulation version 1.29 is not between [1.30, 1.31.0]"],
  [
    "1.31",
    "1.30",
    "emulation version needs to be equal to binary version(1.31) in compatibility-version alpha, got 1.30",
  ],
  ["1.32", "1.33", "emulation version 1.33 is not between [1.31, 1.32.0]"],
  ["1.32", "1.30", "emulation version 1.30 is not between [1.31, 1.32.0]"],
  ["1.33", "1.30", "emulation version 1.30 is not between [1.31, 1.33.0]"],
  ["1.36", "1.32", "emulation version 1.32 is not between [1.33, 1.36.0]"],
])("%s does not start as %s", (binary, emulation, problem) => {
  expect(() => emulating(binary, emulation)).toThrow(problem);
});

test.each<[minCompatibility: Release, expressions: Release]>([
  ["1.36", "1.36"],
  ["1.35", "1.36"],
  ["1.34", "1.35"],
  ["1.33", "1.34"],
])("1.36 that is compatible with %s compiles the expressions of %s", (minCompatibility, expressions) => {
  const version = compatibleWith(ownVersion("1.36"), minCompatibility);
  expect(version).toEqual({ binary: "1.36", emulation: "1.36", minCompatibility });
  expect(expressionRelease(version)).toBe(expressions);
});

test.each<[binary: Release, minCompatibility: Release, problem: string]>([
  ["1.34", "1.33", "Kubernetes 1.34 has no minimum compatibility version: 1.35 is the first that has"],
  ["1.36", "1.32", "minCompatibilityVersion version 1.32 is not between [1.33, 1.36]"],
  ["1.35", "1.36", "minCompatibilityVersion version 1.36 is not between [1.32, 1.35]"],
])("%s does not start compatible with %s", (binary, minCompatibility, problem) => {
  expect(() => compatibleWith(ownVersion(binary), minCompatibility)).toThrow(problem);
});
