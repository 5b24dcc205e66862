import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { base64Of } from "../../apimachinery/base64.ts";
import { concatenate } from "../../apimachinery/bytes.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { WatchEventType } from "../../apimachinery/watch-event.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { cachedForm, jsonDocument, protobufDocument } from "../../codec/encode.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { MediaType, Transform } from "../../codec/media-types/output-format.ts";
import { metadataOf } from "../../codec/partial-object-metadata.ts";
import { encodeCborWatchFrame, encodeJsonWatchFrame } from "../../codec/watch-frames.ts";
import type { ResourceEvent } from "../../registry/contract/resource-watch.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import { type KindSchema, requiredStruct, structOfKind } from "../../schema/kind-schema.ts";
import type { ResourceScope } from "../contract/scope.ts";
import { withSelfLink } from "../contract/self-link.ts";
import { includeObjectOf } from "./include-object.ts";
import { joinedFrames } from "./joined-frames.ts";
import type { Answering } from "./respond.ts";
import { shownObjects } from "./shown-objects.ts";

/** Encodes the events of a watch: at once, unless an asynchronous conversion is needed. */
export interface EventEncoding {
  readonly contentType: string;
  readonly initial: (objects: readonly Encodable[]) => Awaitable<Uint8Array>;
  readonly events: (events: readonly ObjectEvent[]) => Awaitable<Uint8Array>;
  readonly bookmark: (revision: number) => Awaitable<Uint8Array>;
  /** The bookmark after the last initial event. */
  readonly initialEventsEnd: (revision: number) => Awaitable<Uint8Array>;
  readonly error: (status: Status) => Uint8Array;
}

type ObjectEvent = Pick<ResourceEvent, "object"> & { readonly type: WatchEventType };

/** Encodes values, and frames of events, in one format. */
interface Framing {
  readonly contentType: string;
  /** The form under which an object remembers the bytes of its frames. */
  readonly formOf: (type: WatchEventType) => string;
  readonly objectFrame: (type: WatchEventType, object: Encodable) => Uint8Array;
  readonly document: (value: JsonObject, schema: KindSchema | undefined) => Uint8Array;
  readonly frame: (type: WatchEventType, document: Uint8Array) => Uint8Array;
}

/** Makes the frame of an event in the requested shape. */
interface EventFraming {
  /** Whether the frame can be made without the object in the version of the endpoint. */
  readonly isReady: (type: WatchEventType, stored: Encodable) => boolean;
  /** `shown` is the object in the version of the endpoint, unless `isReady`. */
  readonly frame: (type: WatchEventType, stored: Encodable, shown: Encodable) => Uint8Array;
}

const initialEventsEndAnnotation = "k8s.io/initial-events-end";
const blueprintAnnotation = "kubernetes.io/initial-events-list-blueprint";

type Annotations = { readonly [key: string]: string };

/**
 * The objects of this watch cannot be encoded. Upstream detects this after the response has started, logs it and ends
 * the stream.
 */
export class UnencodableEvents extends Error {}

/** The negotiated encoding. Loads the code of the format. */
export async function eventEncoding(answering: Answering): Promise<EventEncoding> {
  const framing = await framingOf(answering);
  const { environment, scope } = answering;
  const { frame, isReady } = await eventFraming(answering, framing);
  const { shownConversion: conversion } = scope;
  const events = conversion.isIdentity
    ? (events: readonly ObjectEvent[]) => framesOf(events, frame)
    : (events: readonly ObjectEvent[]): Awaitable<Uint8Array> => {
        const stored = events.map(({ object }) => object);
        const isEncoded = (object: Encodable, index: number) => {
          const { type = "ADDED" } = events[index] ?? {};
          // The bookmarks of a resource with a codec are in the version of the endpoint.
          return (type === "BOOKMARK" && scope.rest.codec !== undefined) || isReady(type, object);
        };
        return whenReady(shownObjects(stored, conversion, isEncoded), (shown) =>
          joinedFrames(events.map(({ type, object }, index) => frame(type, object, shown[index] ?? object))),
        );
      };
  const bookmark = (revision: number, annotations: Annotations | undefined) =>
    events([{ type: "BOOKMARK", object: transient(bookmarkObject(answering, revision, annotations)) }]);
  const statusGvk = { group: "", version: "v1", kind: "Status" };
  const statusSchema = builtInKindSchema(environment.catalog, statusGvk);
  return {
    contentType: framing.contentType,
    initial: conversion.isIdentity
      ? (objects) => concatenate(objects.map((object) => frame("ADDED", object, object)))
      : (objects) => events(objects.map((object) => ({ type: "ADDED", object }))),
    events,
    bookmark: (revision) => bookmark(revision, undefined),
    initialEventsEnd: (revision) =>
      bookmark(revision, {
        [initialEventsEndAnnotation]: "true",
        [blueprintAnnotation]: base64Of(blueprintOf(answering, framing)),
      }),
    error: (status) => framing.frame("ERROR", framing.document(status, statusSchema)),
  };
}

function framingOf(answering: Answering): Promise<Framing> | Framing {
  switch (answering.format.mediaType) {
    case "application/vnd.kubernetes.protobuf":
      return protobufFraming(answering);
    case "application/cbor-seq":
      return cborFraming(answering);
    default:
      return jsonFraming(answering);
  }
}

async function cborFraming({ scope }: Answering): Promise<Framing> {
  const { encodeCbor } = await import("../../codec/cbor/cbor.ts");
  const formOf = scope.forms.frames.cbor;
  return {
    contentType: "application/cbor-seq",
    formOf: (type) => formOf[type],
    objectFrame: (type, object) =>
      object.encoded(formOf[type], (value) =>
        encodeCborWatchFrame(type, encodeCbor(value, structOfKind(scope.schema))),
      ),
    document: (value, schema) => encodeCbor(value, schema && structOfKind(schema)),
    frame: encodeCborWatchFrame,
  };
}

function jsonFraming({ scope }: Answering): Framing {
  const encoder = new TextEncoder();
  const formOf = scope.forms.frames.json;
  return {
    contentType: "application/json",
    formOf: () => documentForm(scope, "application/json"),
    objectFrame: (type, object) =>
      object.encoded(formOf[type], () => encodeJsonWatchFrame(type, jsonDocument(object, scope))),
    document: (value) => encoder.encode(`${encodeJson(value)}\n`),
    frame: encodeJsonWatchFrame,
  };
}

async function protobufFraming({ scope }: Answering): Promise<Framing> {
  const { encodeProtobuf } = await import("../../codec/protobuf/protobuf.ts");
  const { encodeWatchFrame } = await import("../../codec/protobuf/watch-frame.ts");
  const formOf = scope.forms.frames.protobuf;
  return {
    contentType: "application/vnd.kubernetes.protobuf;stream=watch",
    formOf: () => documentForm(scope, "application/vnd.kubernetes.protobuf"),
    objectFrame: (type, object) =>
      object.encoded(formOf[type], () =>
        encodeWatchFrame(type, protobufDocument(object, scope, encodeProtobuf)),
      ),
    document: (value, schema) => encodeProtobuf(requiredStruct(schema), value),
    frame: encodeWatchFrame,
  };
}

/** The form of the objects inside of frames. */
function documentForm(scope: ResourceScope, mediaType: MediaType): string {
  return cachedForm(scope, { mediaType, pretty: false }) ?? "";
}

/** Frames of the requested shape: the object, its metadata, or a Table with one row. */
async function eventFraming(answering: Answering, framing: Framing): Promise<EventFraming> {
  switch (answering.format.transform?.kind) {
    case undefined:
      return {
        isReady: (type, stored) => stored.isEncoded(framing.formOf(type)),
        frame: (type, _stored, shown) => framing.objectFrame(type, shown),
      };
    case "Table":
      return rowFraming(answering, framing);
    case "PartialObjectMetadata":
      return metadataFraming(answering, framing, answering.format.transform);
    case "PartialObjectMetadataList":
      return {
        isReady: () => true,
        frame: () => {
          throw new UnencodableEvents();
        },
      };
  }
}

async function rowFraming(answering: Answering, { frame, document }: Framing): Promise<EventFraming> {
  const { firstRowTable, rowTable } = await import("./table-response.ts");
  const printer = await answering.scope.loadPrinter();
  const hasCodec = answering.scope.rest.codec !== undefined;
  const showsObjects = includeObjectOf(answering.context.query) === "Object";
  let tableOf = firstRowTable;
  return {
    // Cells are printed from the stored object, unless the verbs handle another form.
    isReady: () => !showsObjects && !hasCodec,
    frame: (type, stored, shown) => {
      const table = tableOf(hasCodec ? shown : stored, { ...answering, printer, shown: () => shown.value });
      tableOf = rowTable;
      return frame(type, document(table, undefined));
    },
  };
}

function metadataFraming(
  answering: Answering,
  { contentType, frame, document }: Framing,
  transform: Transform,
): EventFraming {
  const { version } = transform;
  const { forms, storedConversion: conversion, selfLinkOf } = answering.scope;
  const schema = metaSchema(answering, transform);
  const form = `${forms.json} metadata ${version} ${contentType}`;
  return {
    isReady: (type, stored) => !conversion.showsMetadata() || stored.isEncoded(`${form} ${type}`),
    frame: (type, _stored, shown) =>
      shown.encoded(`${form} ${type}`, (value) => {
        const linked = withSelfLink(value, selfLinkOf);
        return frame(type, document(metadataOf(linked, version), schema));
      }),
  };
}

function metaSchema({ environment }: Answering, { kind, version }: Transform): KindSchema | undefined {
  return builtInKindSchema(environment.catalog, { group: "meta.k8s.io", version, kind });
}

/** The object of a bookmark, which has only a revision. */
function bookmarkObject(
  { scope }: Answering,
  revision: number,
  annotations: Annotations | undefined,
): KubeObject {
  const { gvk, schema } = scope.rest.definition;
  const metadata = { resourceVersion: String(revision), ...(annotations !== undefined && { annotations }) };
  return schema.canonicalize({ kind: gvk.kind, apiVersion: formatGroupVersion(gvk), metadata });
}

/** An empty list in the format of the events, to which clients can add the initial events. */
function blueprintOf(answering: Answering, { document }: Framing): Uint8Array {
  const { scope, format } = answering;
  const empty = { metadata: {}, items: null };
  if (format.transform === undefined) {
    const { gvk, listSchema } = scope;
    return document({ kind: `${gvk.kind}List`, apiVersion: formatGroupVersion(gvk), ...empty }, listSchema);
  }
  const list = { kind: "PartialObjectMetadataList", version: format.transform.version } as const;
  const apiVersion = `meta.k8s.io/${list.version}`;
  return document({ kind: list.kind, apiVersion, ...empty }, metaSchema(answering, list));
}

/** The frames of events whose objects are stored in the version of the endpoint. */
function framesOf(events: readonly ObjectEvent[], frame: EventFraming["frame"]): Uint8Array {
  const [first] = events;
  if (first !== undefined && events.length === 1) return frame(first.type, first.object, first.object);
  return joinedFrames(events.map(({ type, object }) => frame(type, object, object)));
}
