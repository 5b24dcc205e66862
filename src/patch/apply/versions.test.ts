import { expect, test } from "vitest";
import { builtinTestKind } from "../../../test/arbitraries/owned-object.ts";
import { inVersion, servedKind } from "./versions.ts";

const versions = {
  kindOf: () => undefined,
  convert: (object: object, apiVersion: string) => ({ ...object, apiVersion }),
};

test("an object in a version is not converted", () => {
  const object = { apiVersion: "v1", a: 1 };
  expect(inVersion(versions, object, "v1")).toBe(object);
  expect(inVersion(versions, object, "v2")).toEqual({ apiVersion: "v2", a: 1 });
});

test("a kind is found by its version", () => {
  const { kindOf } = builtinTestKind("v1", "ConfigMap");
  expect(servedKind({ ...versions, kindOf }, "v1")).toBe(kindOf("v1"));
});

test("a kind that is not served is a mistake", () => {
  expect(() => servedKind(versions, "v1")).toThrow("not served in v1");
});
