import { describe, expect, test } from "vitest";
import type { Release } from "../apimachinery/release.ts";
import { catalogOf } from "./catalog.ts";
import { parseRuntimeConfig } from "./runtime-config.ts";

describe("--runtime-config", () => {
  test.each([
    [["api/all=true"], { "api/all": true }],
    [["batch/v1, apps/v1=0"], { "batch/v1": true, "apps/v1": false }],
    [["batch/v1=", "batch/v1=F"], { "batch/v1": false }],
    [["/v1=true,,"], { "/v1": true }],
  ])("%j reads as %j", (flags, config) => {
    expect(Object.fromEntries(parseRuntimeConfig(flags))).toEqual(config);
  });

  test.each([
    ["api/all=1", "invalid value api/all=1"],
    ["api/beta", "invalid value api/beta="],
    ["batch/v1=on", 'invalid value of batch/v1: on, err: strconv.ParseBool: parsing "on": invalid syntax'],
  ])("%s does not read", (flag, message) => {
    expect(() => parseRuntimeConfig([flag])).toThrow(new Error(message));
  });

  test.each([
    ["api/all=false", "invalid key with only api/all=false"],
    ["v1=true", "runtime-config invalid key v1"],
    ["a/b/c/d", "runtime-config invalid key a/b/c/d"],
    ["nope/v1,none.io/v1", "unknown api groups nope,none.io"],
    ["batch/v7", "group version batch/v7 that has not been registered"],
    ["resource.k8s.io/v1", "group version resource.k8s.io/v1 that has not been registered"],
    [
      "batch/v1/Jobs",
      'invalid key batch/v1/Jobs: group/version/resource and resource is always lowercase plural, not "Jobs"',
    ],
  ])("%s keeps a server of 1.32 from starting", (flag, message) => {
    const runtimeConfig = parseRuntimeConfig([flag]);
    expect(() => catalogOf({ release: "1.32", runtimeConfig })).toThrow(new Error(message));
  });

  test.each([
    ["", "resource.k8s.io/v1beta1/deviceclasses", false],
    ["api/all=true", "resource.k8s.io/v1beta1/deviceclasses", true],
    ["api/beta=true", "resource.k8s.io/v1beta1/deviceclasses", true],
    ["api/beta=true", "resource.k8s.io/v1alpha3/deviceclasses", false],
    ["api/all=true,api/alpha=false", "resource.k8s.io/v1alpha3/deviceclasses", false],
    ["api/alpha=false,api/all=true", "resource.k8s.io/v1alpha3/deviceclasses", false],
    ["resource.k8s.io/v1beta1", "resource.k8s.io/v1beta1/deviceclasses", true],
    ["resource.k8s.io/v1beta1/resourceslices", "resource.k8s.io/v1beta1/resourceslices", true],
    ["resource.k8s.io/v1beta1/resourceslices", "resource.k8s.io/v1beta1/deviceclasses", false],
    ["batch/v1=false", "batch/v1/jobs", false],
    ["batch/v1=false,batch/v1/jobs=true", "batch/v1/jobs", true],
    ["batch/v1=false,batch/v1/jobs=true", "batch/v1/cronjobs", false],
    ["api/all=false,/v1=true", "/v1/pods", true],
    ["api/all=false,/v1=true", "apps/v1/deployments", false],
    ["policy/v1beta1=true", "policy/v1beta1/poddisruptionbudgets", false],
  ])("%s: %s is served: %s", (flag, path, isServed) => {
    const [group = "", version = "", resource = ""] = path.split("/");
    const catalog = catalogOf({ release: "1.32", runtimeConfig: parseRuntimeConfig([flag]) });
    expect(catalog.resource({ group, version, resource }) !== undefined).toBe(isServed);
    const listed = catalog.groupVersions().some((gv) => gv.group === group && gv.version === version);
    if (isServed) expect(listed).toBe(true);
  });
});

describe("--runtime-config of a release", () => {
  test.each<[flag: string, last: Release, message: string]>([
    ["auditregistration.k8s.io/v1alpha1", "1.18", "unknown api groups auditregistration.k8s.io"],
    ["settings.k8s.io/v1alpha1", "1.19", "unknown api groups settings.k8s.io"],
    ["batch/v2alpha1", "1.20", "group version batch/v2alpha1 that has not been registered"],
    [
      "resource.k8s.io/v1alpha2",
      "1.30",
      "group version resource.k8s.io/v1alpha2 that has not been registered",
    ],
    ["autoscaling/v2beta1", "1.35", "group version autoscaling/v2beta1 that has not been registered"],
    [
      "scheduling.k8s.io/v1alpha1",
      "1.35",
      "group version scheduling.k8s.io/v1alpha1 that has not been registered",
    ],
  ])("%s is registered up to %s, served or not", (flag, last, message) => {
    const start = (release: Release) => catalogOf({ release, runtimeConfig: parseRuntimeConfig([flag]) });
    expect(() => start(last)).not.toThrow();
    const next = `1.${Number(last.slice("1.".length)) + 1}` as Release; // A release that the double knows.
    expect(() => start(next)).toThrow(new Error(message));
  });

  test("the keys for stable, beta and alpha versions exist since 1.17", () => {
    for (const key of ["api/ga", "api/beta", "api/alpha"]) {
      const runtimeConfig = parseRuntimeConfig([`${key}=true`]);
      expect(() => catalogOf({ release: "1.16", runtimeConfig })).toThrow(
        new Error("unknown api groups api"),
      );
      expect(() => catalogOf({ release: "1.17", runtimeConfig })).not.toThrow();
    }
  });

  test.each<[release: Release, flag: string, path: string, isServed: boolean]>([
    ["1.23", "apps/v1/deployments=false", "apps/v1/deployments", true],
    ["1.24", "apps/v1/deployments=false", "apps/v1/deployments", false],
    ["1.23", "apps/v1=false,apps/v1/deployments", "apps/v1/deployments", false],
    ["1.23", "apps/v1/Deployments=false", "apps/v1/deployments", true],
    ["1.21", "extensions/v1beta1/ingresses=false", "extensions/v1beta1/ingresses", false],
    ["1.16", "extensions/v1beta1/deployments", "extensions/v1beta1/deployments", true],
    ["1.16", "extensions/v1beta1/deployments", "extensions/v1beta1/daemonsets", false],
    ["1.16", "extensions/v1beta1=true", "extensions/v1beta1/deployments", false],
    ["1.17", "api/all=true", "extensions/v1beta1/deployments", false],
    ["1.17", "api/all=true", "apps/v1beta1/deployments", true],
    ["1.17", "api/beta=false", "extensions/v1beta1/ingresses", false],
    ["1.17", "api/all=false,extensions/v1beta1/deployments", "extensions/v1beta1/deployments", true],
    ["1.17", "api/all=false,extensions/v1beta1/deployments", "extensions/v1beta1/ingresses", true],
    ["1.21", "extensions/v1beta1=false,extensions/v1beta1/ingresses", "extensions/v1beta1/ingresses", true],
  ])("in %s, %s: %s is served: %s", (release, flag, path, isServed) => {
    const [group = "", version = "", resource = ""] = path.split("/");
    const catalog = catalogOf({ release, runtimeConfig: parseRuntimeConfig([flag]) });
    expect(catalog.resource({ group, version, resource }) !== undefined).toBe(isServed);
  });
});
