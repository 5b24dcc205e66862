import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { typedValue } from "../../apimachinery/go/go-value.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { QuantityRecord } from "../../schema/sent-quantities.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { MetadataCheck, Strategy } from "../contract/strategy.ts";
import { invalidObject, validateObject, validateObjectUpdate } from "./validation.ts";

const finding = (field: string) => fieldInvalid(field, 1, "is wrong");
const finalizer = "metadata.finalizers[0]";

/** ConfigMaps with these checks of metadata, whose schema and kind find something if asked to. */
function resourceWith(
  check: MetadataCheck,
  finds: { schema?: boolean; kind?: boolean } = {},
): StoredResource {
  const kind: Partial<Strategy> = {
    metadataChecks: { create: check, update: check },
    ...(finds.kind && {
      validate: (errors) => errors.push(finding("new")),
      validateUpdate: (errors) => errors.push(finding("changed")),
    }),
  };
  const resource = storedConfigMaps(kind);
  const { definition } = resource;
  const validate: KindSchema["validate"] = (_object, old) => [
    finding(old === undefined ? "schema" : "schema again"),
  ];
  if (!finds.schema) return resource;
  // Only `validate` is called.
  return { ...resource, definition: { ...definition, schema: { validate } as KindSchema } };
}

const everywhere = { schema: true, kind: true };

describe("the errors of a new object", () => {
  const wrong = configMap({ name: "A", finalizers: ["unknown"] });
  const path = configMap({ name: "a%b" });
  const labeled = configMap({ name: "a", labels: { "-": "" } });
  const fine = configMap({ name: "a", finalizers: ["example.com/f"] });

  test.each([
    ["of the core group's metadata", "core", {}, wrong, ["metadata.name", finalizer]],
    ["of the library's metadata", "library", {}, wrong, ["metadata.name"]],
    ["of a kind that validates metadata itself", "own", {}, wrong, []],
    ["of every kind, if the kind finds none", "own", {}, path, ["metadata.name"]],
    ["of the labels, if the kind finds none", "own", {}, labeled, ["metadata.labels"]],
    ["of the kind alone", "own", { kind: true }, path, ["new"]],
    [
      "of the metadata, the schema and the kind",
      "core",
      everywhere,
      wrong,
      ["metadata.name", finalizer, "schema", "new"],
    ],
    ["are none", "core", {}, fine, []],
  ] as const)("%s", (_title, check, finds, object, expected) => {
    expect(validateObject(resourceWith(check, finds), object).map(({ field }) => field)).toEqual(expected);
  });
});

test("a name that no path can have is refused, whatever the kind allows", () => {
  const base = storedConfigMaps({ validateName: () => [] });
  const errors = validateObject(base, configMap({ name: "a%b" }));
  expect(errors.map(({ field }) => field)).toEqual(["metadata.name"]);
});

describe("the errors of a change of the uid", () => {
  const object = configMap({ name: "A", uid: "new", resourceVersion: "1", finalizers: ["unknown"] });
  const old = { ...object, metadata: { ...object.metadata, uid: "old" } };

  test.each([
    ["core", {}, ["metadata.uid", "metadata.uid", finalizer]],
    ["library", {}, ["metadata.uid", "metadata.uid"]],
    ["own", {}, ["metadata.uid"]],
    ["own", everywhere, ["metadata.uid", "schema again", "changed"]],
  ] as const)("with the check %s and %j", (check, finds, expected) => {
    const errors = validateObjectUpdate(resourceWith(check, finds), object, old);
    expect(errors.map(({ field }) => field)).toEqual(expected);
  });

  test("come after those of a name that no object can have", () => {
    const named = configMap({ name: "a%b", uid: "new", resourceVersion: "1" });
    const errors = validateObjectUpdate(resourceWith("own"), named, old);
    expect(errors.map(({ field }) => field)).toEqual(["metadata.name", "metadata.name", "metadata.uid"]);
  });
});

test.each([
  ["a", 'ConfigMap "a" is invalid: x: Invalid value: 1: is wrong'],
  [undefined, 'ConfigMap "" is invalid: x: Invalid value: 1: is wrong'],
])("the error of an object with the name %j names its kind", (name, message) => {
  const object = configMap({ ...(name !== undefined && { name }) });
  expect(invalidObject(storedConfigMaps(), object, [finding("x")], object)).toMatchObject({
    code: 422,
    message,
  });
});

test("the error of an object shows its quantities as they were sent", () => {
  const amount = fieldInvalid("data.a", typedValue("resource.Quantity", "1500m"), "is wrong");
  const [canonical, sent] = [
    configMap({ name: "a" }, { a: "1500m" }),
    configMap({ name: "a" }, { a: "1.5" }),
  ];
  const record = new QuantityRecord();
  record.add("1.5");
  record.keepFor(sent);
  const messageFor = (object: KubeObject) =>
    invalidObject(storedConfigMaps(), canonical, [amount], object).message;
  expect(messageFor(canonical)).toContain("resource.int64Amount{value:1500, scale:-3}");
  expect(messageFor(sent)).toContain("resource.int64Amount{value:15, scale:-1}");
});
