import { describe, expect, test } from "vitest";
import type { MutableKubeObject, ObjectMeta } from "../../apimachinery/object-meta.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { agreeOnNamespace, checkName } from "./object-names.ts";

function object(metadata: ObjectMeta): MutableKubeObject {
  return { apiVersion: "v1", kind: "X", metadata: { ...metadata } };
}

/** The metadata after the object and a request to `namespace` agree. */
function agreed(metadata: ObjectMeta, namespace: string, namespaced = true): ObjectMeta {
  const made = object(metadata);
  // The function reads no other parts.
  const scope = { resource: { namespaced } } as ResourceScope;
  agreeOnNamespace(made, scope, { info: { namespace } } as ResourceContext);
  return made.metadata;
}

describe("the namespace of an object", () => {
  test("is that of the URL", () => {
    expect(agreed({}, "a")).toEqual({ namespace: "a" });
    expect(agreed({ namespace: "" }, "a")).toEqual({ namespace: "a" });
    expect(agreed({ namespace: "a" }, "a")).toEqual({ namespace: "a" });
  });

  test("cannot be another one", () => {
    const message = "the namespace of the provided object does not match the namespace sent on the request";
    expect(() => agreed({ namespace: "b" }, "a")).toThrow(expect.objectContaining({ code: 400, message }));
  });

  test("is removed from an object that has none", () => {
    expect(agreed({ namespace: "b" }, "", false)).toEqual({});
  });
});

test("the name of an object is that of the URL", () => {
  expect(() => checkName(object({ name: "a" }), "a")).not.toThrow();
  expect(() => checkName(object({ name: "b" }), "a")).toThrow(
    "the name of the object (b) does not match the name on the URL (a)",
  );
  for (const metadata of [{}, { name: "" }]) {
    expect(() => checkName(object(metadata), "a")).toThrow(
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    );
  }
});
