import { expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const one = { allocationMode: "ExactCount", count: 1 };
const all = { allocationMode: "All" };

test.each<[title: string, version: string, release: string, sent: JsonObject, expected: JsonObject]>([
  ["v1alpha3 asks for one device", "v1alpha3", "1.32", { deviceClassName: "c" }, one],
  ["v1beta1 asks for one device", "v1beta1", "1.32", { deviceClassName: "c" }, one],
  ["v1beta1 keeps its count", "v1beta1", "1.32", { deviceClassName: "c", count: 3 }, { ...one, count: 3 }],
  ["v1beta1 does not count all", "v1beta1", "1.32", { deviceClassName: "c", ...all }, all],
  [
    "v1beta1 has subrequests instead of a class",
    "v1beta1",
    "1.34",
    { firstAvailable: [{ name: "a" }, { name: "b", ...all }] },
    { firstAvailable: [one, all] },
  ],
  [
    "v1 asks for exactly one device",
    "v1",
    "1.34",
    { exactly: { deviceClassName: "c", tolerations: [{ key: "k" }, { key: "k", operator: "Exists" }] } },
    { exactly: { ...one, tolerations: [{ operator: "Equal" }, { operator: "Exists" }] } },
  ],
  [
    "v1 asks for the first that is there",
    "v1",
    "1.34",
    { firstAvailable: [{ name: "a" }] },
    { firstAvailable: [one] },
  ],
])("a ResourceClaim of %s", (_, version, release, request, expected) => {
  const spec = { devices: { requests: [{ name: "r", ...request }] } };
  const claim = defaulted(`resource.k8s.io/${version}/ResourceClaim`, { spec }, release);
  expect(claim).toMatchObject({ spec: { devices: { requests: [expected] } } });
  const template = defaulted(`resource.k8s.io/${version}/ResourceClaimTemplate`, { spec: { spec } }, release);
  expect(template).toMatchObject({ spec: { spec: { devices: { requests: [expected] } } } });
});

test("a request with neither class nor subrequests gets no defaults", () => {
  const spec = { devices: { requests: [{ name: "r" }] } };
  const claim = defaulted("resource.k8s.io/v1beta1/ResourceClaim", { spec }, "1.33");
  expect(claim).not.toHaveProperty("spec.devices.requests[0].allocationMode");
});

test("a ResourceClaim of v1alpha2 waits for its first consumer", () => {
  const expected = { spec: { allocationMode: "WaitForFirstConsumer" } };
  expect(defaulted("resource.k8s.io/v1alpha2/ResourceClaim", {}, "1.28")).toMatchObject(expected);
  expect(defaulted("resource.k8s.io/v1alpha2/ResourceClaimTemplate", {}, "1.28")).toMatchObject({
    spec: expected,
  });
});
