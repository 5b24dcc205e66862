import { expect, test } from "vitest";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import { requiredStruct } from "../../schema/kind-schema.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { noteCompleteSpec, specApart, withSpec } from "./complete-spec.ts";
import type { ResourceScope } from "./scope.ts";

const gvk = { group: "apps", version: "v1", kind: "Deployment" };
const schema = builtInKindSchema(catalogOf({ release: "1.32" }), gvk);
type SpecScope = Pick<ResourceScope, "completeSpecs" | "gvk" | "schema">;

function scope(changes: Partial<SpecScope> = {}): SpecScope {
  if (schema === undefined) throw new Error("there are no Deployments");
  return { gvk, schema, completeSpecs: new WeakSet(), ...changes };
}

const storedSpec = (): JsonObject => deepFreeze({ replicas: 1, template: { metadata: {} } });
const document = (fields: JsonObject): JsonObject => ({
  kind: "Deployment",
  apiVersion: "apps/v1",
  metadata: { name: "d" },
  ...fields,
});

test("a spec that came out unchanged is complete: it need not be decoded again, and objects share it", () => {
  const deployments = scope();
  const spec = storedSpec();
  const sent = document({ spec });
  expect(specApart(sent, deployments)).toEqual({ document: sent, spec: undefined });
  const object: MutableJsonObject = { ...document({ spec: structuredClone(spec) }) };
  noteCompleteSpec(sent, object, deployments);
  expect(object["spec"]).toBe(spec);
  const apart = specApart(sent, deployments);
  expect(apart).toEqual({ document: document({}), spec });
  expect(apart.spec).toBe(spec);
  expect(withSpec({ kind: "Deployment" }, apart)).toEqual({ kind: "Deployment", spec });
});

test("a document without a complete spec is decoded as it is", () => {
  const sent = document({ spec: storedSpec() });
  const apart = specApart(sent, scope());
  expect(apart.document).toBe(sent);
  const object = { kind: "Deployment" };
  expect(withSpec(object, apart)).toBe(object);
  expect(object).toEqual({ kind: "Deployment" });
});

test("a spec that came out changed is not complete", () => {
  const deployments = scope();
  const sent = document({ spec: storedSpec() });
  const object = { ...document({ spec: { ...storedSpec(), paused: true } }) };
  noteCompleteSpec(sent, object, deployments);
  expect(object["spec"]).toEqual({ ...storedSpec(), paused: true });
  expect(specApart(sent, deployments).spec).toBeUndefined();
});

test("a spec that was not decoded is not noted: that it came out unchanged says nothing", () => {
  const deployments = scope();
  const sent = document({ spec: storedSpec() });
  noteCompleteSpec(sent, { ...sent }, deployments);
  expect(specApart(sent, deployments).spec).toBeUndefined();
});

/** What is taken apart of a document whose spec is complete in the version of the endpoint. */
function apartOf(sent: JsonObject, changes: Partial<SpecScope> = {}) {
  const spec = sent["spec"];
  const completeSpecs = new WeakSet<JsonObject>();
  // A complete spec is an object; a WeakSet refuses everything else.
  if (typeof spec === "object" && spec !== null) completeSpecs.add(spec as JsonObject);
  return specApart(sent, scope({ completeSpecs, ...changes })).spec;
}

test.each<[string, JsonObject]>([
  ["another kind", { ...document({ spec: storedSpec() }), kind: "ReplicaSet" }],
  ["another version", { ...document({ spec: storedSpec() }), apiVersion: "apps/v1beta1" }],
  ["no version of a group", { ...document({ spec: storedSpec() }), apiVersion: "v1" }],
  ["a spec that can change", document({ spec: { replicas: 1 } })],
  ["a spec that is a list", document({ spec: deepFreeze([{ replicas: 1 }]) })],
  ["a spec that is null", document({ spec: null })],
  ["a spec that is a text", document({ spec: "spec" })],
  ["no spec", document({})],
])("a document with %s keeps its spec, and notes none", (_title, sent) => {
  expect(apartOf(sent)).toBeUndefined();
  const noted: JsonObject[] = [];
  const completeSpecs = new WeakSet<JsonObject>();
  completeSpecs.add = (spec) => {
    noted.push(spec);
    return completeSpecs;
  };
  noteCompleteSpec(sent, structuredClone(sent) as MutableJsonObject, scope({ completeSpecs }));
  expect(noted).toEqual([]);
});

test.each([null, "text", 1, true])("%j is no document with a spec", (sent) => {
  expect(specApart(sent, scope())).toEqual({ document: sent, spec: undefined });
});

test("custom resources are always decoded: their schema can change", () => {
  const sent = document({ spec: storedSpec() });
  expect(apartOf(sent)).toBe(sent["spec"]);
  const { schema: builtIn } = scope();
  const type = {
    from: "openApi",
    openApiSchema: undefined,
    preserveUnknownFields: false,
    objectMeta: requiredStruct(builtIn),
  } as const;
  expect(apartOf(sent, { schema: { ...builtIn, type } })).toBeUndefined();
});
