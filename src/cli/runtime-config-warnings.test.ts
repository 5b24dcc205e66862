import { expect, test } from "vitest";
import type { Release } from "../apimachinery/release.ts";
import { parseRuntimeConfig } from "../catalog/runtime-config.ts";
import { runtimeConfigWarnings } from "./runtime-config-warnings.ts";

test.each<[release: Release, flag: string, versions: readonly string[]]>([
  ["1.23", "apps/v1/deployments=false,/v1/pods,apps/v1=true", ["apps/v1", "v1"]],
  ["1.23", "extensions/v1beta1/ingresses=false", []],
  ["1.24", "apps/v1/deployments=false", []],
])("a server of %s warns about ignored keys of %s", (release, flag, versions) => {
  const warnings = runtimeConfigWarnings(parseRuntimeConfig([flag]), release);
  expect(warnings.length).toBe(versions.length);
  for (const [index, version] of versions.entries()) {
    expect(warnings[index]).toContain("ignoring invalid key ");
    expect(warnings[index]).toContain(` is not supported in ${version}, and will prevent starting in future`);
  }
});
