import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { catalogFiles as packedFiles, packFields } from "../../tools/packers/catalog.mjs";
import { catalogFiles } from "./catalog-files.ts";
import { unpackFields } from "./packed-fields.ts";

const directory = fileURLToPath(new URL("generated", import.meta.url));
const names = packedFiles(directory);
const keyOf = (name: string) => name.replace(/_(v\w+)\.json$/, "/$1");

test("the packed catalog has every file under its group and version, those of groups with common types beside each other", () => {
  const keys = catalogFiles.keys();
  expect(keys.toSorted()).toEqual(names.map(keyOf).sort());
  expect(keys.slice(0, 3)).toEqual(["core/v1", "extensions/v1beta1", "apps/v1"]);
});

test("the packed catalog has nothing that no request contains", () => {
  const left = readdirSync(directory).filter((name) => name.endsWith(".json") && !names.includes(name));
  expect(left.sort()).toEqual([
    "apimachinery.json",
    "apiserver.config.k8s.io_v1.json",
    "apiserver.config.k8s.io_v1alpha1.json",
    "apiserver.config.k8s.io_v1beta1.json",
    "audit.k8s.io_v1.json",
    "audit.k8s.io_v1alpha1.json",
    "audit.k8s.io_v1beta1.json",
    "client.authentication.k8s.io_v1.json",
    "client.authentication.k8s.io_v1alpha1.json",
    "client.authentication.k8s.io_v1beta1.json",
    "kinds-1.32.json",
  ]);
});

test.each(names)("the fields of %s are unpacked as they were packed, in the same order", (name) => {
  const { types, ...rest } = JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  const packed = catalogFiles.file(keyOf(name));
  const unpacked = Object.entries(packed?.types ?? {}).map(([type, { fields, ...others }]) => {
    return [type, others, [...unpackFields(fields)]];
  });
  const given = Object.entries<{ fields?: object }>(types).map(([type, { fields = {}, ...others }]) => {
    return [type, others, Object.entries(fields)];
  });
  expect({ ...packed, types: unpacked }).toEqual({ ...rest, types: given });
});

describe("packed fields", () => {
  test.each([
    ["no fields", {}, ""],
    [
      "numbers in sequence",
      { a: { type: "string", proto: 1 }, b: { type: "bool", proto: 2 } },
      "a:string b:bool",
    ],
    ["a gap", { a: { type: "string", proto: 1 }, b: { type: "bool", proto: 4 } }, "a:string b:bool#4"],
    ["no number", { a: { type: "string" }, b: { type: "bool", proto: 1 } }, "a:string# b:bool"],
    [
      "every flag",
      {
        a: { type: "string", proto: 1, required: true, ptr: true, emit: true, inline: true, list: "atomic" },
      },
      "a:string!*+^@",
    ],
    ["a flag that is false", { a: { type: "string", proto: 1, ptr: false } }, "a:string{'ptr':false}"],
    ["another list type", { a: { type: "[]b", proto: 1, list: "set" } }, "a:[]b{'list':'set'}"],
    [
      "texts with spaces and quotes",
      { a: { type: "string", proto: 1, default: `it's "one two"` } },
      "a:string{'default':'it\\u0027s\\u0020\\'one\\u0020two\\''}",
    ],
  ])("with %s read back as they were", (_title, fields, packed) => {
    expect(packFields(fields)).toBe(packed);
    expect([...unpackFields(packed)]).toEqual(Object.entries(fields));
  });
});
