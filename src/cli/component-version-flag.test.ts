import { expect, test } from "vitest";
import { parseComponentVersion } from "./component-version-flag.ts";

test.each<[values: readonly string[], release: string | undefined]>([
  [[], undefined],
  [["1.33"], "1.33"],
  [["v1.33.0"], "1.33"],
  [["kube=1.33"], "1.33"],
])("--emulated-version %j is %s", (values, release) => {
  expect(parseComponentVersion(values)).toBe(release);
});

test.each<[values: readonly string[], problem: string]>([
  [["kube=1.33.4"], "patch version not allowed, got: kube=1.33.4"],
  [["latest"], 'could not parse "latest" as version'],
  [["wardle=1.2"], "component not registered: wardle"],
  [["1.33,kube=1.32"], "duplicate version flag, kube=1.33 and kube=1.32"],
  [["1.33", "1.33"], "duplicate version flag, kube=1.33 and kube=1.33"],
])("--emulated-version %j is refused", (values, problem) => {
  expect(() => parseComponentVersion(values)).toThrow(problem);
});
