import { expect, test } from "vitest";
import type { Release } from "../apimachinery/release.ts";
import { deprecationLines } from "./deprecated-flags.ts";

function linesOf(release: Release, name: string): readonly string[] {
  const values = new Map<string, readonly string[]>([
    ["release", [release]],
    [name, ["x"]],
  ]);
  return deprecationLines({ values });
}

test.each<[Release, string, string | undefined]>([
  [
    "1.16",
    "cloud-provider-gce-lb-src-cidrs",
    "This flag will be removed once the GCE Cloud Provider is removed from kube-apiserver",
  ],
  [
    "1.16",
    "basic-auth-file",
    "Basic authentication mode is deprecated and will be removed in a future release. It is not recommended for production environments.",
  ],
  ["1.19", "address", "see --bind-address instead."],
  ["1.20", "address", "This flag has no effect now and will be removed in v1.24."],
  ["1.18", "target-ram-mb", undefined],
  ["1.25", "master-service-namespace", undefined],
  ["1.28", "cloud-config", undefined],
  ["1.22", "stderrthreshold", undefined],
])("%s: --%s says %s", (release, name, message) => {
  const line = `Flag --${name} has been deprecated, ${message}`;
  expect(linesOf(release, name)).toEqual(message === undefined ? [] : [line]);
});

test("a flag warns each time that it is given", () => {
  const values = new Map([["kubelet-port", ["1", "2"]]]);
  expect(deprecationLines({ values })).toHaveLength(2);
});
