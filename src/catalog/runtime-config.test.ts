import { describe, expect, test } from "vitest";
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
