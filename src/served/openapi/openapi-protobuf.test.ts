import { readFileSync } from "node:fs";
import { Reader } from "protobufjs/minimal.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { viewOf } from "../../../test/api-view.ts";
import { isJsonObject, type JsonValue, type MutableJsonObject } from "../../apimachinery/json.ts";
import { everyApi } from "../../catalog/every-api.ts";
import { openApiDocuments } from "./openapi-documents.ts";
import { encodeOpenApiV2Protobuf, encodeOpenApiV3Protobuf } from "./openapi-protobuf.ts";

type Fields = { readonly [number: string]: string | boolean };
type Messages = { readonly [message: string]: Fields };

/** The field numbers of gnostic's `.proto` files. */
const gnostic: { readonly v2: Messages; readonly v3: Messages } = JSON.parse(
  readFileSync(new URL("../../../test/conformance/data/gnostic-messages.json", import.meta.url), "utf8"),
);

describe.each(["1.16", "1.27", "1.32"])("read by gnostic's field numbers, in %s", (release) => {
  const view = viewOf({ release, runtimeConfig: everyApi });

  test("v2 is the document", () => {
    const document = openApiDocuments(view).v2();
    expect(decode(gnostic.v2, encodeOpenApiV2Protobuf(document))).toEqual(document);
  });

  test("every document of v3 is the document", () => {
    for (const path of openApiDocuments(view).v3Paths) {
      const document = openApiDocuments(view).v3(path) ?? {};
      const decoded = decode(gnostic.v3, encodeOpenApiV3Protobuf(document));
      expect(decoded, path).toEqual(document);
    }
  });
});

test("fields that only custom resources have are kept", () => {
  const schema = {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 10.5, exclusiveMaximum: true, multipleOf: 2 },
      name: { type: "string", pattern: "^a+$", minLength: 1, maxLength: 63, enum: ["a", "true", ""] },
      any: {
        "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-validations": [{ rule: "self != ''" }],
      },
      list: { type: "array", items: { type: "string" }, maxItems: 3, uniqueItems: true },
      open: { type: "object", additionalProperties: true },
      closed: { type: "object", additionalProperties: false, minProperties: 1 },
    },
  };
  const v2 = { swagger: "2.0", definitions: { Thing: schema } };
  expect(decode(gnostic.v2, encodeOpenApiV2Protobuf(v2))).toEqual(v2);
  const either = { anyOf: [{ type: "integer" }, { type: "string" }], not: { nullable: true } };
  const defaults = { properties: { a: { default: 0 }, b: { default: false }, c: { default: "" } } };
  const v3 = {
    openapi: "3.0.0",
    components: { schemas: { Thing: schema, Either: either, Defaults: defaults } },
  };
  expect(decode(gnostic.v3, encodeOpenApiV3Protobuf(v3))).toEqual(v3);
});

test("a path begins like that of the recorded server", () => {
  const lines = readFileSync(
    new URL("../../../test/conformance/golden/discovery.jsonl", import.meta.url),
    "utf8",
  );
  const recorded = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ res }) => res.headers["Content-Type"]?.endsWith("+protobuf"));
  expect(recorded.length).toBe(4);
  const view = viewOf({ release: "1.32" });
  for (const { req, res } of recorded) {
    const path = req.path.slice("/openapi/v3/".length);
    const bytes = req.path.startsWith("/openapi/v2")
      ? encodeOpenApiV2Protobuf(openApiDocuments(view).v2())
      : encodeOpenApiV3Protobuf(openApiDocuments(view).v3(path) ?? {});
    // The version before the first path differs, and so do the lengths after it, which count our own descriptions.
    const recordedPath = fromFirstPath(res.body.truncated).slice(0, 880);
    expect(fromFirstPath(hex(bytes)).slice(0, recordedPath.length), req.path).toBe(recordedPath);
  }
});

function fromFirstPath(text: string): string {
  const slash = /2f(?:2e77656c6c|617069)/.exec(text);
  return text.slice(slash?.index);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 1000), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decode(messages: Messages, bytes: Uint8Array): JsonValue {
  const reader = Reader.create(bytes);
  return decodeMessage(messages, "Document", reader, reader.len);
}

function decodeMessage(messages: Messages, name: string, reader: Reader, end: number): JsonValue {
  const fields = messages[name] ?? {};
  const found: MutableJsonObject = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    const [field = "", type = ""] = String(fields[String(tag >>> 3)]).split(" ");
    const repeated = type.endsWith("[]");
    const value = decodeValue(messages, type.replace("[]", ""), reader);
    const list = (found[field] ?? []) as JsonValue[];
    found[field] = repeated ? [...list, value] : value;
    if (repeated) {
      list.push(value);
      found[field] = list;
    }
  }
  return shapeOf(name, fields, found);
}

function decodeValue(messages: Messages, type: string, reader: Reader): JsonValue {
  if (type === "string") return reader.string();
  if (type === "bool") return reader.bool();
  if (type === "double") return reader.double();
  if (type === "int64") return reader.uint32();
  const length = reader.uint32();
  return decodeMessage(messages, type, reader, reader.pos + length);
}

/** The message in the form of the document. */
function shapeOf(name: string, fields: Fields, found: MutableJsonObject): JsonValue {
  if (name === "Any") return parse(String(found.yaml), { version: "1.1" });
  if (fields.oneof === true) return Object.values(found)[0] ?? {};
  if (name.startsWith("Named")) return found;
  if (name === "TypeItem" || name === "ItemsItem")
    return ((found.value ?? Object.values(found)[0]) as JsonValue[])[0] ?? null;
  if (name === "StringArray") return found.value ?? [];
  const shaped: MutableJsonObject = {};
  for (const [key, value] of Object.entries(found)) {
    if (isEntries(value)) for (const entry of value) shaped[String(entry.name)] = entry.value ?? {};
    else shaped[camelCase(key)] = value;
  }
  return shaped;
}

function isEntries(value: JsonValue): value is readonly { name: JsonValue; value: JsonValue }[] {
  return (
    Array.isArray(value) && value.every((item) => isJsonObject(item) && "name" in item && "value" in item)
  );
}

function camelCase(field: string): string {
  if (field === "_ref") return "$ref";
  return field.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
