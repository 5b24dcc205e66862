import { describe, expect, test } from "vitest";
import { configMaps, get, quietServer } from "./refusals.ts";

const streaming = quietServer({ release: "1.32" });
const classic = quietServer({ release: "1.31" });

const withContinue =
  "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided";
const needsInitial =
  "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
const needsMatch =
  "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
const needsGate =
  "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";

/**
 * With the feature gate WatchList, the server completes the options of a watch before it validates them (apimachinery,
 * pkg/apis/meta/internalversion/defaults.go and validation/validation.go).
 */
describe.each([
  ["watch=1", [], []],
  ["watch=1&continue=abc", [withContinue], []],
  ["watch=1&resourceVersion=0&continue=abc", [withContinue], []],
  ["watch=1&resourceVersion=1&continue=abc", [], []],
  ["watch=1&limit=1&continue=abc&allowWatchBookmarks=1", [withContinue], []],
  ["watch=1&resourceVersionMatch=NotOlderThan", [needsInitial], [needsInitial]],
  [
    "watch=1&resourceVersionMatch=NotOlderThan&continue=abc",
    [needsInitial, withContinue],
    [needsInitial, withContinue],
  ],
  ["watch=1&sendInitialEvents=true", [needsMatch], [needsMatch, needsGate]],
  ["watch=1&sendInitialEvents=false&continue=abc", [needsMatch], [needsMatch, needsGate]],
  ["watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan", [], [needsGate]],
  [
    "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=abc",
    [withContinue],
    [needsGate, withContinue],
  ],
])("the query %s", (query, withGate, withoutGate) => {
  test.each([
    ["with WatchList", streaming, withGate],
    ["without WatchList", classic, withoutGate],
  ])("%s", async (_title, server, findings) => {
    const { status, text } = await server.ask(get(`${configMaps}?${query}`));
    expect(status).toBe(findings.length > 0 ? 422 : 200);
    if (findings.length === 0) return;
    const list = findings.length === 1 ? findings[0] : `[${findings.join(", ")}]`;
    expect(JSON.parse(text).message).toBe(`ListOptions.meta.k8s.io "" is invalid: ${list}`);
  });
});

test("the defaults hold for the deletion of a collection, too", async () => {
  const target = `${configMaps}?watch=1&continue=abc`;
  const { status, text } = await streaming.ask({ method: "DELETE", target });
  expect(status).toBe(422);
  expect(JSON.parse(text).message).toContain(withContinue);
});

test("a path with /watch/ has no defaults", async () => {
  const { status } = await streaming.ask(get("/api/v1/watch/namespaces/default/configmaps?continue=abc"));
  expect(status).toBe(200);
});
