import { describe, expect, test } from "vitest";
import {
  builtinObject,
  builtinTestKind,
  OwnedObject,
  ownersOf,
} from "../../../test/arbitraries/owned-object.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { allBut } from "./field-filter.ts";
import { type FieldManager, type FieldManagerOptions, fieldManager } from "./field-manager.ts";

const kind = builtinTestKind("v1", "ConfigMap");

function managerWith(changed: Partial<FieldManagerOptions> = {}): FieldManager {
  const options = { tracksCreations: true, ...kind, subresource: "", filter: allBut([]), now: () => 0 };
  return fieldManager({ ...options, ...changed });
}

function configMap(metadata: JsonObject, data?: JsonObject): MutableKubeObject {
  const fields = data === undefined ? {} : { data };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", ...metadata }, ...fields };
}

test("an object without owned fields has no managedFields", () => {
  const applied = managerWith().apply(undefined, configMap({}), "me", "careful");
  expect(Object.keys(applied.metadata)).toEqual(["name"]);
  expect(Object.keys(managerWith().update(undefined, configMap({}), "me").metadata)).toEqual(["name"]);
});

test("an apply that changes nothing does not decode the live object again", () => {
  const config = configMap({}, { a: "1" });
  const live = managerWith().apply(undefined, config, "me", "careful");
  const complete = (): never => {
    throw new DecodeError("broken");
  };
  expect(managerWith({ complete }).apply(live, config, "me", "careful")).toEqual(live);
});

test("the updater of an object that has neither a uid nor managedFields owns what it changes", () => {
  const live = configMap({}, { a: "1" });
  const updated = managerWith().update(live, configMap({}, { a: "1", b: "1" }), "me");
  expect(ownersOf(updated)).toEqual({ "me (Update v1)": [".data.b"] });
});

describe("an object with an item that cannot be identified", () => {
  const pod = builtinTestKind("v1", "Pod", "1.28");
  const spec = { imagePullSecrets: [{}] };
  const problem =
    '.spec.imagePullSecrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)';

  test("is not tracked, and refuses an apply", () => {
    const object = new OwnedObject(pod).write("w", { spec });
    expect(object.entries).toEqual([]);
    expect(() => object.apply("me", {})).toThrow(
      `failed to create manager for existing fields: failed to convert new object (/x; /v1, Kind=Pod) to smd typed: ${problem}`,
    );
  });

  test("refuses an apply if it has been tracked", () => {
    const { live } = new OwnedObject(pod).apply("me", { spec: { nodeName: "n" } });
    const object = new OwnedObject(pod, { live: { ...live, spec }, seconds: 1 });
    expect(() => object.apply("me", { spec: { imagePullSecrets: [{ name: "a" }] } })).toThrow(
      `failed to create typed live object (/x; /v1, Kind=Pod): ${problem}`,
    );
  });
});

test("a configuration with duplicate items is refused", () => {
  const object = builtinObject("v1", "ConfigMap");
  expect(() => object.apply("me", { metadata: { finalizers: ["x.io/f", "x.io/f"] } })).toThrow(
    'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="x.io/f"]',
  );
});

describe("a merged object that cannot be decoded", () => {
  const withError = (error: Error): FieldManager =>
    managerWith({
      complete: () => {
        throw error;
      },
    });

  test("is an error of the server", () => {
    const manager = withError(new DecodeError("bad"));
    expect(() => manager.apply(undefined, configMap({ namespace: "n" }), "me", "careful")).toThrow(
      expect.objectContaining({
        code: 500,
        message:
          "failed to convert new object (n/x; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: bad",
      }),
    );
  });

  test("because of a mistake hides no mistake", () => {
    const error = new Error("broken");
    expect(() => withError(error).apply(undefined, configMap({}), "me", "careful")).toThrow(error);
  });
});
