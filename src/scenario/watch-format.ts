import { parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { encodeCborWatchFrame, encodeJsonWatchFrame } from "../codec/watch-frames.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import { type KindSchema, requiredStruct, structOfKind } from "../schema/kind-schema.ts";

/** A decoded event of a stream. */
export interface DecodedEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** How the events of a watch are framed in a stream. */
export interface WatchFormat {
  /** The end of the first event; undefined while it is incomplete. */
  readonly firstEnd: (bytes: Uint8Array) => number | undefined;
  /** The type of an event, by its first bytes. */
  readonly typeOf: (event: Uint8Array) => string;
  readonly decode: (event: Uint8Array) => DecodedEvent;
  readonly encode: (type: string, object: JsonObject) => Uint8Array;
  /** An object without an event around it. */
  readonly bare: (object: JsonObject) => Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The format of a watch whose answer has this Content-Type.
 * @throws {Error} for a type that watches do not use
 */
export async function watchFormatOf(contentType: string, catalog: Catalog): Promise<WatchFormat> {
  const [mediaType] = contentType.split(";");
  switch (mediaType) {
    case "application/json":
      return jsonFormat;
    case "application/cbor-seq":
      return cborFormat(catalog);
    case "application/vnd.kubernetes.protobuf":
      return protobufFormat(catalog);
    default:
      throw new Error(`watches are not served as ${contentType}`);
  }
}

/** One JSON document per line; Tables use it too. */
const jsonFormat: WatchFormat = {
  firstEnd: (bytes) => {
    const newline = bytes.indexOf(0x0a);
    return newline < 0 ? undefined : newline + 1;
  },
  // The type comes first and is a single word.
  typeOf: (event) => /^\{"type":"([A-Z]*)"/.exec(decoder.decode(event.subarray(0, 40)))?.[1] ?? "",
  decode: (event) => eventOf(JSON.parse(decoder.decode(event))),
  encode: (type, object) => encodeJsonWatchFrame(type, lineOf(object)),
  bare: lineOf,
};

function lineOf(value: JsonObject): Uint8Array {
  return encoder.encode(`${JSON.stringify(value)}\n`);
}

/** The offset of the type's length in a CBOR event: after the three-byte tag, the map header and the first key. */
const cborTypeStart = 9;

/** A sequence of CBOR items; each is a map of two pairs, the type first. */
async function cborFormat(catalog: Catalog): Promise<WatchFormat> {
  const { decodeCbor, encodeCbor } = await import("../codec/cbor/cbor.ts");
  const { cborItemEnd } = await import("../codec/cbor/cbor-item-end.ts");
  const bare = (object: JsonObject) => {
    const schema = schemaOf(catalog, object);
    return encodeCbor(object, schema && structOfKind(schema));
  };
  return {
    firstEnd: (bytes) => cborItemEnd(bytes, 0),
    typeOf: (event) => {
      const length = (event[cborTypeStart] ?? 0) & 0x1f;
      return decoder.decode(event.subarray(cborTypeStart + 1, cborTypeStart + 1 + length));
    },
    decode: (event) => eventOf(decodeCbor(event)),
    encode: (type, object) => encodeCborWatchFrame(type, bare(object)),
    bare,
  };
}

/** Protobuf messages, each preceded by its length in four bytes. */
async function protobufFormat(catalog: Catalog): Promise<WatchFormat> {
  const { decodeProtobuf, encodeProtobuf } = await import("../codec/protobuf/protobuf.ts");
  const { encodeWatchFrame, framedDocument, readWatchFrame, watchFrameEnd } = await import(
    "../codec/protobuf/watch-frame.ts"
  );
  const documentOf = (object: JsonObject): Uint8Array =>
    encodeProtobuf(requiredStruct(schemaOf(catalog, object)), object);
  return {
    firstEnd: watchFrameEnd,
    typeOf: (event) => readWatchFrame(event).type,
    decode: (event) => {
      const { type, document } = readWatchFrame(event);
      return { type, object: decodeProtobuf(document, (gvk) => catalog.kind(gvk)).object };
    },
    encode: (type, object) => encodeWatchFrame(type, documentOf(object)),
    bare: (object) => framedDocument(documentOf(object)),
  };
}

function schemaOf(catalog: Catalog, { apiVersion, kind }: JsonObject): KindSchema | undefined {
  const gv = typeof apiVersion === "string" ? parseGroupVersion(apiVersion) : undefined;
  return gv && typeof kind === "string" ? builtInKindSchema(catalog, { ...gv, kind }) : undefined;
}

function eventOf(event: JsonValue): DecodedEvent {
  const { type = "", object = {} } = isJsonObject(event) ? event : {};
  return { type: String(type), object: isJsonObject(object) ? object : {} };
}
