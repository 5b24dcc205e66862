import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { BatchConversion, OwnConversion } from "../../registry/contract/own-conversion.ts";
import type { StorageCodec } from "../../registry/contract/storage-codec.ts";
import {
  conversionBetween,
  conversionOfCodec,
  convertMetadata,
  convertObject,
  convertObjectToStored,
  type KindVersion,
} from "./conversion.ts";

const view = viewOf({ release: "1.32" });
const gvk = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };
const stored = versionOf(gvk);
const shown = versionOf({ ...gvk, version: "v1" });
const none = () => undefined;

function versionOf(gvk: GroupVersionKind): KindVersion {
  const schema = view.kind(gvk);
  if (schema === undefined) throw new Error(`1.32 has no ${gvk.kind}`);
  return { gvk, schema };
}

/** An autoscaler in a version; the target is known in v1 alone, and the metrics in v2 alone. */
const scaler = (version: string, more: object = {}): MutableKubeObject => ({
  kind: gvk.kind,
  apiVersion: `autoscaling/${version}`,
  metadata: { name: "a" },
  spec: { maxReplicas: 3, ...more },
});

describe("the conversion between a version and itself", () => {
  const conversion = conversionBetween(stored, versionOf({ ...gvk }), () => {
    throw new Error("nothing is converted");
  });

  test("leaves objects as they are", async () => {
    const object = scaler("v2");
    const objects = [object];
    expect([conversion.isIdentity, conversion.showsMetadata()]).toEqual([true, false]);
    for (const same of [conversion.convert(objects), conversion.convertToStored(objects)])
      expect(same).toBe(objects);
    expect(convertObject(conversion, object)).toBe(object);
    expect(convertObjectToStored(conversion, object)).toBe(object);
    expect(convertMetadata(conversion, objects)).toBe(objects);
  });
});

test.each([
  ["version", { version: "v1" }],
  ["group", { group: "other" }],
  ["kind", { kind: "Other" }],
])("another %s is another version", (_title, change) => {
  const other = { gvk: { ...gvk, ...change }, schema: stored.schema };
  expect(conversionBetween(stored, other, none).isIdentity).toBe(false);
});

describe("the conversion between versions of the same fields", () => {
  const conversion = conversionBetween(stored, shown, none);

  test("changes the version, and drops what the other version does not have", () => {
    const object = scaler("v2", { metrics: [], targetCPUUtilizationPercentage: 5 });
    const expected = shown.schema.canonicalize(scaler("v1", { targetCPUUtilizationPercentage: 5 }));
    expect(expected["spec"]).not.toHaveProperty("metrics");
    expect(conversion.convert([object, object])).toEqual([expected, expected]);
    expect(convertObject(conversion, object)).toEqual(expected);
    expect(object.apiVersion).toBe("autoscaling/v2");
  });

  test("stores what it does not know, too", () => {
    const object = scaler("v1", { metrics: [] });
    expect(conversion.convertToStored([object])).toEqual([scaler("v2", { metrics: [] })]);
    expect(convertObjectToStored(conversion, object)).toEqual(scaler("v2", { metrics: [] }));
  });

  // Upstream: apiserver, pkg/endpoints/handlers/response.go, asPartialObjectMetadata.
  test("has no part in metadata", () => {
    const objects = [scaler("v2")];
    expect(conversion.showsMetadata()).toBe(false);
    expect(convertMetadata(conversion, objects)).toBe(objects);
  });
});

describe("a kind with a conversion of its own", () => {
  const changed = (object: KubeObject, minReplicas: number): MutableKubeObject => ({
    ...object,
    metadata: { ...object.metadata },
    spec: { maxReplicas: 3, minReplicas },
  });
  const asked: GroupVersionKind[] = [];
  const own: OwnConversion = {
    fromStored: (object) => changed(object, 1),
    toStored: (object) => changed(object, 2),
  };
  const conversion = conversionBetween(stored, shown, (to) => {
    asked.push(to);
    return own;
  });

  test("is converted by it", () => {
    const expected = shown.schema.canonicalize(scaler("v1", { minReplicas: 1 }));
    expect(conversion.convert([scaler("v2")])).toEqual([expected]);
    expect(conversion.convertToStored([scaler("v1")])).toEqual([scaler("v2", { minReplicas: 2 })]);
    expect(conversion.showsMetadata()).toBe(false);
    expect(new Set(asked)).toEqual(new Set([shown.gvk]));
  });
});

describe("a kind that a webhook converts", () => {
  const named = (object: KubeObject, version: string): MutableKubeObject => ({
    ...object,
    metadata: { name: `${object.metadata.name} in ${version}` },
  });
  const batch: BatchConversion = {
    convert: async (objects, to) => objects.map((object) => named(object, to.version)),
  };
  const conversion = conversionBetween(stored, shown, () => batch);

  test("is converted in batches, with its metadata", async () => {
    const names = async (objects: unknown) => (await (objects as Promise<KubeObject[]>)).map(nameIn); // A webhook is asked.
    expect(await names(conversion.convert([scaler("v2"), scaler("v2")]))).toEqual([
      "v1 a in v1",
      "v1 a in v1",
    ]);
    expect(await names(conversion.convertToStored([scaler("v1")]))).toEqual(["v2 a in v2"]);
    expect(conversion.showsMetadata()).toBe(true);
    expect(await names(convertMetadata(conversion, [scaler("v2")]))).toEqual(["v1 a in v1"]);
    expect(nameIn(await convertObject(conversion, scaler("v2")))).toBe("v1 a in v1");
    expect(nameIn(await convertObjectToStored(conversion, scaler("v1")))).toBe("v2 a in v2");
  });

  test("that returns nothing for an object is a mistake", async () => {
    const forgetful = conversionBetween(stored, shown, () => ({ convert: async () => [] }));
    await expect(convertObject(forgetful, scaler("v2"))).rejects.toThrow(
      "the conversion of an object returned nothing",
    );
  });
});

function nameIn({ apiVersion, metadata }: KubeObject): string {
  return `${apiVersion.split("/")[1]} ${metadata.name}`;
}

describe("what has a codec for the store", () => {
  const codec: StorageCodec = {
    isRemote: true,
    encode: (object) => object,
    decode: (objects) => objects.map(() => scaler("v1")),
    convert: (objects) => objects,
  };

  test("is decoded by it, with its metadata", () => {
    const conversion = conversionOfCodec(codec);
    expect([conversion.isIdentity, conversion.isRemote, conversion.showsMetadata()]).toEqual([
      false,
      true,
      true,
    ]);
    expect(convertObject(conversion, scaler("v2"))).toEqual(scaler("v1"));
    expect(convertMetadata(conversion, [scaler("v2")])).toEqual([scaler("v1")]);
  });

  test("is encoded by its verbs alone", () => {
    expect(() => conversionOfCodec(codec).convertToStored([])).toThrow(
      "the verbs encode objects for the store",
    );
  });
});
