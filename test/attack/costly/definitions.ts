import {
  type CostlyRequest,
  costly,
  type Manifest,
  members,
  post,
  type SizedRequest,
  times,
} from "./costly-request.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const text = { type: "string" };
const schemaOf = (properties: object) => ({ type: "object", properties });

/** The definition of `costlies` with this schema of `spec`, and changes of its version. */
function definition(spec: object, version: Manifest = {}, parts: Manifest = {}): SizedRequest {
  return post(definitions, {
    metadata: { name: "costlies.costly.example" },
    spec: {
      group: "costly.example",
      scope: "Namespaced",
      names: { plural: "costlies", kind: "Costly", singular: "costly", listKind: "CostlyList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOf({ spec }) },
          ...version,
        },
      ],
      ...parts,
    },
  });
}

const nested = (depth: number): object =>
  times(depth, () => 0).reduce<object>((inner) => schemaOf({ a: inner }), text);

const listOf = (items: object, parts: object = {}) => schemaOf({ a: { type: "array", items, ...parts } });
/** Definitions of custom resources. */
export const costlyDefinitions: readonly CostlyRequest[] = costly({
  "definition: properties": (n) => definition(schemaOf(members(n, (i) => [`p${i}`, text]))),
  "definition: defaults": (n) =>
    definition(schemaOf(members(n, (i) => [`p${i}`, { type: "string", default: "d" }]))),
  "definition: required": (n) => definition({ ...schemaOf({}), required: times(n, (i) => `p${i}`) }),
  "definition: an enumeration": (n) => definition({ type: "string", enum: times(n, (i) => `e${i}`) }),
  "definition: allOf": (n) => definition({ type: "string", allOf: times(n, () => ({ minLength: 1 })) }),
  "definition: alternatives of many properties": (n) =>
    definition({
      ...schemaOf(members(n, (i) => [`p${i}`, text])),
      oneOf: times(n, (i) => ({ required: [`p${i}`] })),
    }),
  "definition: a deep schema": (n) => definition(nested(Math.min(n, 1000))),
  "definition: a pattern": (n) => definition({ type: "string", pattern: "(a|b)*".repeat(n) }),
  "definition: a pattern of brackets": (n) => definition({ type: "string", pattern: "(".repeat(n) }),
  "definition: list map keys": (n) =>
    definition(
      listOf(
        {
          ...schemaOf(members(n, (i) => [`p${i}`, text])),
          required: times(n, (i) => `p${i}`),
        },
        { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": times(n, (i) => `p${i}`) },
      ),
    ),
  "definition: printer columns": (n) =>
    definition(text, {
      additionalPrinterColumns: times(n, (i) => ({ name: `c${i}`, type: "string", jsonPath: ".spec" })),
    }),
  "definition: a long path": (n) =>
    definition(text, {
      additionalPrinterColumns: [{ name: "c", type: "string", jsonPath: ".a".repeat(n) }],
    }),
  "definition: a path of brackets": (n) =>
    definition(text, {
      additionalPrinterColumns: [{ name: "c", type: "string", jsonPath: ".a[*]".repeat(n) }],
    }),
  "definition: selectable fields": (n) =>
    definition(schemaOf(members(n, (i) => [`p${i}`, text])), {
      selectableFields: times(n, (i) => ({ jsonPath: `.spec.p${i}` })),
    }),
  "definition: versions": (n) =>
    definition(
      text,
      {},
      {
        versions: times(n, (i) => ({
          name: `v${i + 1}`,
          served: true,
          storage: i === 0,
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      },
    ),
  "definition: versions of one name": (n) =>
    definition(
      text,
      {},
      {
        versions: times(n, () => ({
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      },
    ),
  "definition: short names": (n) =>
    definition(
      text,
      {},
      {
        names: {
          plural: "costlies",
          kind: "Costly",
          singular: "costly",
          shortNames: times(n, (i) => `s${i}`),
          categories: times(n, (i) => `c${i}`),
        },
      },
    ),
});
