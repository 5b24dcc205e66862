import fc from "fast-check";
import { expect, test } from "vitest";
import { kindArbitrary } from "../../../test/arbitraries/schema-arbitrary.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { areAlike } from "./alike.ts";
import { type ApplyKind, applyKind } from "./apply-kind.ts";
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
          const before = kind.outline(object, kind.empty);
          const now = kind.outline(other, kind.empty);
          expect(pathsOfCreated(created, before, kind)).toEqual(
            pathsOfCreated(new CreatedFields(all), before, kind),
          );
          expect(pathsOfCreated(created, now, kind)).toEqual(
            pathsOfCreated(new CreatedFields(all), now, kind),
          );
        },
      ),
      { numRuns: 25 },
    );
  },
);
