import { describe, expect, test } from "vitest";
import { parseGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import type { StructSchema } from "../catalog/type-schema.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { PatchError, type PatchErrorKind } from "./patch-error.ts";
import { applyStrategicMergePatch, parseStrategicMergePatch } from "./strategic-merge-patch.ts";

const catalog = catalogOf({ release: "1.32" });

function schemaOf(apiVersion: string, kind: string): StructSchema {
  const gv = parseGroupVersion(apiVersion);
  const schema = gv && catalog.kind({ ...gv, kind });
  if (schema === undefined) throw new Error(`no ${kind} in ${apiVersion}`);
  return schema;
}

const pod = schemaOf("v1", "Pod");
const controllerRevision = schemaOf("apps/v1", "ControllerRevision");
const csr = schemaOf("certificates.k8s.io/v1", "CertificateSigningRequest");

function merged(document: JsonObject, patch: JsonObject, schema: StructSchema): JsonObject {
  return applyStrategicMergePatch(deepFreeze(document), deepFreeze(patch), schema).document;
}

/** Elements of a list of containers: the name, and an image after a colon. */
function containers(...texts: string[]): JsonValue[] {
  return texts.map((text) => {
    const [name = "", image] = text.split(":");
    return image === undefined ? { name } : { name, image };
  });
}

function podOf(list: JsonValue, extra: JsonObject = {}): JsonObject {
  return { spec: { containers: list, ...extra } };
}

describe("a patch is refused", () => {
  const live = podOf(containers("a"), { nodeSelector: { a: "b" }, tolerations: [{ key: "k" }] });
  const spec = (fields: JsonObject): JsonObject => ({ spec: fields });

  test.each<[title: string, patch: JsonObject, kind: PatchErrorKind, message: string]>([
    [
      "without a merge key",
      podOf([{ image: "k" }]),
      "internal",
      "map: map[image:k] does not contain declared merge key: name",
    ],
    [
      "with a deletion without a merge key",
      podOf([{ $patch: "delete" }]),
      "internal",
      "map: map[$patch:delete] does not contain declared merge key: name",
    ],
    [
      "with an unknown directive",
      spec({ nodeSelector: { $patch: "zork" } }),
      "internal",
      "unknown patch type: zork in map: map[$patch:zork]",
    ],
    [
      "with a directive that is not a string",
      spec({ nodeSelector: { $patch: 1 } }),
      "internal",
      "unknown patch type: %!s(int64=1) in map: map[$patch:1]",
    ],
    [
      "with $patch: merge in an object",
      spec({ nodeSelector: { $patch: "merge", a: null } }),
      "internal",
      "unknown patch type: merge in map: map[$patch:merge a:<nil>]",
    ],
    [
      "with $patch: merge in a list",
      podOf([{ name: "a", $patch: "merge" }]),
      "internal",
      "merging lists cannot yet be specified in the patch",
    ],
    [
      "with an unknown directive in a list",
      podOf([{ name: "a", $patch: "zork" }]),
      "internal",
      "unknown patch type: zork in map: map[$patch:zork name:a]",
    ],
    [
      "with $retainKeys that lists an object",
      spec({ nodeSelector: { $retainKeys: [{}] } }),
      "internal",
      "This request caused apiserver to panic. Look in the logs for details.",
    ],
    [
      "with an order of a list that only the patch has and that has no objects",
      spec({ hostAliases: [null], "$setElementOrder/hostAliases": [] }),
      "internal",
      "expected a map[string]interface {}, but received a %!s(<nil>)",
    ],
    [
      "with $retainKeys that is not a list",
      spec({ nodeSelector: { $retainKeys: "a" } }),
      "badRequest",
      "invalid patch format of retainKeys",
    ],
    [
      "with a member that is not retained",
      spec({ nodeSelector: { $retainKeys: ["a"], c: "d" } }),
      "badRequest",
      "invalid patch format of retainKeys",
    ],
    [
      "with a deletion without a field",
      spec({ $deleteFromPrimitiveListx: [] }),
      "badRequest",
      "invalid patch format of primitive list",
    ],
    [
      "with an order without a field",
      spec({ $setElementOrderx: [] }),
      "badRequest",
      "invalid patch format of setElementOrder list",
    ],
    [
      "with an order that is not a list",
      spec({ "$setElementOrder/containers": {} }),
      "internal",
      "expected a []interface {}, but received a map[string]interface {}",
    ],
    [
      "with an order of an unknown field",
      spec({ "$setElementOrder/zork": [] }),
      "internal",
      `unable to find api field in struct PodSpec for the json field "zork"`,
    ],
    [
      "with an order of a field that is not a list",
      spec({ "$setElementOrder/hostNetwork": [] }),
      "internal",
      "expected slice or array type, but got: struct",
    ],
    [
      "with an order of a null list",
      spec({ "$setElementOrder/containers": [], containers: null }),
      "internal",
      "expected a []interface {}, but received a %!s(<nil>)",
    ],
    [
      "with an element that the order lacks",
      { spec: { "$setElementOrder/containers": [{ name: "b" }], containers: [{ name: "a", image: "j2" }] } },
      "internal",
      "The order in patch list:\n[map[image:j2 name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
    ],
    [
      "with an order of elements without a key",
      spec({ "$setElementOrder/containers": [{ x: 1 }] }),
      "internal",
      "map: map[x:1] does not contain declared merge key: name",
    ],
    [
      "with scalars instead of objects",
      podOf(["x"]),
      "internal",
      "list element types are not identical: [[map[name:a]] [x]]",
    ],
    [
      "with a list of lists",
      { metadata: { finalizers: [["x"]] } },
      "unprocessable",
      "lists of lists are not supported",
    ],
    [
      "with a null element",
      { metadata: { finalizers: [null] } },
      "internal",
      "This request caused apiserver to panic. Look in the logs for details.",
    ],
    [
      "with an order of values that are not objects",
      { spec: { "$setElementOrder/containers": ["a"], containers: [{ name: "a" }] } },
      "internal",
      "expected a map[string]interface {}, but received a string",
    ],
    [
      "with an order of scalars for unchanged objects",
      spec({ "$setElementOrder/containers": ["a"] }),
      "internal",
      "value for key 0 is not a map",
    ],
    [
      "with an order of scalars after the matching object",
      spec({ "$setElementOrder/containers": [{ name: "a" }, 1] }),
      "internal",
      "expected a map[string]interface {}, but received a int64",
    ],
    [
      "with an order of an empty list",
      { metadata: { "$setElementOrder/finalizers": ["a"] } },
      "internal",
      "no elements in any of the given slices",
    ],
    [
      "with an order of objects for scalars",
      { metadata: { "$setElementOrder/finalizers": [{}], finalizers: [{}] } },
      "internal",
      "This request caused apiserver to panic. Look in the logs for details.",
    ],
    [
      "with an order of objects for unchanged scalars",
      { metadata: { "$setElementOrder/finalizers": [{}] } },
      "internal",
      "This request caused apiserver to panic. Look in the logs for details.",
    ],
    [
      "with a deletion of objects from a list without a merge key",
      spec({ "$deleteFromPrimitiveList/tolerations": [{ key: "k" }] }),
      "internal",
      "cannot merge lists without merge key for struct",
    ],
    [
      "with an order of lists of bytes",
      spec({ "$setElementOrder/hostAliases": [["x"]], hostAliases: [{ ip: "::1" }] }),
      "internal",
      "expected a map[string]interface {}, but received a []interface {}",
    ],
  ])("%s", (_title, patch, kind, message) => {
    const document = { ...live, metadata: { finalizers: [] } };
    expect(() => merged(document, patch, pod)).toThrow(expect.objectContaining({ kind, message }));
  });

  test("for an object with unknown fields", () => {
    const revision = (data: JsonObject): JsonObject => ({ data: { spec: data } });
    const problem = `unable to find api field in struct RawExtension for the json field "spec"`;
    expect(() => merged(revision({ a: 1 }), revision({ b: 1 }), controllerRevision)).toThrow(
      new PatchError("internal", problem),
    );
  });

  test("for a list in a map", () => {
    const extra = (list: JsonValue): JsonObject => ({ spec: { extra: { k: list } } });
    expect(() => merged(extra(["a"]), extra(["b"]), csr)).toThrow(
      new PatchError("internal", "merging an object in json but data type is not struct, instead is: map"),
    );
  });
});

describe("parsing a strategic merge patch", () => {
  test.each([
    ["[]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["5", "json: cannot unmarshal number into Go value of type map[string]interface {}"],
    ["zz", "invalid character 'z' looking for beginning of value"],
    ["", "unexpected end of JSON input"],
  ])("%j is refused", (body, message) => {
    expect(() => parseStrategicMergePatch(body, "Warn")).toThrow(new PatchError("badRequest", message));
  });

  test("null changes nothing", () => {
    expect(parseStrategicMergePatch("null", "Warn")).toEqual({ patch: {}, strictErrors: [] });
  });

  test("the last of repeated keys counts, and repeated keys are reported", () => {
    const body = `{"spec":{"replicas":2,"replicas":3}}`;
    const patch = { spec: { replicas: 3 } };
    const strictErrors = [`duplicate field "spec.replicas"`];
    expect(parseStrategicMergePatch(body, "Strict")).toEqual({ patch, strictErrors });
    expect(parseStrategicMergePatch(body, "Ignore")).toEqual({ patch, strictErrors: [] });
  });
});
