import { expect, test } from "vitest";
import { encodeCbor } from "./cbor/cbor.ts";
import { BodyError, type DecodeTarget, decodeObject } from "./decode.ts";
import type { MediaType } from "./media-types/output-format.ts";

/** A scheme without kinds, which names the kind that it looked for. */
const target: DecodeTarget = {
  defaults: { group: "d", version: "v0", kind: "Default" },
  schemaOf: () => undefined,
  schemeName: "s",
};

async function kindOf(bytes: Uint8Array, mediaType: MediaType): Promise<string> {
  const error: unknown = await decodeObject(bytes, mediaType, target).catch((reason: unknown) => reason);
  if (!(error instanceof BodyError)) throw error;
  const { gvk } = error;
  return gvk === undefined ? error.message : `${gvk.group}/${gvk.version} ${gvk.kind}`;
}

const parseError = "couldn't get version/kind; json parse error: json: cannot unmarshal";

/** encoding/json matches names in any case, and each match replaces the one before (apimachinery, serializer/json/meta.go). */
test.each([
  ["{}", "d/v0 Default"],
  ['{"kind":"A","apiVersion":"g/v1"}', "g/v1 A"],
  ['{"Kind":"A","APIVERSION":"g/v1"}', "g/v1 A"],
  ['{"kind":"A","Kind":"B"}', "d/v0 B"],
  ['{"Kind":"B","kind":"A"}', "d/v0 A"],
  ['{"kind":"A","kind":"B"}', "d/v0 B"],
  ['{"kind":"A","KIND":""}', "d/v0 Default"],
  ['{"kind":"A","Kind":null}', "d/v0 A"],
  ['{"kind":null}', "d/v0 Default"],
  ['{"\u212aind":"A"}', "d/v0 A"],
  ['{"apiVer\u017fion":"g/v1"}', "g/v1 Default"],
  ['{"k\u0131nd":"A","kind ":"B","Kınd":"C"}', "d/v0 Default"],
  ['{"Kind":1}', `${parseError} number into Go struct field .kind of type string`],
  ['{"APIVersion":{},"kind":1}', `${parseError} object into Go struct field .apiVersion of type string`],
  ['{"kind":1,"apiVersion":{}}', `${parseError} number into Go struct field .kind of type string`],
  ['{"metadata":{"Kind":"A"}}', "d/v0 Default"],
])("JSON %s is a %s", async (text, expected) => {
  expect(await kindOf(new TextEncoder().encode(text), "application/json")).toBe(expected);
});

test.each([
  ["Kind: A", "d/v0 A"],
  // Upstream makes JSON with sorted keys of it.
  ["kind: A\nKind: B", "d/v0 A"],
  ["Kind: B\nkind: A", "d/v0 A"],
  ["Kind: B\nKIND: A", "d/v0 B"],
])("YAML %j is a %s", async (text, expected) => {
  expect(await kindOf(new TextEncoder().encode(text), "application/yaml")).toBe(expected);
});

test.each([
  [{ kind: "A", apiVersion: "g/v1" }, "g/v1 A"],
  [{ Kind: "A", APIVersion: "g/v1" }, "d/v0 Default"],
])("CBOR matches the names exactly: %j is a %s", async (value, expected) => {
  expect(await kindOf(encodeCbor(value), "application/cbor")).toBe(expected);
});
