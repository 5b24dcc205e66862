import { expect, test } from "vitest";
import { managerName } from "./manager-name.ts";

test.each<[string, string, string, string]>([
  ["fieldManager, if it is given", "me", "kubectl/v1.32.0 (linux/amd64)", "me"],
  ["else the User-Agent up to the first slash", "", "kubectl/v1.32.0 (linux/amd64)", "kubectl"],
  ["all of a User-Agent without a slash", "", "Mozilla", "Mozilla"],
  ["without what cannot be printed", "", "a\u0000b\u200bc d/1", "abc d"],
  ["cut at 128 bytes", "", `${"a".repeat(200)}/1`, "a".repeat(128)],
  ["cut between characters", "", `${"a".repeat(127)}é/1`, "a".repeat(127)],
  ["nothing at all", "", "/1", ""],
])("the manager of a request is %s", (_title, fieldManager, userAgent, name) => {
  expect(managerName(fieldManager, userAgent)).toBe(name);
});
