import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { encodeCbor } from "../../codec/cbor/cbor.ts";
import type { ApplyType } from "../../codec/media-types/patch-types.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { EndpointFieldManager } from "../contract/field-managers.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { applyMechanism } from "./apply-patch.ts";

/** What a field manager was asked to apply. */
type Applied = readonly [live: string | undefined, config: JsonObject, manager: string, force: string];

const cluster = viewOf({ release: "1.32" });
const live = (name: string): MutableKubeObject => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name },
});

/** Reads a body; the field manager returns an object with the uid of the configuration. */
async function applying(
  body: string | Uint8Array,
  { type = "yaml", fieldValidation = "Warn" as FieldValidation, uid = "" } = {},
) {
  const applied: Applied[] = [];
  const warnings: string[] = [];
  const fields: EndpointFieldManager = {
    update: (_live, object) => object,
    apply: (current, config, manager, force) => {
      applied.push([current?.metadata.name, config, manager, force]);
      return { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "c", uid } };
    },
  };
  const definition = { groupResource: { group: "", resource: "configmaps" } };
  const mechanism = await applyMechanism(
    `application/apply-patch+${type}` as ApplyType, // The tests name only types that exist.
    typeof body === "string" ? new TextEncoder().encode(body) : body,
    {
      // The mechanism reads only these of the request.
      scope: { rest: { definition } } as ResourceScope,
      context: {
        info: { name: "c" },
        warn: (text: string) => warnings.push(text),
      } as unknown as ResourceContext,
      view: cluster,
      fieldValidation,
    },
    { fields, manager: "m", force: "forced" },
  );
  return { mechanism, applied, warnings };
}

/** What an apply to an existing object gives the field manager, or its refusal. */
async function read(body: string | Uint8Array, type?: string): Promise<unknown> {
  const { mechanism, applied } = await applying(body, { ...(type !== undefined && { type }) });
  try {
    await mechanism.patch(live("old"));
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  return applied[0]?.[1];
}

test("the field manager applies the configuration for the manager to the current object, or to none", async () => {
  const { mechanism, applied } = await applying('{"data":{"a":"1"}}');
  expect(await mechanism.patch(live("old"))).toMatchObject({ metadata: { name: "c" } });
  expect(await mechanism.patch(live("new"))).toMatchObject({ metadata: { name: "c" } });
  expect(await mechanism.create?.()).toMatchObject({ metadata: { name: "c" } });
  const config = { data: { a: "1" } };
  expect(applied).toEqual(["old", "new", undefined].map((name) => [name, config, "m", "forced"]));
});

const notMap = (kind: string) =>
  `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;

describe("a body is read as YAML:", () => {
  test.each<[body: string, expected: JsonObject | string]>([
    ['{"data":{"a":"1"}}', { data: { a: "1" } }],
    ["data:\n  a: '1'\n", { data: { a: "1" } }],
    // Go reads integers beyond int64, and other numbers, as floating-point numbers.
    ["big: 12345678901234567890", { big: 12345678901234567000 }],
    ['{"n": 1.0, "m": 1e3}', { n: 1, m: 1000 }],
    ["one: 1.0\ntwo: 2", { one: 1, two: 2 }],
    ["", {}],
    ["null", {}],
    ["[]", notMap("array")],
    ["- a", notMap("array")],
    ["text", notMap("string")],
    ["5", notMap("number")],
    ["true", notMap("bool")],
    [
      "{{{",
      "error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content",
    ],
  ])("%j", async (body, expected) => {
    expect(await read(body)).toEqual(expected);
  });
});

describe("a body is read as CBOR:", () => {
  const notMap = (kind: string) =>
    `error decoding YAML: cbor: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  test.each<[value: JsonValue, expected: JsonObject | string]>([
    [{ data: { a: "1" } }, { data: { a: "1" } }],
    [null, {}],
    [[], notMap("array")],
    ["x", notMap("UTF-8 text string")],
    [0, notMap("positive integer")],
    [5, notMap("positive integer")],
    [-1, notMap("negative integer")],
    [true, notMap("primitives")],
    [1.5, notMap("primitives")],
  ])("%j", async (value, expected) => {
    expect(await read(new Uint8Array(encodeCbor(value)), "cbor")).toEqual(expected);
  });

  test("no bytes", async () => {
    expect(await read(new Uint8Array(), "cbor")).toBe("error decoding YAML: EOF");
  });
});

describe("keys that are set twice", () => {
  const body = "a: 1\na: 2\nb: 1\nb: 2\n";
  const found = ['line 2: key "a" already set in map', 'line 4: key "b" already set in map'];

  test("cause a warning each", async () => {
    const { mechanism, applied, warnings } = await applying(body);
    await mechanism.patch(live("old"));
    expect([applied[0]?.[1], warnings]).toEqual([{ a: 2, b: 2 }, found]);
  });

  test("are ignored on request", async () => {
    const { mechanism, warnings } = await applying(body, { fieldValidation: "Ignore" });
    await mechanism.patch(live("old"));
    expect(warnings).toEqual([]);
  });

  test("are refused on request, after all other checks", async () => {
    const { mechanism, applied, warnings } = await applying(body, { fieldValidation: "Strict" });
    const lines = found.map((line) => `\n  ${line}`).join("");
    expect(() => mechanism.patch(live("old"))).toThrow(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`,
    );
    expect([applied.length, warnings]).toEqual([1, []]);
  });

  test("are all that strict validation refuses", async () => {
    const { mechanism } = await applying("a: 1", { fieldValidation: "Strict" });
    expect(await mechanism.patch(live("old"))).toMatchObject({ metadata: { name: "c" } });
  });
});

describe("a configuration with a uid", () => {
  test("creates no object", async () => {
    const { mechanism } = await applying("{}", { uid: "u" });
    expect(() => mechanism.create?.()).toThrow(
      'Operation cannot be fulfilled on configmaps "c": uid mismatch: the provided object specified uid u, and no existing object was found',
    );
  });

  test("changes an object", async () => {
    const { mechanism } = await applying("{}", { uid: "u" });
    expect(await mechanism.patch(live("old"))).toMatchObject({ metadata: { uid: "u" } });
  });
});
