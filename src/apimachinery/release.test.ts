import { describe, expect, test } from "vitest";
import { type AnyRelease, parseRelease, type Release, releaseBefore, releases, sinceOf } from "./release.ts";

describe("since", () => {
  test.each(releases)("in %s is true for this and all older releases", (served) => {
    const since = sinceOf(served);
    const older = releases.slice(0, releases.indexOf(served) + 1);
    expect(releases.filter(since)).toEqual(older);
  });

  test("reads data about releases before the first and after the last", () => {
    const since = sinceOf<AnyRelease>("1.36");
    expect((["1.8", "1.14", "1.36", "1.37", "1.42"] as const).map(since)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(sinceOf<AnyRelease>("1.16")("1.8")).toBe(true);
  });

  test("does not compile for a release that does not exist", () => {
    const since = sinceOf("1.30");
    // @ts-expect-error there is no such release
    expect(since("1.99")).toBe(false);
    // @ts-expect-error a release is text
    expect(since(27)).toBe(false);
  });
});

test.each<[release: Release, before: Release]>([
  ["1.36", "1.35"],
  ["1.17", "1.16"],
  ["1.16", "1.16"],
])("the release before %s is %s", (release, before) => {
  expect(releaseBefore(release)).toBe(before);
});

test.each([
  ["1.32", "1.32"],
  ["v1.20", "1.20"],
  ["1.16.15", "1.16"],
])("%s is release %s", (text, release) => {
  expect(parseRelease(text)).toBe(release);
});

test.each(["1.15", "1.37", "1.2", "1.320", "2.20", "1.32.", "1.032", ""])("%j is not a release", (text) => {
  expect(() => parseRelease(text)).toThrow(
    `release ${JSON.stringify(text)} is not supported: choose one from 1.16 to 1.36`,
  );
});
