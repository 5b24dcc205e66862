import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { planSlices } from "./slice-plan.ts";

const ports = [{ name: "", port: 80, protocol: "TCP" }];
const endpoint = (id: number): JsonObject => ({ addresses: [`10.0.${id >> 8}.${id & 255}`] });
const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => endpoint(first + i));

/** A slice with some endpoints, the first of which is given. */
function slice(name: string, first: number, count: number): KubeObject {
  const metadata = { name, uid: name };
  const endpoints = range(first, count);
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata,
    addressType: "IPv4",
    ports,
    endpoints,
  };
}

const sizeOf = (endpoints: unknown) => (Array.isArray(endpoints) ? endpoints.length : 0);

/** What is created, updated and removed, as sizes. */
function plan(existing: readonly KubeObject[], endpoints: readonly JsonObject[]) {
  const group = { addressType: "IPv4", ports, endpoints };
  const { create, update, remove } = planSlices(existing, [group], (one) => JSON.stringify(one["addresses"]));
  return {
    create: create.map((one) => sizeOf(one.endpoints)),
    update: update.map((one) => `${one.metadata.name} ${sizeOf(one["endpoints"])}`),
    remove: remove.map(({ metadata }) => metadata.name),
  };
}

/** The facts are those of reconciler_test.go in kubernetes, staging/src/k8s.io/endpointslice. */
test.each([
  ["nothing to do", [slice("a", 0, 50)], range(0, 50), { create: [], update: [], remove: [] }],
  ["full slices, then the rest", [], range(0, 250), { create: [100, 100, 50], update: [], remove: [] }],
  [
    "the rest fills the slice that it makes fullest",
    [slice("a", 0, 20), slice("b", 100, 60), slice("c", 200, 90)],
    [...range(0, 20), ...range(100, 60), ...range(200, 90), ...range(300, 30)],
    { create: [], update: ["b 90"], remove: [] },
  ],
  [
    "more than a slice: a new one first, then one with room for the rest",
    [slice("a", 0, 40)],
    [...range(0, 40), ...range(300, 150)],
    { create: [100], update: ["a 90"], remove: [] },
  ],
  [
    "slices that change anyway are filled, the fullest first",
    [slice("a", 0, 30), slice("b", 100, 90)],
    [...range(1, 29), ...range(101, 89), ...range(300, 20)],
    { create: [], update: ["a 38", "b 100"], remove: [] },
  ],
  [
    "an empty one is removed",
    [slice("a", 0, 10), slice("b", 100, 10)],
    range(0, 10),
    { create: [], update: [], remove: ["b"] },
  ],
  [
    "a new one takes the place of an empty one",
    [slice("a", 0, 100), slice("b", 100, 10)],
    [...range(0, 100), ...range(300, 10)],
    { create: [], update: ["b 10"], remove: [] },
  ],
] as const)("%s", (_title, existing, endpoints, expected) => {
  expect(plan(existing, endpoints)).toEqual(expected);
});
