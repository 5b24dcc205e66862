import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject, MutableJsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type KindSchema, requiredStruct, structOfKind } from "../schema/kind-schema.ts";
import type { EncodingUse } from "../store/stored-value.ts";
import type { Encodable } from "./encodable.ts";
import { type EncodedForms, headText } from "./encoded-forms.ts";
import { encodeJson, encodePrettyJson } from "./json/json.ts";
import type { OutputFormat } from "./media-types/output-format.ts";
import type { encodeProtobuf } from "./protobuf/protobuf.ts";

/** The kind and version of an endpoint. Objects are in this version when they are encoded. */
export interface EncodingTarget {
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
  readonly listSchema: KindSchema | undefined;
  /** How the objects of the endpoint are encoded. */
  readonly forms: EncodedForms;
}

/** The metadata of a list. */
export interface ListMeta extends JsonObject {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

type Pieces = readonly Uint8Array[];

const encoder = new TextEncoder();
const lineBreak = 0x0a;
const openBrace: Uint8Array = encoder.encode("{");
const commaBrace: Uint8Array = encoder.encode(",{");
const comma: Uint8Array = encoder.encode(",");
const listEnd: Uint8Array = encoder.encode("]}\n");

/** The form under which an object caches its bytes; undefined for formats that are not cached. */
export function cachedForm(
  { forms }: Pick<EncodingTarget, "forms">,
  { mediaType, pretty }: Pick<OutputFormat, "mediaType" | "pretty">,
): string | undefined {
  if (mediaType === "application/json" && !pretty) return forms.json;
  return mediaType === "application/vnd.kubernetes.protobuf" ? forms.protobuf : undefined;
}

/** The bytes of one object in a version and format. */
export function encodeObject(
  object: Encodable,
  target: EncodingTarget,
  format: OutputFormat,
  use: EncodingUse,
): Pieces | Promise<Pieces> {
  if (format.mediaType === "application/json" && !format.pretty) {
    return [jsonDocument(object, target, use)];
  }
  if (format.mediaType === "application/vnd.kubernetes.protobuf")
    return encodeAsProtobuf(object, target, use);
  return encodeValue(object.value, format, target.schema);
}

/** The bytes of a list. Items have no kind, because the list states it. */
export function encodeList(
  items: readonly Encodable[],
  metadata: ListMeta,
  target: EncodingTarget,
  format: OutputFormat,
): Pieces | Promise<Pieces> {
  if (target.schema.type.from === "openApi") return encodeUntypedList(items, metadata, target, format);
  if (format.mediaType === "application/json" && !format.pretty) return jsonList(items, metadata, target);
  if (format.mediaType === "application/vnd.kubernetes.protobuf") {
    return encodeListAsProtobuf(items, metadata, target);
  }
  return encodeValue(listObject(items, metadata, target), format, target.listSchema);
}

/** A list of custom resources has sorted keys, as Go writes maps, and its items state their kind. */
function encodeUntypedList(
  items: readonly Encodable[],
  { resourceVersion, remainingItemCount, ...metadata }: ListMeta,
  target: EncodingTarget,
  format: OutputFormat,
): Pieces | Promise<Pieces> {
  const { kind } = listKind(target.gvk);
  const meta: ListMeta = {
    continue: metadata.continue ?? "",
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const apiVersion = formatGroupVersion(target.gvk);
  if (format.mediaType !== "application/json" || format.pretty) {
    return encodeValue({ apiVersion, items: items.map(({ value }) => value), kind, metadata: meta }, format);
  }
  const pieces: Uint8Array[] = [encoder.encode(`{"apiVersion":${encodeJson(apiVersion)},"items":[`)];
  for (const object of items) {
    if (pieces.length > 1) pieces.push(comma);
    pieces.push(jsonDocument(object, target, "read").subarray(0, -1));
  }
  pieces.push(encoder.encode(`],"kind":${encodeJson(kind)},"metadata":${encodeJson(meta)}}\n`));
  return pieces;
}

/** The bytes of a value that is encoded once: a Status, a discovery document, a Table. */
export function encodeValue(
  value: JsonObject,
  format: OutputFormat,
  schema?: KindSchema,
): Pieces | Promise<Pieces> {
  switch (format.mediaType) {
    case "application/json":
      return [encoder.encode(format.pretty ? encodePrettyJson(value) : `${encodeJson(value)}\n`)];
    case "application/yaml":
      return import("./yaml/yaml.ts").then(({ encodeYaml }) => [encoder.encode(encodeYaml(value))]);
    case "application/cbor":
    case "application/cbor-seq":
      return import("./cbor/cbor.ts").then(({ encodeCbor }) => [
        encodeCbor(value, schema && structOfKind(schema)),
      ]);
    case "application/vnd.kubernetes.protobuf":
      return import("./protobuf/protobuf.ts").then(({ encodeProtobuf }) => [
        encodeProtobuf(requiredStruct(schema), value),
      ]);
  }
}

/** The object's JSON and a line break, shared by get, list and watch. */
export function jsonDocument(object: Encodable, target: EncodingTarget, use: EncodingUse): Uint8Array {
  return object.encoded(target.forms.json, (value) => encodeDocument(value, target), use);
}

function encodeDocument(value: KubeObject, target: EncodingTarget): Uint8Array {
  return lineOf(target.forms.texts.encode(value));
}

/** The text and a line break. Most texts are ASCII, so their size is known and one buffer suffices. */
function lineOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length + 1);
  const { read, written } = encoder.encodeInto(text, bytes);
  // A part of another text can have as many bytes as the whole has characters.
  if (read !== text.length || written !== text.length) return encoder.encode(`${text}\n`);
  bytes[text.length] = lineBreak;
  return bytes;
}

function jsonList(items: readonly Encodable[], metadata: ListMeta, target: EncodingTarget): Pieces {
  const { item, json, head } = target.forms;
  // All items share one closure, and each item keeps one view, so that long lists allocate little memory.
  const encode = (value: KubeObject): Uint8Array => encodeDocument(value, target);
  const listHead = headText(listKind(target.gvk));
  const pieces: Uint8Array[] = [encoder.encode(`${listHead}"metadata":${encodeJson(metadata)},"items":[`)];
  for (const object of items) {
    pieces.push(pieces.length === 1 ? openBrace : commaBrace);
    pieces.push(object.encoded(item, () => withoutHead(object.encoded(json, encode), head)));
  }
  pieces.push(listEnd);
  return pieces;
}

/** An object's JSON without kind and apiVersion, which the list states, and without the line break. */
function withoutHead(document: Uint8Array, head: string): Uint8Array {
  // Kinds, groups and versions are ASCII.
  for (let at = 0; at < head.length; at += 1) {
    if (document[at] !== head.charCodeAt(at)) throw new Error(`not in canonical order: no ${head} in front`);
  }
  return document.subarray(head.length, -1);
}

function listKind(gvk: GroupVersionKind): GroupVersionKind {
  return { ...gvk, kind: `${gvk.kind}List` };
}

function listObject(items: readonly Encodable[], metadata: ListMeta, target: EncodingTarget): JsonObject {
  const gvk = listKind(target.gvk);
  return {
    kind: gvk.kind,
    apiVersion: formatGroupVersion(gvk),
    metadata,
    items: items.map(({ value }) => withoutTypeMeta(value)),
  };
}

function withoutTypeMeta(object: KubeObject): JsonObject {
  const copy: MutableJsonObject = { ...object };
  delete copy["kind"];
  delete copy["apiVersion"];
  return copy;
}

async function encodeAsProtobuf(
  object: Encodable,
  target: EncodingTarget,
  use: EncodingUse,
): Promise<Pieces> {
  const { encodeProtobuf } = await import("./protobuf/protobuf.ts");
  return [protobufDocument(object, target, encodeProtobuf, use)];
}

async function encodeListAsProtobuf(
  items: readonly Encodable[],
  metadata: ListMeta,
  target: EncodingTarget,
): Promise<Pieces> {
  const { encodeList: encodeProtobufList, encodeProtobuf } = await import("./protobuf/protobuf.ts");
  const documents = items.map((item) => protobufDocument(item, target, encodeProtobuf, "read"));
  return encodeProtobufList(requiredStruct(target.listSchema), listObject([], metadata, target), documents);
}

/** The object's protobuf with its envelope, shared by get, list and watch. */
export function protobufDocument(
  object: Encodable,
  target: EncodingTarget,
  encode: typeof encodeProtobuf,
  use: EncodingUse,
): Uint8Array {
  return object.encoded(target.forms.protobuf, (value) => encode(requiredStruct(target.schema), value), use);
}
