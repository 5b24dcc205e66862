import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary } from "../../test/arbitraries/schema-arbitrary.ts";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { parseGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { parseJson } from "../codec/json/json.ts";
import { fromUnstructured } from "./from-unstructured.ts";
import { decodeInto } from "./typed-decode.ts";

const catalog = catalogOf({ release: "1.32" });

function schemaOf(apiVersion: string, kind: string): StructSchema {
  const gv = parseGroupVersion(apiVersion);
  const schema = gv && catalog.kind({ ...gv, kind });
  if (schema === undefined) throw new Error(`no ${kind} in ${apiVersion}`);
  return schema;
}

const deployment = schemaOf("apps/v1", "Deployment");
const pod = schemaOf("v1", "Pod");
const secret = schemaOf("v1", "Secret");
const crd = schemaOf("apiextensions.k8s.io/v1", "CustomResourceDefinition");

function container(fields: JsonObject): JsonObject {
  return { spec: { containers: [{ name: "a", ...fields }] } };
}

describe("a value of the wrong type", () => {
  test.each<[string, StructSchema, JsonObject, string]>([
    ["a string for a number", deployment, { spec: { replicas: "x" } }, "unrecognized type: int32"],
    ["a boolean for a number", deployment, { spec: { replicas: true } }, "unrecognized type: int32"],
    ["a fraction for an integer", deployment, { spec: { replicas: 1.5 } }, "cannot convert float64 to int32"],
    ["a number for a string", pod, { spec: { nodeName: 5 } }, "cannot convert int64 to string"],
    [
      "a number for a named string type",
      pod,
      container({ imagePullPolicy: 5 }),
      "cannot convert int64 to v1.PullPolicy",
    ],
    ["a fraction for a string", pod, { spec: { nodeName: 1.5 } }, "unrecognized type: string"],
    ["a list for a string", pod, { spec: { nodeName: [] } }, "unrecognized type: string"],
    ["a string for a boolean", deployment, { spec: { paused: "true" } }, "unrecognized type: bool"],
    ["an object for a list", pod, { spec: { containers: { a: 1 } } }, "cannot restore slice from map"],
    ["a string for a list", pod, { spec: { containers: "a" } }, "cannot restore slice from string"],
    ["a list for a map", pod, { metadata: { labels: [] } }, "cannot restore map from slice"],
    ["a number for a structure", pod, { spec: 5 }, "cannot restore struct from: int64"],
    ["a number for an element", pod, { spec: { containers: [5] } }, "cannot restore struct from: int64"],
    [
      "a number in a map of strings",
      pod,
      { metadata: { labels: { a: 1 } } },
      "cannot convert int64 to string",
    ],
    [
      "a string that is not base64",
      secret,
      { data: { a: "!" } },
      "error decoding from json: illegal base64 data at input byte 0",
    ],
    [
      "a number for a time",
      pod,
      { metadata: { deletionTimestamp: 5 } },
      "json: cannot unmarshal number into Go value of type string",
    ],
    ["a number for bytes", secret, { data: { a: 5 } }, "cannot restore slice from int64"],
    ["a string among the numbers of bytes", secret, { data: { a: ["x"] } }, "unrecognized type: uint8"],
    [
      "a fraction among the numbers of bytes",
      secret,
      { data: { a: [1.5] } },
      "cannot convert float64 to uint8",
    ],
    [
      "a string for a float",
      crd,
      { spec: { versions: [{ schema: { openAPIV3Schema: { minimum: "x" } } }] } },
      "unrecognized type: float64",
    ],
    [
      "a string for a schema",
      crd,
      { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: "x" } } }] } },
      "boolean or JSON schema expected",
    ],
    [
      "two wrong values: the first field of the struct is reported, not the first member",
      deployment,
      { spec: { selector: 5, replicas: "x" } },
      "unrecognized type: int32",
    ],
  ])("%s", (_title, schema, document, message) => {
    const convert = () => fromUnstructured(schema, document);
    expect(convert).toThrow(DecodeError);
    expect(convert).toThrow(expect.objectContaining({ message }));
  });
});

describe("a value that can be converted", () => {
  test.each<[string, StructSchema, string, JsonObject]>([
    ["null is unset", deployment, `{"spec":{"replicas":null,"template":null}}`, { spec: {} }],
    [
      "null in a list is the zero value",
      pod,
      `{"metadata":{"finalizers":[null]}}`,
      { metadata: { finalizers: [""] } },
    ],
    [
      "an integer beyond 32 bits loses its upper bits",
      deployment,
      `{"spec":{"replicas":4294967298}}`,
      { spec: { replicas: 2 } },
    ],
    [
      "an integer beyond 32 bits may become negative",
      deployment,
      `{"spec":{"replicas":3000000000}}`,
      { spec: { replicas: -1294967296 } },
    ],
    [
      "a number becomes a quantity",
      pod,
      `{"spec":{"overhead":{"cpu":2}}}`,
      { spec: { overhead: { cpu: "2" } } },
    ],
    ["null among bytes becomes zero", secret, `{"data":{"a":[104,null]}}`, { data: { a: "aAA=" } }],
    [
      "a float may be written with or without a fraction",
      crd,
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"minimum":1.5,"maximum":2}}}]}}`,
      { spec: { versions: [{ schema: { openAPIV3Schema: { minimum: 1.5, maximum: 2 } } }] } },
    ],
    [
      "schemas may be one or several, and their unknown fields are not reported",
      crd,
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":[{"type":"string","zork":1}],"additionalProperties":true}}}]}}`,
      {
        spec: {
          versions: [
            { schema: { openAPIV3Schema: { items: [{ type: "string" }], additionalProperties: true } } },
          ],
        },
      },
    ],
    ["bytes may be a list of numbers", secret, `{"data":{"a":[104,360]}}`, { data: { a: "aGg=" } }],
  ])("%s", (_title, schema, document, expected) => {
    expect(fromUnstructured(schema, parseJson(document) as JsonObject).object).toEqual(expected);
  });
});

test("unknown fields are sorted, and the keys of maps are not part of their paths", () => {
  const properties: JsonValue = { p: { zork: 1 } };
  const document = {
    zork: 1,
    spec: { versions: [{ a: 1 }, { schema: { openAPIV3Schema: { properties } } }], Group: "x" },
    metadata: { __proto__x: 1 },
  };
  expect(fromUnstructured(crd, document).unknownFields).toEqual([
    `unknown field "metadata.__proto__x"`,
    `unknown field "spec.Group"`,
    `unknown field "spec.versions[0].a"`,
    `unknown field "spec.versions[1].schema.openAPIV3Schema.properties.zork"`,
    `unknown field "zork"`,
  ]);
});

test.each([
  ["v1", "Pod"],
  ["v1", "Secret"],
  ["apps/v1", "Deployment"],
  ["autoscaling/v2", "HorizontalPodAutoscaler"],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
])("a %s %s has the same result as from the JSON decoder", (apiVersion, kind) => {
  const gv = parseGroupVersion(apiVersion) ?? { group: "", version: "" };
  const schema = schemaOf(apiVersion, kind);
  fc.assert(
    fc.property(kindArbitrary({ ...gv, kind }, schema), (object) => {
      const { object: decoded, strictErrors } = decodeInto(schema, object);
      expect(fromUnstructured(schema, object)).toEqual({ object: decoded, unknownFields: strictErrors });
    }),
    { numRuns: 30 },
  );
});
