import { expect, test } from "vitest";
import { managerName } from "./manager-name.ts";

test.each<[string, string, string, string]>([
  ["fieldManager if it is set", "me", "kubectl/v1.32.0 (linux/amd64)", "me"],
  ["otherwise the User-Agent up to the first slash", "", "kubectl/v1.32.0 (linux/amd64)", "kubectl"],
  ["the whole User-Agent if it has no slash", "", "Mozilla", "Mozilla"],
  ["without unprintable characters", "", "a\u0000b\u200bc d/1", "abc d"],
  ["cut at 128 bytes", "", `${"a".repeat(200)}/1`, "a".repeat(128)],
  ["cut between characters", "", `${"a".repeat(127)}é/1`, "a".repeat(127)],
  ["empty if there is none", "", "/1", ""],
])("the manager of a request is %s", (_title, fieldManager, userAgent, name) => {
  expect(managerName(fieldManager, userAgent)).toBe(name);
});
