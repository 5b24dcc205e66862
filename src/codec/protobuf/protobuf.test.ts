import { describe, expect, test } from "vitest";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { decodeMessage, decodeProtobuf, encodeList, encodeMessage, encodeProtobuf } from "./protobuf.ts";

const catalog = catalogOf({ release: "1.32" });
const core = { group: "", version: "v1" };
const meta = { group: "meta", version: "v1" };

/** A notation for bytes: numbers are bytes, text is UTF-8, a list is a part after its length. */
type Bytes = readonly (number | string | Bytes)[];

function bytes(parts: Bytes): Uint8Array {
  return Uint8Array.from(parts.flatMap(flat));
}

function flat(part: Bytes[number]): number[] {
  if (typeof part === "number") return [part];
  if (typeof part === "string") return [...new TextEncoder().encode(part)];
  const inner = part.flatMap(flat);
  return [inner.length, ...inner];
}

function structOf(gv: { group: string; version: string }, name: string): StructSchema {
  const schema = catalog.type(gv, name);
  if (schema?.type !== "struct") throw new Error(`no structure ${name}`);
  return schema;
}

const schemaOf = (gvk: GroupVersionKind): StructSchema | undefined => catalog.kind(gvk);

const magic: Bytes = ["k8s", 0];
const trailer: Bytes = [0x1a, 0, 0x22, 0];
/** Metadata with only a name: every field that is not a pointer, list or map is written. */
const named: Bytes = [0x0a, ["web"], 0x12, [], 0x1a, [], 0x22, [], 0x2a, [], 0x32, [], 0x38, 0, 0x42, []];
const namedJson = { name: "web", creationTimestamp: null };

describe("a document", () => {
  const configMap = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: namedJson,
    data: { a: "1", b: "" },
  };
  const document = bytes([
    ...magic,
    ...[0x0a, [0x0a, ["v1"], 0x12, ["ConfigMap"]]],
    ...[0x12, [0x0a, named, 0x12, [0x0a, ["a"], 0x12, ["1"]], 0x12, [0x0a, ["b"], 0x12, []]]],
    ...trailer,
  ]);

  test("has a magic number, its type, the object and two empty fields", () => {
    expect(encodeProtobuf(structOf(core, "ConfigMap"), configMap)).toStrictEqual(Buffer.from(document));
  });

  test("is decoded to the object and its kind", () => {
    const decoded = decodeProtobuf(document, schemaOf);
    expect(decoded).toEqual({ gvk: { ...core, kind: "ConfigMap" }, object: configMap });
    expect(Object.keys(decoded.object)).toEqual(["kind", "apiVersion", "metadata", "data"]);
  });

  test("without kind and version gets those of the endpoint", () => {
    const unnamed = bytes([...magic, 0x12, [0x0a, named], ...trailer]);
    const { gvk, object } = decodeProtobuf(unnamed, schemaOf, { ...core, kind: "ConfigMap" });
    expect(gvk).toEqual({ ...core, kind: "ConfigMap" });
    expect(object).toEqual({ kind: "ConfigMap", apiVersion: "v1", metadata: namedJson });
  });

  test("of a watch event has no type", () => {
    const event = { type: "ADDED", object: { a: 1 } };
    const schema = structOf(meta, "WatchEvent");
    const expected = [0x0a, ["ADDED"], 0x12, [0x0a, ['{"a":1}']]];
    expect([...encodeProtobuf(schema, event)]).toEqual([
      ...bytes([...magic, 0x0a, [0x0a, [], 0x12, []], 0x12, expected, ...trailer]),
    ]);
  });
});

describe("a list", () => {
  const item = { kind: "ConfigMap", apiVersion: "v1", metadata: namedJson };
  const document = encodeProtobuf(structOf(core, "ConfigMap"), item);
  const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "7" } };
  const bare = { metadata: namedJson };

  test.each([
    ["no items", 0],
    ["three items", 3],
    ["enough items for a length of three bytes", 1_000],
  ])("of %s has the same bytes from encoded items as from objects", (_title, count) => {
    const schema = structOf(core, "ConfigMapList");
    const pieces = encodeList(schema, list, Array<Uint8Array>(count).fill(document));
    const whole = encodeProtobuf(schema, { ...list, items: Array<JsonObject>(count).fill(bare) });
    expect(Buffer.concat(pieces)).toStrictEqual(Buffer.from(whole));
  });

  test("of meta.k8s.io/v1beta1 has its items before the metadata", () => {
    const schema = structOf({ group: "meta", version: "v1beta1" }, "PartialObjectMetadataList");
    const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1beta1", metadata: namedJson };
    const head = { ...list, kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1beta1" };
    const pieces = encodeList(schema, head, [
      encodeProtobuf(structOf(meta, "PartialObjectMetadata"), partial),
    ]);
    const whole = encodeProtobuf(schema, { ...head, items: [bare] });
    expect(Buffer.concat(pieces)).toStrictEqual(Buffer.from(whole));
  });
});

const portHead: Bytes = [0x0a, [], 0x12, [], 0x18, 0];

describe.each<[title: string, schema: StructSchema, json: JsonObject, written: Bytes]>([
  [
    "unset numbers are zeros",
    structOf({ group: "apps", version: "v1" }, "DeploymentStatus"),
    {},
    [8, 0, 0x10, 0, 0x18, 0, 0x20, 0, 0x28, 0, 0x38, 0],
  ],
  [
    "an explicit zero in a pointer field is kept",
    structOf(core, "KeyToPath"),
    { key: "k", path: "p", mode: 0 },
    [0x0a, ["k"], 0x12, ["p"], 0x18, 0],
  ],
  [
    "a negative int32 takes ten bytes",
    structOf(core, "KeyToPath"),
    { key: "", path: "", mode: -1 },
    [0x0a, [], 0x12, [], 0x18, ...Array<number>(9).fill(0xff), 1],
  ],
  [
    "an int64 beyond 2^53 is exact",
    structOf(meta, "ListMeta"),
    { remainingItemCount: 2n ** 62n + 1n },
    [0x0a, [], 0x12, [], 0x1a, [], 0x20, 0x81, ...Array<number>(7).fill(0x80), 0x40],
  ],
  [
    "the smallest int64 is exact",
    structOf(meta, "ListMeta"),
    { remainingItemCount: -(2n ** 63n) },
    [0x0a, [], 0x12, [], 0x1a, [], 0x20, ...Array<number>(9).fill(0x80), 1],
  ],
  [
    "a time is its seconds",
    structOf(meta, "ManagedFieldsEntry"),
    { time: "1970-01-01T00:02:08Z" },
    [0x0a, [], 0x12, [], 0x1a, [], 0x22, [8, 0x80, 1, 0x10, 0], 0x32, [], 0x42, []],
  ],
  [
    "a time with microseconds has nanoseconds",
    structOf({ group: "coordination.k8s.io", version: "v1" }, "LeaseSpec"),
    { renewTime: "1970-01-01T00:00:01.000002Z" },
    [0x22, [8, 1, 0x10, 0xd0, 0x0f]],
  ],
  [
    "a port may be a number",
    structOf(core, "ServicePort"),
    { port: 0, targetPort: 80 },
    [...portHead, 0x22, [8, 0, 0x10, 80, 0x1a, []], 0x28, 0],
  ],
  [
    "a port may be a name",
    structOf(core, "ServicePort"),
    { port: 0, targetPort: "http" },
    [...portHead, 0x22, [8, 1, 0x10, 0, 0x1a, ["http"]], 0x28, 0],
  ],
  [
    "map keys are sorted by their bytes",
    structOf(core, "ResourceQuotaSpec"),
    { hard: { "\ufffd": "1", "\u{10000}": "2", z: "3" } },
    [
      0x0a,
      [0x0a, ["z"], 0x12, [0x0a, ["3"]]],
      0x0a,
      [0x0a, ["\ufffd"], 0x12, [0x0a, ["1"]]],
      0x0a,
      [0x0a, ["\u{10000}"], 0x12, [0x0a, ["2"]]],
    ],
  ],
  [
    "bytes are base64 in JSON",
    structOf(core, "ConfigMap"),
    { metadata: namedJson, binaryData: { a: "AQID" } },
    [0x0a, named, 0x1a, [0x0a, ["a"], 0x12, [1, 2, 3]]],
  ],
  [
    "a named list type is a message",
    structOf({ group: "authentication.k8s.io", version: "v1" }, "UserInfo"),
    { extra: { a: ["x", "y"], b: [] } },
    [
      0x0a,
      [],
      0x12,
      [],
      0x22,
      [0x0a, ["a"], 0x12, [0x0a, ["x"], 0x0a, ["y"]]],
      0x22,
      [0x0a, ["b"], 0x12, []],
    ],
  ],
  [
    "an inlined structure is a message",
    structOf(core, "SecretKeySelector"),
    { name: "n", key: "k" },
    [0x0a, [0x0a, ["n"]], 0x12, ["k"]],
  ],
  [
    "raw JSON is text",
    structOf({ group: "apps", version: "v1" }, "ControllerRevision"),
    { metadata: namedJson, data: { b: 1, a: 2n ** 60n }, revision: 1 },
    [0x0a, named, 0x12, [0x0a, ['{"b":1,"a":1152921504606846976}']], 0x18, 1],
  ],
])("%s", (_title, schema, json, written) => {
  test("in protobuf", () => {
    expect([...encodeMessage(schema, json)]).toEqual([...bytes(written)]);
  });

  test("and back in JSON", () => {
    expect(decodeMessage(schema, bytes(written), schemaOf)).toEqual(json);
  });
});

describe("a value with two alternatives", () => {
  const schema = structOf({ group: "apiextensions.k8s.io", version: "v1" }, "JSONSchemaProps");
  test.each<[title: string, json: JsonObject]>([
    ["a schema instead of a boolean", { additionalProperties: { type: "string" } }],
    ["true instead of a schema", { additionalProperties: true }],
    ["false instead of a schema", { additionalProperties: false }],
    ["one schema for all items", { items: { type: "string" } }],
    ["a schema for each item", { items: [{ type: "string" }, {}] }],
    ["names or a schema", { dependencies: { a: ["b"], c: { type: "string" } } }],
    ["any value", { default: [null, 1.5], enum: [null, { a: "b" }] }],
  ])("is %s", (_title, json) => {
    expect(decodeMessage(schema, encodeMessage(schema, json), schemaOf)).toEqual(json);
  });

  test("sets the boolean for a schema, too", () => {
    const written = encodeMessage(schema, { additionalProperties: { type: "x" } });
    expect(Buffer.from(written).includes(Buffer.from(bytes([0x08, 1, 0x12])))).toBe(true);
  });
});

describe("input from other encoders", () => {
  const status = structOf({ group: "apps", version: "v1" }, "DeploymentStatus");
  test.each<[title: string, schema: StructSchema, sent: Bytes, json: JsonValue]>([
    [
      "unknown fields",
      status,
      [0x98, 6, 1, 0x9a, 6, ["x"], 0x9d, 6, 1, 2, 3, 4, 0x99, 6, 1, 2, 3, 4, 5, 6, 7, 8, 8, 3],
      { observedGeneration: 3 },
    ],
    ["a group in a group", status, [0x9b, 6, 0x0b, 0x08, 9, 0x0c, 0x9c, 6, 8, 3], { observedGeneration: 3 }],
    ["fields in any order, the last one counts", status, [0x10, 1, 8, 5, 8, 0, 0x10, 2], { replicas: 2 }],
    [
      "unpacked numbers",
      structOf(core, "PodSecurityContext"),
      [0x20, 1, 0x20, 2],
      { supplementalGroups: [1, 2] },
    ],
    [
      "packed numbers",
      structOf(core, "PodSecurityContext"),
      [0x22, [1, 0x80, 1, 2]],
      { supplementalGroups: [1, 128, 2] },
    ],
    [
      "a message in two parts",
      structOf(core, "ConfigMap"),
      [0x0a, [0x0a, ["a"], 0x5a, [0x0a, ["k"]]], 0x0a, [0x12, ["b"], 0x5a, [0x0a, ["l"], 0x12, ["v"]]]],
      { metadata: { name: "a", generateName: "b", creationTimestamp: null, labels: { k: "", l: "v" } } },
    ],
    [
      "a map entry without key",
      structOf(core, "ConfigMap"),
      [0x0a, named, 0x12, [0x12, ["v"]]],
      { metadata: namedJson, data: { "": "v" } },
    ],
    [
      "an empty map entry",
      structOf(core, "ConfigMap"),
      [0x0a, named, 0x1a, [0x0a, ["k"]]],
      { metadata: namedJson, binaryData: { k: "" } },
    ],
    [
      "__proto__ as a map key",
      structOf(core, "ConfigMap"),
      [0x0a, named, 0x12, [0x0a, ["__proto__"], 0x12, ["v"]]],
      { metadata: namedJson, data: JSON.parse('{"__proto__":"v"}') as JsonValue },
    ],
    [
      "text that is not UTF-8",
      structOf(meta, "ListMeta"),
      [0x12, ["a", 0xff, 0xe2, 0x82, "b"]],
      { resourceVersion: "a\ufffd\ufffd\ufffdb" },
    ],
    [
      "a quantity in non-canonical form",
      structOf(core, "ResourceQuotaSpec"),
      [0x0a, [0x0a, ["cpu"], 0x12, [0x0a, ["0.5"]]]],
      { hard: { cpu: "500m" } },
    ],
    [
      "the year 1, which is Go's zero time",
      structOf(meta, "ManagedFieldsEntry"),
      [0x22, [8, 0x80, 0x92, 0xb8, 0xc3, 0x98, 0xfe, 0xff, 0xff, 0xff, 1, 0x10, 0]],
      {},
    ],
    [
      "a time with nanoseconds",
      structOf(meta, "ManagedFieldsEntry"),
      [0x22, [8, 1, 0x10, 5]],
      { time: "1970-01-01T00:00:01Z" },
    ],
    [
      "an embedded object as a document",
      structOf({ group: "apps", version: "v1" }, "ControllerRevision"),
      [
        0x0a,
        named,
        0x12,
        [0x0a, [...magic, 0x0a, [0x0a, ["v1"], 0x12, ["ConfigMap"]], 0x12, [0x0a, named]]],
        0x18,
        1,
      ],
      {
        metadata: namedJson,
        data: { kind: "ConfigMap", apiVersion: "v1", metadata: namedJson },
        revision: 1,
      },
    ],
  ])("%s", (_title, schema, sent, json) => {
    expect(decodeMessage(schema, bytes(sent), schemaOf)).toEqual(json);
  });
});

describe("invalid input", () => {
  const pod = (message: Bytes): Bytes => [
    ...magic,
    0x0a,
    [0x0a, ["v1"], 0x12, ["Pod"]],
    0x12,
    message,
    ...trailer,
  ];
  test.each<[title: string, sent: Bytes, message: string]>([
    ["nothing", [], "empty data"],
    [
      "JSON",
      ["{}"],
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    ],
    ["the magic number alone", magic, "empty body"],
    [
      "no kind",
      [...magic, 0x0a, [0x0a, ["v1"]]],
      `Object 'Kind' is missing in 'runtime.TypeMeta{APIVersion:"v1", Kind:""}'`,
    ],
    [
      "no version",
      [...magic, 0x0a, [0x12, ["Pod"]]],
      `Object 'apiVersion' is missing in 'runtime.TypeMeta{APIVersion:"", Kind:"Pod"}'`,
    ],
    [
      "an unknown kind",
      [...magic, 0x0a, [0x0a, ["a.io/v1"], 0x12, ["Foo"]]],
      'no kind "Foo" is registered for version "a.io/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    ["a length beyond the end", [...magic, 0x0a, 9], "unexpected EOF"],
    ["text beyond the end of its message", pod([0x0a, [0x0a, 5, "a"]]), "unexpected EOF"],
    ["an endless number", pod([0x0a, [0x38, ...Array<number>(11).fill(0xff)]]), "proto: integer overflow"],
    ["a number instead of text", pod([0x0a, [0x08, 1]]), "proto: wrong wireType = 0 for field Name"],
    [
      "text instead of a number",
      pod([0x0a, [0x3a, ["x"]]]),
      "proto: wrong wireType = 2 for field Generation",
    ],
    ["a number instead of metadata", pod([0x08, 1]), "proto: wrong wireType = 0 for field ObjectMeta"],
    ["the field 0", pod([0x02, []]), "proto: Pod: illegal tag 0 (wire type 2)"],
    ["an end of group without a start", pod([0x0c]), "proto: Pod: wiretype end group for non-group"],
    ["an unterminated group", pod([0x9b, 6]), "unexpected EOF"],
    ["an invalid wire type", pod([0x9e, 6]), "proto: illegal wireType 6"],
    [
      "an invalid quantity",
      pod([0x12, [0x12, [0x42, [0x0a, [0x0a, ["cpu"], 0x12, [0x0a, ["x"]]]]]]]),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      "a year beyond RFC 3339",
      pod([0x0a, [0x42, [8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]]]),
      "year outside of range [0,9999]",
    ],
  ])("%s", (_title, sent, message) => {
    expect(() => decodeProtobuf(bytes(sent), schemaOf)).toThrow(message);
  });

  test("causes an error with the kind that it states", () => {
    const claim = { gvk: { ...core, kind: "Pod" } };
    expect(() => decodeProtobuf(bytes(pod([0x0a, 9])), schemaOf)).toThrow(expect.objectContaining(claim));
  });
});
