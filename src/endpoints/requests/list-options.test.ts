import { describe, expect, test } from "vitest";
import { featureGates } from "../../catalog/feature-gates.ts";
import { encodeContinueToken } from "../../registry/generic/continue-token.ts";
import { checkContinue, parseListOptions, parseResourceVersion } from "./list-options.ts";

const gates = featureGates("1.32", new Map([["WatchList", false]]));
const watchList = featureGates("1.32", new Map([["WatchList", true]]));

const parse = (query: string, under = gates) => parseListOptions(new URLSearchParams(query), under);

/** The causes of the refusal as `field: message`. */
function refusals(query: string, under = gates): readonly string[] {
  try {
    parse(query, under);
    return [];
  } catch (error) {
    expect(error).toMatchObject({
      status: { reason: "Invalid", details: { group: "meta.k8s.io", kind: "ListOptions" } },
    });
    const { causes } = (error as { status: { details: { causes: { field: string; message: string }[] } } })
      .status.details;
    return causes.map(({ field, message }) => `${field}: ${message}`);
  }
}

describe("the options of a list", () => {
  test("are absent by default", () => {
    expect(parse("")).toMatchObject({
      watch: false,
      allowWatchBookmarks: false,
      resourceVersion: "",
      resourceVersionMatch: "",
      timeoutSeconds: undefined,
      limit: 0,
      continueToken: "",
      sendInitialEvents: undefined,
      labelSelector: { isEmpty: true },
      fieldSelector: { isEmpty: true },
    });
  });

  test("are those of the query", () => {
    const query =
      "watch=1&allowWatchBookmarks=true&resourceVersion=5&resourceVersionMatch=NotOlderThan&timeoutSeconds=7&limit=3&sendInitialEvents=false&labelSelector=a&fieldSelector=b%3Dc";
    expect(parse(query, watchList)).toMatchObject({
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
      timeoutSeconds: 7,
      limit: 3,
      sendInitialEvents: false,
      labelSelector: { isEmpty: false },
      fieldSelector: { isEmpty: false },
    });
    expect(parse("continue=x&limit=-1")).toMatchObject({ continueToken: "x", limit: 0 });
    expect(parse("resourceVersion=5&resourceVersionMatch=Exact").resourceVersionMatch).toBe("Exact");
  });

  const match = "resourceVersionMatch: Forbidden: resourceVersionMatch";
  const supported = 'supported values: "Exact", "NotOlderThan", ""';

  test.each<[query: string, refused: readonly string[]]>([
    ["resourceVersion=5&resourceVersionMatch=NotOlderThan", []],
    ["resourceVersion=0&resourceVersionMatch=NotOlderThan", []],
    ["resourceVersionMatch=Exact", [`${match} is forbidden unless resourceVersion is provided`]],
    [
      "resourceVersion=5&resourceVersionMatch=NotOlderThan&continue=x",
      [`${match} is forbidden when continue is provided`],
    ],
    [
      "resourceVersion=5&resourceVersionMatch=x",
      [`resourceVersionMatch: Unsupported value: "x": ${supported}`],
    ],
    [
      "resourceVersion=0&resourceVersionMatch=Exact",
      [`${match} "exact" is forbidden for resourceVersion "0"`],
    ],
    ["sendInitialEvents=false", ["sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"]],
    [
      "resourceVersionMatch=x&continue=x&sendInitialEvents=true",
      [
        `${match} is forbidden unless resourceVersion is provided`,
        `${match} is forbidden when continue is provided`,
        `resourceVersionMatch: Unsupported value: "x": ${supported}`,
        "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list",
      ],
    ],
  ])("%j are refused with %j", (query, refused) => {
    expect(refusals(query)).toEqual(refused);
    expect(refusals(query, watchList)).toEqual(refused);
  });
});

describe("the options of a watch", () => {
  const match = "resourceVersionMatch: Forbidden:";
  const initial = `${match} sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`;
  const gate =
    "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
  const alone = `${match} resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`;
  const unsupported = 'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"';

  test.each<[query: string, withGate: readonly string[], withoutGate: readonly string[]]>([
    ["", [], []],
    ["&continue=x&limit=5", [], []],
    ["&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", [], [gate]],
    ["&sendInitialEvents=false", [initial], [initial, gate]],
    ["&resourceVersionMatch=NotOlderThan", [alone], [alone]],
    ["&resourceVersionMatch=Exact", [alone, unsupported], [alone, unsupported]],
    [
      "&sendInitialEvents=true&resourceVersionMatch=Exact",
      [initial, unsupported],
      [initial, gate, unsupported],
    ],
    [
      "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
      [`${match} resourceVersionMatch is forbidden when continue is provided`],
      [gate, `${match} resourceVersionMatch is forbidden when continue is provided`],
    ],
  ])("%j are refused with %j, and without the gate with %j", (query, withGate, withoutGate) => {
    expect(refusals(`watch=1&resourceVersion=5${query}`, watchList)).toEqual(withGate);
    expect(refusals(`watch=1&resourceVersion=5${query}`)).toEqual(withoutGate);
  });

  const streamed = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
  const usual = { sendInitialEvents: undefined, resourceVersionMatch: "" };

  test.each([
    ["watch=1", streamed],
    ["watch=1&resourceVersion=0", streamed],
    ["watch=1&resourceVersion=5", usual],
    ["", usual],
    ["resourceVersion=0", usual],
  ])("%j streams the initial state by default under the gate WatchList: %j", (query, expected) => {
    expect(parse(query, watchList)).toMatchObject(expected);
    expect(parse(query)).toMatchObject(usual);
  });

  test("that say something about the initial state have no default", () => {
    const chosen = "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
    expect(parse(chosen, watchList).sendInitialEvents).toBe(false);
    expect(refusals("watch=1&resourceVersionMatch=NotOlderThan", watchList)).toEqual([alone]);
    expect(refusals("watch=1&sendInitialEvents=true", watchList)).toEqual([initial]);
  });
});

describe("a continue token", () => {
  const continueToken = encodeContinueToken({ revision: 5, start: "a\0" });

  test.each(["", "0"])("goes with the resourceVersion %j", (resourceVersion) => {
    expect(() => checkContinue({ ...parse(""), continueToken, resourceVersion })).not.toThrow();
  });

  test("goes with no other resourceVersion", () => {
    expect(() => checkContinue({ ...parse(""), continueToken, resourceVersion: "5" })).toThrow(
      "specifying resource version is not allowed when using continue",
    );
  });

  test("must be one", () => {
    expect(() => checkContinue({ ...parse(""), continueToken: "x" })).toThrow("continue key is not valid");
    expect(() => checkContinue({ ...parse(""), resourceVersion: "5" })).not.toThrow();
  });
});

test.each([
  ["", 0],
  ["0", 0],
  ["007", 7],
  ["18446744073709551615", 2 ** 64],
  ["18446744073709551616", undefined],
  ["18446744073709551617", undefined],
  ["-1", undefined],
  ["1x", undefined],
  ["x1", undefined],
])("the resourceVersion %j is the number %j", (text, expected) => {
  expect(parseResourceVersion(text)).toBe(expected);
});
