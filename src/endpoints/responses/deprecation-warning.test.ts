import { expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { Release } from "../../apimachinery/release.ts";
import { deprecationWarning } from "./deprecation-warning.ts";

const resourceOf = (release: Release, group: string, version: string, resource: string) => {
  const found = viewOf({ release }).resource({ group, version, resource });
  if (found === undefined) throw new Error(`there is no ${resource}`);
  return found;
};

test.each<[release: Release, warning: string | undefined]>([
  ["1.20", undefined],
  ["1.21", "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+"],
  ["1.24", "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+"],
])("a version warns since it is deprecated: in %s %j", (release, warning) => {
  const policies = resourceOf(release, "policy", "v1beta1", "podsecuritypolicies");
  expect(deprecationWarning(policies, release)).toBe(warning);
});

// Upstream: the gate WarningHeaders, which is on since 1.19.
test.each<[release: Release, warning: RegExp | undefined]>([
  ["1.18", undefined],
  ["1.19", /^extensions\/v1beta1 Ingress is deprecated in v1\.14\+/],
])("no version warns before servers have warnings: in %s %j", (release, warning) => {
  const text = deprecationWarning(resourceOf(release, "extensions", "v1beta1", "ingresses"), release);
  if (warning === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(warning);
});

test("a warning names the replacement, and the removal if one is known", () => {
  const jobs = resourceOf("1.21", "batch", "v1beta1", "cronjobs");
  const text = "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob";
  expect(deprecationWarning(jobs, "1.21")).toBe(text);
  const lifecycle = { ...jobs.lifecycle, removed: undefined };
  expect(deprecationWarning({ ...jobs, lifecycle }, "1.21")).toBe(
    "batch/v1beta1 CronJob is deprecated in v1.21+; use batch/v1 CronJob",
  );
});

test("a resource may have a warning of its own", () => {
  const pods = resourceOf("1.32", "", "v1", "pods");
  expect(deprecationWarning(pods, "1.32")).toBeUndefined();
  expect(deprecationWarning({ ...pods, deprecationWarning: "gone soon" }, "1.32")).toBe("gone soon");
});
