import { describe, expect, test } from "vitest";
import { Version } from "./stored-value.ts";

describe("Version", () => {
  const made = new Version("put", "k", { n: 1 }, {}, 4, undefined);
  const changed = new Version("put", "k", { n: 2 }, {}, 6, made);
  const deleted = new Version("delete", "k", { n: 2 }, {}, 7, changed);

  test.each([
    ["a new value", made, { createRevision: 4, modRevision: 4, version: 1, tombstone: false }],
    ["a changed value", changed, { createRevision: 4, modRevision: 6, version: 2, tombstone: false }],
    ["a deleted value", deleted, { createRevision: 4, modRevision: 7, version: 2, tombstone: true }],
  ])("%s counts revisions and puts", (_title, version, expected) => expect(version).toMatchObject(expected));

  test.each([
    ["before it was made", made, 3, undefined],
    ["at its revision", made, 4, made],
    ["later", made, 5, made],
    ["after a delete", deleted, 9, undefined],
  ])("is visible or not %s", (_title, version, revision, expected) =>
    expect(version.at(revision)).toBe(expected),
  );

  test("is encoded once for each media type", () => {
    const version = new Version("put", "k", { n: 1 }, {}, 1, undefined);
    let calls = 0;
    const encode = (value: { n: number }) => {
      calls++;
      return Uint8Array.of(value.n);
    };
    const json = version.encoded("json", encode);
    const cbor = version.encoded("cbor", encode);
    expect(version.encoded("json", encode)).toBe(json);
    expect(version.encoded("cbor", encode)).toBe(cbor);
    expect(calls).toBe(2);
  });

  test("knows in which media types it is encoded", () => {
    const version = new Version("put", "k", { n: 1 }, {}, 1, undefined);
    const known = () => ["json", "cbor", "yaml"].filter((mediaType) => version.isEncoded(mediaType));
    expect(known()).toEqual([]);
    version.encoded("cbor", () => new Uint8Array());
    expect(known()).toEqual(["cbor"]);
    version.encoded("json", () => new Uint8Array());
    expect(known()).toEqual(["json", "cbor"]);
  });

  test("caches nothing if the encoder throws", () => {
    const version = new Version("put", "k", {}, {}, 1, undefined);
    const fail = () => {
      throw new Error("no");
    };
    expect(() => version.encoded("json", fail)).toThrow("no");
    expect(version.encoded("json", () => Uint8Array.of(1))).toEqual(Uint8Array.of(1));
  });
});
