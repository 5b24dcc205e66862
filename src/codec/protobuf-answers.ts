import type { JsonObject } from "../apimachinery/json.ts";
import { requiredStruct } from "../schema/kind-schema.ts";
import type { EncodingUse } from "../store/stored-value.ts";
import type { Encodable } from "./encodable.ts";
import type { EncodingTarget } from "./encoding-target.ts";
import { encodeList, encodeProtobuf } from "./protobuf/protobuf.ts";

/** The object's protobuf with its envelope, shared by get, list and watch. */
export function protobufDocument(
  object: Encodable,
  target: Pick<EncodingTarget, "forms" | "schema">,
  use: EncodingUse,
): Uint8Array {
  const encode = (value: JsonObject): Uint8Array => encodeProtobuf(requiredStruct(target.schema), value);
  return object.encoded(target.forms.protobuf, encode, use);
}

/** The pieces of a list; `list` is the list without its items. */
export function protobufList(
  items: readonly Encodable[],
  list: JsonObject,
  target: EncodingTarget,
): readonly Uint8Array[] {
  const documents = items.map((item) => protobufDocument(item, target, "read"));
  return encodeList(requiredStruct(target.listSchema), list, documents);
}
