import fc from "fast-check";
import { expect, test } from "vitest";
import { kindArbitrary } from "../../../test/arbitraries/schema-arbitrary.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { areAlike } from "./alike.ts";
import { type ApplyKind, applyKind } from "./apply-kind.ts";
import { deducedType, scalarType } from "./apply-type.ts";
import { CreatedFields } from "./created-fields.ts";
import type { FieldFilter } from "./field-filter.ts";
import { pathsOf } from "./field-set.ts";

const catalog = catalogOf({ release: "1.32" });

function kindOf(gvk: { group: string; version: string; kind: string }) {
  const struct = catalog.kind(gvk);
  if (struct === undefined) throw new Error(`no ${gvk.kind}`);
  return { struct, kind: applyKind(builtInSchema(struct), gvk) };
}

const { kind: pod } = kindOf({ group: "", version: "v1", kind: "Pod" });

function podWith(container: JsonObject, fields: JsonObject = {}): JsonObject {
  return { ...pod.empty, ...fields, spec: { containers: [container] } };
}

const plain = podWith({ name: "web", image: "web:1", args: ["a"], env: [{ name: "A", value: "1" }] });

test.each<[string, JsonObject, boolean]>([
  [
    "other values",
    podWith({ name: "web", image: "web:2", args: ["b", "c"], env: [{ name: "A", value: "2" }] }),
    true,
  ],
  [
    "an empty value",
    podWith({ name: "web", image: "", args: ["a"], env: [{ name: "A", value: "1" }] }),
    false,
  ],
  ["an empty atomic list", podWith({ name: "web", image: "web:1", args: [], env: [{ name: "A" }] }), false],
  ["one field less", podWith({ name: "web", image: "web:1", args: ["a"] }), false],
  ["another key", podWith({ name: "app", image: "web:1", args: ["a"], env: [{ name: "A" }] }), false],
  [
    "one more item",
    podWith({ name: "web", image: "web:1", args: ["a"], env: [{ name: "A", value: "1" }, { name: "B" }] }),
    false,
  ],
  [
    "labels",
    podWith(
      { name: "web", image: "web:1", args: ["a"], env: [{ name: "A", value: "1" }] },
      {
        metadata: { labels: { app: "web" } },
      },
    ),
    false,
  ],
])("a pod with %s", (_title, other, expected) => {
  expect(areAlike(pod.type, plain, other)).toBe(expected);
});

const withSpec = (spec: JsonObject): JsonObject => ({ ...pod.empty, spec });

test.each<[title: string, one: JsonObject, other: JsonObject, expected: boolean]>([
  ["two empty maps", { securityContext: {} }, { securityContext: {} }, true],
  [
    "an empty map and one with a field",
    { securityContext: {} },
    { securityContext: { runAsUser: 1 } },
    false,
  ],
  [
    "a map with a field and an empty one",
    { securityContext: { runAsUser: 1 } },
    { securityContext: {} },
    false,
  ],
  [
    "maps with one field each",
    { securityContext: { runAsUser: 1 } },
    { securityContext: { runAsGroup: 1 } },
    false,
  ],
  ["two empty lists", { volumes: [] }, { volumes: [] }, true],
  ["an empty list and one with an item", { volumes: [] }, { volumes: [{ name: "v" }] }, false],
  ["a list with an item and an empty one", { volumes: [{ name: "v" }] }, { volumes: [] }, false],
  [
    "empty items",
    { volumes: [{ name: "v", emptyDir: {} }] },
    { volumes: [{ name: "v", emptyDir: {} }] },
    true,
  ],
  ["atomic maps", { nodeSelector: { a: "1" } }, { nodeSelector: { b: "2" } }, true],
  ["an empty atomic map and another", { nodeSelector: {} }, { nodeSelector: { b: "2" } }, false],
  ["an atomic map and an empty one", { nodeSelector: { a: "1" } }, { nodeSelector: {} }, false],
  // It would be right to say that they are alike, but it says nothing about what is in neither.
  ["two empty atomic maps", { nodeSelector: {} }, { nodeSelector: {} }, false],
  ["a map and null", { securityContext: {} }, { securityContext: null }, false],
  ["null and a map", { securityContext: null }, { securityContext: {} }, false],
  ["an item and null", { volumes: [{ name: "v" }] }, { volumes: [null] }, false],
  ["null and an item", { volumes: [null] }, { volumes: [{ name: "v" }] }, false],
  ["a filled and an empty atomic list", { tolerations: [{ key: "a" }] }, { tolerations: [] }, false],
  ["an empty and a filled atomic list", { tolerations: [] }, { tolerations: [{ key: "a" }] }, false],
  ["the same empty values", { hostNetwork: false, nodeName: "" }, { hostNetwork: false, nodeName: "" }, true],
  ["null and a list", { volumes: null }, { volumes: [] }, false],
  ["numbers", { activeDeadlineSeconds: 1 }, { activeDeadlineSeconds: 2 }, true],
  ["zero and a number", { activeDeadlineSeconds: 0 }, { activeDeadlineSeconds: 2 }, false],
  ["a number and zero", { activeDeadlineSeconds: 1 }, { activeDeadlineSeconds: 0 }, false],
  ["true and false", { hostNetwork: true }, { hostNetwork: false }, false],
  [
    "fields in another order",
    { hostNetwork: true, hostPID: true },
    { hostPID: true, hostNetwork: true },
    true,
  ],
])("of %s", (_title, one, other, expected) => {
  expect(areAlike(pod.type, withSpec(one), withSpec(other))).toBe(expected);
});

test("sets are alike only if they are equal, and objects of other shapes never are", () => {
  const finalizers = (...list: readonly string[]): JsonObject => ({
    ...pod.empty,
    metadata: { finalizers: list },
  });
  expect(areAlike(pod.type, finalizers("a", "b"), finalizers("a", "b"))).toBe(true);
  expect(areAlike(pod.type, finalizers("a", "b"), finalizers("a", "c"))).toBe(false);
  expect(areAlike(pod.type, finalizers(), finalizers())).toBe(true);
  expect(areAlike(pod.type, finalizers(), finalizers("a"))).toBe(false);
  expect(areAlike(pod.type, { ...pod.empty, metadata: "x" }, { ...pod.empty, metadata: {} })).toBe(false);
});

test("a value is like itself, and not like one of another shape", () => {
  const text = "";
  expect(areAlike(scalarType("string"), text, text)).toBe(true);
  const values: readonly JsonValue[] = ["x", ["x"], { x: "x" }];
  const alike = values.map((one) => values.map((other) => areAlike(deducedType, one, other)));
  expect(alike).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
});

/** A copy in which some texts and numbers are others; a few become empty. */
function varied(value: JsonValue, random: () => number): JsonValue {
  if (Array.isArray(value)) return value.map((item) => varied(item, random));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, varied(part, random)]));
  }
  const change = random() % 16;
  if (change > 1) return value;
  if (typeof value === "string") return change === 0 ? `${value}x` : "";
  return typeof value === "number" ? change : value;
}

const pathsOfCreated = (created: CreatedFields, object: JsonObject, kind: ApplyKind) => [
  ...pathsOf(created.of(object, kind)),
];

test.each([
  ["", "v1", "Pod"],
  ["", "v1", "Service"],
  ["", "v1", "Event"],
  ["apps", "v1", "Deployment"],
  ["networking.k8s.io", "v1", "Ingress"],
])(
  "an object of %s/%s, %s that is like the one before has the fields that it has on its own",
  (group, version, kindName) => {
    const { struct, kind } = kindOf({ group, version, kind: kindName });
    const all: FieldFilter = (set) => set;
    fc.assert(
      fc.property(
        kindArbitrary({ group, version, kind: kindName }, struct),
        fc.infiniteStream(fc.nat()),
        (object, numbers) => {
          const next = () => Number(numbers.next().value);
          const other = varied(object, next) as JsonObject;
          const created = new CreatedFields(all);
          for (const one of [object, other, kind.outline(object, kind.empty), object]) {
            expect(pathsOfCreated(created, one, kind)).toEqual(
              pathsOfCreated(new CreatedFields(all), one, kind),
            );
          }
        },
      ),
      { numRuns: 25 },
    );
  },
);
