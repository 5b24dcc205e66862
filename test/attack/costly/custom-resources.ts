import {
  type CostlyRequest,
  costly,
  type Manifest,
  members,
  patch,
  post,
  type SizedRequest,
  times,
} from "./costly-request.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const resources = "/apis/costly.example/v1/namespaces/default/costlies";
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

const object = (spec: unknown) => ({
  apiVersion: "costly.example/v1",
  kind: "Costly",
  metadata: { name: "costly" },
  spec,
});
const nested = (depth: number): object =>
  times(depth, () => 0).reduce<object>((inner) => schemaOf({ a: inner }), text);

/** An object of a kind with this schema. */
function resource(name: string, schema: object, spec: (n: number) => unknown): CostlyRequest {
  return {
    name: `custom resource: ${name}`,
    before: () => [definition(schema)],
    request: (n) => post(resources, object(spec(n))),
  };
}

const listOf = (items: object, parts: object = {}) => schemaOf({ a: { type: "array", items, ...parts } });
const keyed = listOf(schemaOf({ k: { type: "string", default: "" }, v: text }), {
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
});
const set = listOf(text, { "x-kubernetes-list-type": "set" });
const objectSet = listOf(
  { ...schemaOf({ k: text }), "x-kubernetes-map-type": "atomic" },
  { "x-kubernetes-list-type": "set" },
);
const apply = `${resources}/costly?fieldManager=costly`;

const inDefinitions: readonly CostlyRequest[] = costly({
  "definition: properties": (n) => definition(schemaOf(members(n, (i) => [`p${i}`, text]))),
  "definition: defaults": (n) =>
    definition(schemaOf(members(n, (i) => [`p${i}`, { type: "string", default: "d" }]))),
  "definition: required": (n) => definition({ ...schemaOf({}), required: times(n, (i) => `p${i}`) }),
  "definition: an enumeration": (n) => definition({ type: "string", enum: times(n, (i) => `e${i}`) }),
  "definition: allOf": (n) => definition({ type: "string", allOf: times(n, () => ({ minLength: 1 })) }),
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
    definition(text, {}, {
      versions: times(n, (i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: { type: "object" } },
      })),
    }),
  "definition: versions of one name": (n) =>
    definition(text, {}, {
      versions: times(n, () => ({
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      })),
    }),
  "definition: short names": (n) =>
    definition(text, {}, {
      names: {
        plural: "costlies",
        kind: "Costly",
        singular: "costly",
        shortNames: times(n, (i) => `s${i}`),
        categories: times(n, (i) => `c${i}`),
      },
    }),
});

const objects: readonly CostlyRequest[] = [
  resource("a set", set, (n) => ({ a: times(n, (i) => `v${i}`) })),
  resource("a set of one value", set, (n) => ({ a: times(n, () => "v") })),
  resource("a set of objects", objectSet, (n) => ({ a: times(n, (i) => ({ k: `v${i}` })) })),
  resource("a set of one object", objectSet, (n) => ({ a: times(n, () => ({ k: "v" })) })),
  resource("a list map", keyed, (n) => ({ a: times(n, (i) => ({ k: `k${i}`, v: "v" })) })),
  resource("a list map of one key", keyed, (n) => ({ a: times(n, () => ({ k: "k" })) })),
  resource("unique items", listOf(text), (n) => ({ a: times(n, (i) => `v${i}`) })),
  resource("unknown fields", schemaOf({}), (n) => members(n, (i) => [`p${i}`, 1])),
  resource("values that are invalid", listOf({ type: "string", minLength: 2 }), (n) => ({
    a: times(n, () => "v"),
  })),
  resource("values of the wrong type", listOf(text), (n) => ({ a: times(n, () => 1) })),
  resource("a value for a pattern", { type: "string", pattern: "^(a+)+$" }, (n) => `${"a".repeat(n)}b`),
  resource("a value for a format", { type: "string", format: "email" }, (n) => `${"a".repeat(n)}@`),
  resource("a host name", { type: "string", format: "hostname" }, (n) => "a.".repeat(n)),
  resource("an address", { type: "string", format: "uri" }, (n) => `http://${"a".repeat(n)}%`),
  resource("a date", { type: "string", format: "date-time" }, (n) => `2026-01-01T00:00:00.${"1".repeat(n)}Z`),
  resource("base64", { type: "string", format: "byte" }, (n) => "AAAA".repeat(n)),
  resource("a duration", { type: "string", format: "duration" }, (n) => "1h".repeat(n)),
  resource("a value for an enumeration", { type: "string", enum: ["a", "b"] }, (n) => "c".repeat(n)),
  resource("members of a map", { type: "object", additionalProperties: text }, (n) =>
    members(n, (i) => [`k${i}`, "v"]),
  ),
  resource("required fields of elements", listOf({ ...schemaOf({ k: text }), required: ["k"] }), (n) => ({
    a: times(n, () => ({})),
  })),
  resource(
    "preserved fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    (n) => members(n, (i) => [`p${i}`, [i]]),
  ),
  applied("a set", set, (n) => ({ a: times(n, (i) => `v${i}`) })),
  applied("a list map", keyed, (n) => ({ a: times(n, (i) => ({ k: `k${i}`, v: "v" })) })),
  applied("a list map of one key", keyed, (n) => ({ a: times(n, () => ({ k: "k" })) })),
  applied("a set of objects", objectSet, (n) => ({ a: times(n, (i) => ({ k: `v${i}` })) })),
  {
    name: "Table of a custom resource",
    before: (n) => [
      definition({ type: "array", items: { type: "string" } }, {
        additionalPrinterColumns: [{ name: "c", type: "string", jsonPath: ".spec[*]" }],
      }),
      post(resources, object(times(n, (i) => `v${i}`))),
    ],
    request: () => ({
      method: "GET",
      target: resources,
      headers: [["Accept", "application/json;as=Table;g=meta.k8s.io;v=v1"]],
    }),
  },
];

function applied(name: string, schema: object, spec: (n: number) => unknown): CostlyRequest {
  return {
    name: `apply of a custom resource: ${name}`,
    before: (n) => [definition(schema), patch("apply", apply, object(spec(n)))],
    request: (n) => patch("apply", apply, object(spec(n))),
  };
}

/** Custom resources and their definitions. */
export const costlyCustomResources: readonly CostlyRequest[] = [...inDefinitions, ...objects];
