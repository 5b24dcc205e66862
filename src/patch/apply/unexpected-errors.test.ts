import { describe, expect, test } from "vitest";
import { builtinTestKind } from "../../../test/arbitraries/owned-object.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { allBut } from "./field-filter.ts";
import { type FieldManagerOptions, fieldManager, managedFieldsProblem } from "./field-manager.ts";

function broken(): never {
  throw new Error("broken");
}

/** A value that cannot even be read, so that the code which reads it has a mistake. */
const unreadable: JsonObject = Object.defineProperty({}, "a", { get: broken, enumerable: true });
const unreadableEntries: JsonValue = [
  {
    get operation() {
      return broken();
    },
  },
];

const kind = builtinTestKind("v1", "ConfigMap");
const managerWith = (changed: Partial<FieldManagerOptions> = {}) =>
  fieldManager({
    tracksCreations: true,
    ...kind,
    subresource: "",
    filter: allBut([]),
    now: () => 0,
    ...changed,
  });

function configMap(metadata: JsonObject, more: JsonObject = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", ...metadata }, ...more };
}

describe("an error that no client causes is not hidden", () => {
  test("by the check of managedFields", () => {
    expect(() => managedFieldsProblem(unreadableEntries)).toThrow("broken");
  });

  test("by a write, whose errors of values are", () => {
    const sent = configMap({}, { data: unreadable });
    expect(() => managerWith().update(undefined, sent, "me")).toThrow("broken");
    const tracked = managerWith().update(undefined, configMap({}, { data: { b: "c" } }), "me");
    expect(() => managerWith().update(tracked, sent, "me")).toThrow("broken");
  });

  test("by reading the entries of the live object", () => {
    const live = configMap({ uid: "u", managedFields: unreadableEntries });
    expect(() => managerWith().update(live, configMap({}), "me")).toThrow("broken");
    expect(() => managerWith().apply(live, configMap({}), "me", "careful")).toThrow(/^broken$/);
  });

  test("by a live object that cannot be had in the version of the endpoint", () => {
    const live = { ...configMap({ uid: "u" }), apiVersion: "v0" };
    const problem = "the live object cannot be had in v1";
    expect(() => managerWith().apply(live, configMap({}), "me", "careful")).toThrow(problem);
  });

  test("by an apply", () => {
    const config = configMap({}, { data: unreadable });
    expect(() => managerWith().apply(undefined, config, "me", "careful")).toThrow(/^broken$/);
    const unfiltered = managerWith({ filter: broken });
    expect(() => unfiltered.apply(undefined, configMap({}), "me", "careful")).toThrow(/^broken$/);
    const tracked = managerWith().apply(undefined, configMap({}, { data: { a: "1" } }), "me", "careful");
    expect(() => unfiltered.apply(tracked, configMap({}), "me", "careful")).toThrow(/^broken$/);
    const incomplete = managerWith({ complete: broken });
    expect(() => incomplete.apply(undefined, configMap({}), "me", "careful")).toThrow(/^broken$/);
  });
});
