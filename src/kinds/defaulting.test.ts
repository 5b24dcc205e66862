import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary } from "../../test/arbitraries/schema-arbitrary.ts";
import { decodedAndDefaulted, defaulted } from "../../test/registry/defaulted.ts";
import { defaultingOf } from "../../test/registry/kind-rules.ts";
import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonCopy } from "../apimachinery/json.ts";
import type { MutableKubeObject } from "../apimachinery/object-meta.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { everyApi } from "../catalog/every-api.ts";
import { featureGates } from "../catalog/feature-gates.ts";
import type { FieldSchema, Schema, StructSchema } from "../catalog/type-schema.ts";
import { decodeInto } from "../schema/typed-decode.ts";

interface Kind {
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
}

const newestRelease = "1.36";
const gates = featureGates(newestRelease);

/** Every kind that clients send, of all releases, in its newest form. */
const kinds: ReadonlyMap<string, Kind> = sentKinds();

function sentKinds(): ReadonlyMap<string, Kind> {
  const found = new Map<string, Kind>();
  const newest = catalogOf({ release: newestRelease });
  for (let minor = 16; minor <= 36; minor += 2) {
    const catalog = catalogOf({ release: `1.${minor}`, runtimeConfig: everyApi });
    for (const resource of catalog.groupVersions().flatMap((gv) => catalog.resources(gv))) {
      const { group, version, kind, subresources } = resource;
      const ofSubresources = [...subresources.values()].map(({ gvk }) => gvk);
      for (const gvk of [{ group, version, kind }, ...ofSubresources]) {
        const schema = newest.kind(gvk) ?? catalog.kind(gvk);
        if (schema) found.set(`${formatGroupVersion(gvk)}/${gvk.kind}`, { gvk, schema });
      }
    }
  }
  return found;
}

const defaultedKinds = [...kinds].filter(([, { gvk }]) => defaultingOf(gvk) !== undefined);

describe.each(defaultedKinds)("%s", (_, { gvk, schema }) => {
  const sent = kindArbitrary(gvk, schema);

  test("gets only fields of its schema", () => {
    fc.assert(
      fc.property(sent, (object) => {
        const { strictErrors } = decodeInto(schema, decodedAndDefaulted(gvk, schema, object, newestRelease));
        expect(strictErrors).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("is not changed by a second defaulting", () => {
    fc.assert(
      fc.property(sent, (object) => {
        const once = decodedAndDefaulted(gvk, schema, object, newestRelease);
        // Made by defaulting a kube object.
        const twice = jsonCopy(once) as MutableKubeObject;
        defaultingOf(gvk)?.(twice, gates);
        expect(twice).toEqual(once);
      }),
      { numRuns: 20 },
    );
  });
});

test.each([...statedDefaults()])("%s is what the API documents state", (_, { kind, path, value }) => {
  const sent = path
    .slice(0, -1)
    .reduceRight<JsonObject>((inner, step) => ({ [step.name]: wrapped(step, inner) }), {});
  const object = decodedAndDefaulted(kind.gvk, kind.schema, sent, newestRelease);
  const found = path.reduce<JsonValue | undefined>(
    (struct, { name }) => fieldOf(Array.isArray(struct) ? struct[0] : struct, name),
    object,
  );
  expect(found).toEqual(value);
});

test("other kinds have no defaulting", () => {
  expect(defaultingOf({ group: "", version: "v1", kind: "ConfigMap" })).toBeUndefined();
  expect(defaultingOf({ group: "example.com", version: "v1", kind: "Pod" })).toBeUndefined();
});

interface StatedDefault {
  readonly kind: Kind;
  readonly path: readonly FieldSchema[];
  readonly value: JsonValue;
}

/** The defaults that the catalog has on fields of which a client can tell. */
function* statedDefaults(): Iterable<[title: string, stated: StatedDefault]> {
  for (const [name, kind] of kinds) {
    for (const path of pathsWithDefault(kind.schema, [], new Set())) {
      const { default: value = null, pointer } = path.at(-1) ?? { pointer: false };
      if (!value && !pointer) continue;
      yield [`${name} ${path.map((field) => field.name).join(".")}`, { kind, path, value }];
    }
  }
}

function* pathsWithDefault(
  struct: StructSchema,
  above: readonly FieldSchema[],
  seen: ReadonlySet<Schema>,
): Iterable<readonly FieldSchema[]> {
  if (seen.has(struct)) return;
  for (const field of struct.fields) {
    const path = [...above, field];
    const inner = field.schema.type === "list" ? field.schema.items : field.schema;
    if (inner.type === "struct") yield* pathsWithDefault(inner, path, new Set([...seen, struct]));
    else if (field.default !== undefined && field.default !== null) yield path;
  }
}

function wrapped({ schema }: FieldSchema, inner: JsonObject): JsonValue {
  return schema.type === "list" ? [inner] : inner;
}

function fieldOf(struct: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(struct) ? struct[name] : undefined;
}

test.each<[kind: string, sent: JsonObject, expected: JsonObject, release?: string]>([
  ["scheduling.k8s.io/v1/PriorityClass", {}, { preemptionPolicy: "PreemptLowerPriority" }],
  ["scheduling.k8s.io/v1/PriorityClass", { preemptionPolicy: "Never" }, { preemptionPolicy: "Never" }],
  ["authentication.k8s.io/v1/TokenRequest", {}, { spec: { expirationSeconds: 3600 } }],
  [
    "apiregistration.k8s.io/v1/APIService",
    { spec: { service: { name: "s" } } },
    { spec: { service: { port: 443 } } },
  ],
  ["policy/v1beta1/PodSecurityPolicy", {}, { spec: { allowPrivilegeEscalation: true } }, "1.24"],
  [
    "auditregistration.k8s.io/v1alpha1/AuditSink",
    {},
    { spec: { webhook: { throttle: { qps: 10, burst: 15 } } } },
    "1.18",
  ],
])("a %s of %j is %j", (kind, sent, expected, release) => {
  expect(defaulted(kind, sent, release)).toMatchObject(expected);
});
