import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject, MutableJsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { type KindSchema, requiredStruct, structOfKind } from "../schema/kind-schema.ts";
import type { EncodingUse } from "../store/stored-value.ts";
import type { Encodable } from "./encodable.ts";
import { headText } from "./encoded-forms.ts";
import type { EncodingTarget, ListMeta } from "./encoding-target.ts";
import { encodeJson, encodePrettyJson } from "./json/json.ts";
import type { OutputFormat } from "./media-types/output-format.ts";
import type { ItemLayout } from "./packed-items.ts";

type Pieces = readonly Uint8Array[];

const encoder = new TextEncoder();
const lineBreak = 0x0a;

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
  if (format.mediaType === "application/vnd.kubernetes.protobuf") {
    return import("./protobuf-answers.ts").then(({ protobufDocument }) => [
      protobufDocument(object, target, use),
    ]);
  }
  return encodeValue(object.value, format, target.schema);
}

/**
 * The bytes of a list. Items have no kind, because the list states it. `isWhole` says that no selector left items out; such lists decide
 * how items lie in memory.
 */
export function encodeList(
  items: readonly Encodable[],
  metadata: ListMeta,
  target: EncodingTarget,
  format: OutputFormat,
  isWhole = false,
): Pieces | Promise<Pieces> {
  if (target.schema.type.from === "openApi")
    return encodeUntypedList(items, metadata, target, format, isWhole);
  if (format.mediaType === "application/json" && !format.pretty) {
    const head = `${headText(listKind(target.gvk))}"metadata":${encodeJson(metadata)},"items":[`;
    return jsonList(items, { head, end: "]}\n", omitted: target.forms.head }, target, isWhole);
  }
  if (format.mediaType === "application/vnd.kubernetes.protobuf") {
    const list = listObject([], metadata, target);
    return import("./protobuf-answers.ts").then(({ protobufList }) => protobufList(items, list, target));
  }
  return encodeValue(listObject(items, metadata, target), format, target.listSchema);
}

/** A list of custom resources has sorted keys, as Go writes maps, and its items state their kind. */
function encodeUntypedList(
  items: readonly Encodable[],
  { resourceVersion, remainingItemCount, ...metadata }: ListMeta,
  target: EncodingTarget,
  format: OutputFormat,
  isWhole: boolean,
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
  const head = `{"apiVersion":${encodeJson(apiVersion)},"items":[`;
  const end = `],"kind":${encodeJson(kind)},"metadata":${encodeJson(meta)}}\n`;
  return jsonList(items, { head, end, omitted: "" }, target, isWhole);
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

/** From how many items on a list is packed. */
const manyItems = 64;

/** The texts around the items of a list. */
interface ListFrame {
  readonly head: string;
  readonly end: string;
  /** The start of the JSON of an object that its item omits. */
  readonly omitted: string;
}

function jsonList(
  items: readonly Encodable[],
  { head, end, omitted }: ListFrame,
  target: EncodingTarget,
  isWhole: boolean,
): Pieces | Promise<Pieces> {
  const { json, item, texts } = target.forms;
  const separator = encoder.encode(omitted === "" ? "," : ",{");
  // All items share one closure, and each item keeps one view, so that long lists allocate little memory.
  const encode = (value: KubeObject): Uint8Array => encodeDocument(value, target);
  const bytesOf = (object: Encodable): Uint8Array =>
    object.encoded(item, () => withoutHead(object.encoded(json, encode), omitted));
  const framed = (pieces: Pieces) => [encoder.encode(head), ...pieces, encoder.encode(end)];
  if (isWhole && items.length >= manyItems) {
    const layout: ItemLayout = {
      item,
      json,
      omitted,
      separator,
      bytesOf,
      textOf: (value) => texts.encode(value),
    };
    return import("./packed-items.ts").then(({ packedPieces }) => framed(packedPieces(items, layout)));
  }
  const pieces = items.flatMap((object) => [separator, bytesOf(object)]);
  // No comma stands before the first item.
  if (items.length > 0) pieces[0] = separator.subarray(1);
  return framed(pieces);
}

/** An object's JSON without the start that the list states, and without the line break. */
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
