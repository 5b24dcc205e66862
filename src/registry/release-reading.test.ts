import { describe, expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import { featureGates } from "../catalog/feature-gates.ts";
import type { KindRules } from "./contract/kind-definition.ts";
import { releaseReading } from "./release-reading.ts";

/** How a server of a release with these rules for every kind reads objects. The group example.com has the version v1. */
function readingOf(release: Release, rules: KindRules = {}) {
  return releaseReading({
    view: viewOf({ release }),
    gates: featureGates(release),
    rulesOf: () => rules,
    declaredVersions: (group) => (group.endsWith("example.com") ? new Set(["v1"]) : undefined),
  });
}

const objectOf = (apiVersion: string, kind: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "a", namespace: "b", creationTimestamp: "2026-01-01T00:00:00Z" },
  ...more,
});
const unknown = (apiVersion: string, kind: string) =>
  `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;

describe("a server reads as it is", () => {
  test.each([
    ["an object of a declared version", objectOf("example.com/v1", "Thing")],
    ["an object of a group that no release has", objectOf("other.test/v1", "Thing")],
    ["an object whose version has no group", objectOf("a/b/c", "Thing")],
    ["an object that has nothing to change", objectOf("v1", "ConfigMap", { data: { a: "b" } })],
  ])("%s", (_title, object) => {
    const { read, unservedResource } = readingOf("1.32");
    for (const _ of [1, 2]) expect(read(object)).toEqual({ value: object });
    expect(Object.values(read(object))[0]).toBe(object);
    expect(unservedResource(object)).toBeUndefined();
  });

  test("an object whose version it knows and does not serve", () => {
    const object = objectOf("resource.k8s.io/v1beta1", "ResourceClaim", { spec: { unknown: 1 } });
    const { read, unservedResource } = readingOf("1.32");
    expect(read(object)).toEqual({ value: object });
    expect(unservedResource(object)).toEqual({ group: "resource.k8s.io", resource: "resourceclaims" });
  });
});

test.each<[Release, string, string, object | undefined]>([
  ["1.32", "example.com/v2", "Thing", undefined],
  ["1.22", "autoscaling/v2", "HorizontalPodAutoscaler", undefined],
  ["1.32", "resource.k8s.io/v1", "ResourceClaim", { group: "resource.k8s.io", resource: "resourceclaims" }],
])("%s cannot read %s %s, whose resource without a version is %j", (release, apiVersion, kind, unserved) => {
  const { read, unservedResource } = readingOf(release);
  const object = objectOf(apiVersion, kind);
  expect(read(object)).toEqual({ unreadable: unknown(apiVersion, kind) });
  expect(unservedResource(object)).toEqual(unserved);
});

describe("a server reads the stored version of an object", () => {
  test("of each kind on its own", () => {
    const { read } = readingOf("1.32");
    const [map, claim] = [objectOf("v1", "ConfigMap"), objectOf("resource.k8s.io/v1", "ResourceClaim")];
    for (const _ of [1, 2]) {
      expect(read(map)).toEqual({ value: map });
      expect(read(claim)).toEqual({ unreadable: unknown("resource.k8s.io/v1", "ResourceClaim") });
    }
  });

  test("without the fields that it does not know, and with the defaults of that version", () => {
    const { read } = readingOf("1.32", {
      versions: {
        v1: {
          defaults: (object) => {
            object["immutable"] = true;
          },
        },
        v2: { defaults: () => expect.unreachable() },
      },
    });
    const object = objectOf("v1", "ConfigMap", { data: { a: "b" }, unknown: 1 });
    expect(read(object)).toEqual({
      value: objectOf("v1", "ConfigMap", { data: { a: "b" }, immutable: true }),
    });
  });

  test.each([
    ["ConfigMap", { data: { a: "b" }, unknown: 1 }, { data: { a: "b" } }],
    [
      "Pod",
      {
        spec: { nodeName: "n", unknown: {}, containers: [{ name: "c", unknown: [], resources: {} }] },
        status: {},
      },
      { spec: { nodeName: "n", containers: [{ name: "c", resources: {} }] }, status: {} },
    ],
  ])("without the fields that it does not know, even if nothing else changes: %s", (kind, more, kept) => {
    const read = readingOf("1.32").read(objectOf("v1", kind, more));
    expect(read).toEqual({ value: objectOf("v1", kind, kept) });
  });

  // 1.18 stores all of them as networking.k8s.io/v1beta1.
  test("as the version in which it stores the kind", () => {
    const object = objectOf("extensions/v1beta1", "Ingress", { spec: { ingressClassName: "c" } });
    const stored = { ...object, apiVersion: "networking.k8s.io/v1beta1", status: { loadBalancer: {} } };
    expect(readingOf("1.18").read(object)).toEqual({ value: stored });
    expect(readingOf("1.18").unservedResource(object)).toBeUndefined();
  });

  test("by the conversion between the two versions, unless that is one outside of the server", () => {
    const object = objectOf("extensions/v1beta1", "Ingress");
    const converting = (conversion: object): KindRules => ({
      versions: {
        // A conversion has one of the two forms.
        "extensions/v1beta1": { conversions: { "networking.k8s.io/v1beta1": conversion as never } },
      },
    });
    const toStored = (decoded: KubeObject) => ({ ...decoded, spec: { ingressClassName: "converted" } });
    const own = converting({ fromStored: () => expect.unreachable(), toStored });
    expect(readingOf("1.18", own).read(object)).toMatchObject({
      value: { apiVersion: "networking.k8s.io/v1beta1", spec: { ingressClassName: "converted" } },
    });
    const outside = converting({ convert: () => expect.unreachable() });
    expect(readingOf("1.18", outside).read(object)).toMatchObject({
      value: { ...object, apiVersion: "networking.k8s.io/v1beta1", spec: {} },
    });
  });
});
