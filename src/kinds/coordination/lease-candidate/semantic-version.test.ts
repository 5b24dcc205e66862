import { expect, test } from "vitest";
import { compareVersions, parseSemanticVersion, zeroVersion } from "./semantic-version.ts";

test("versions are in the order of semver.org, 2.0", () => {
  const ordered = [
    "0.0.0-0",
    "0.0.0",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.9",
    "1.0.10",
    "1.2.0",
    "1.10.0",
    "18446744073709551615.0.0",
    "18446744073709551616.0.0",
  ].map((text) => parseSemanticVersion(text) ?? zeroVersion);
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
  }
});

test("what comes after a plus does not count", () => {
  const [a, b] = ["1.0.0+a", "1.0.0+b.01"].map(parseSemanticVersion);
  expect(a && b && compareVersions(a, b)).toBe(0);
});

test.each([
  "",
  "1",
  "1.2",
  "v1.2.3",
  "01.2.3",
  "1.2.3-",
  "1.2.3-01",
  "1.2.3-a..b",
  "1.2.3+",
  "1.2.3-a_b",
  "1.2.3.4",
])("%o is no version", (text) => expect(parseSemanticVersion(text)).toBeUndefined());
