import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { decodeStored, encodeForStorage, type StorageCodec } from "./storage-codec.ts";

const object: KubeObject = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } };
const inVersion = (apiVersion: string) => ({ ...object, apiVersion });

/** Stores v1; the verbs handle v2. */
const codec: StorageCodec = {
  decode: (stored) => stored.map((one) => ({ ...one, apiVersion: "example.com/v2" })),
  encode: (one) => ({ ...one, apiVersion: "example.com/v1" }),
  convert: (objects) => objects,
  isRemote: false,
};

describe("an object", () => {
  test("without a codec is stored as the verbs handle it", () => {
    expect(decodeStored({ codec: undefined }, object)).toBe(object);
    expect(encodeForStorage({ codec: undefined }, object)).toBe(object);
  });

  test("is decoded and encoded by its codec, immediately if that can", () => {
    expect(decodeStored({ codec }, object)).toEqual(inVersion("example.com/v2"));
    expect(encodeForStorage({ codec }, inVersion("example.com/v2"))).toEqual(object);
  });

  test("is awaited if its codec takes time", async () => {
    const remote: StorageCodec = { ...codec, decode: async (stored) => codec.decode(stored) };
    const decoding = decodeStored({ codec: remote }, object);
    expect(decoding).toBeInstanceOf(Promise);
    expect(await decoding).toEqual(inVersion("example.com/v2"));
  });
});
