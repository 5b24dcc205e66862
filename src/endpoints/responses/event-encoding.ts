import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { base64Of } from "../../apimachinery/base64.ts";
import { concatenate } from "../../apimachinery/bytes.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { WatchEventType } from "../../apimachinery/watch-event.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { jsonDocument } from "../../codec/encode.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { encodeJsonWatchFrame } from "../../codec/watch-frames.ts";
import type { ResourceEvent } from "../../registry/contract/resource-watch.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import {
  documentForm,
  type EventFraming,
  type Framing,
  metaSchema,
  UnencodableEvents,
} from "./event-framing.ts";
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

const initialEventsEndAnnotation = "k8s.io/initial-events-end";
const blueprintAnnotation = "kubernetes.io/initial-events-list-blueprint";

type Annotations = { readonly [key: string]: string };

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

async function framingOf(answering: Answering): Promise<Framing> {
  switch (answering.format.mediaType) {
    case "application/vnd.kubernetes.protobuf":
      return (await import("./binary-framing.ts")).protobufFraming(answering);
    case "application/cbor-seq":
      return (await import("./binary-framing.ts")).cborFraming(answering);
    default:
      return jsonFraming(answering);
  }
}

function jsonFraming({ scope }: Answering): Framing {
  const encoder = new TextEncoder();
  const formOf = scope.forms.frames.json;
  return {
    contentType: "application/json",
    formOf: () => documentForm(scope, "application/json"),
    objectFrame: (type, object) =>
      object.encoded(
        formOf[type],
        () => encodeJsonWatchFrame(type, jsonDocument(object, scope, "write")),
        "write",
      ),
    document: (value) => encoder.encode(`${encodeJson(value)}\n`),
    frame: encodeJsonWatchFrame,
  };
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
      return (await import("./shaped-framing.ts")).rowFraming(answering, framing);
    case "PartialObjectMetadata":
      return (await import("./shaped-framing.ts")).metadataFraming(
        answering,
        framing,
        answering.format.transform,
      );
    case "PartialObjectMetadataList":
      return {
        isReady: () => true,
        frame: () => {
          throw new UnencodableEvents();
        },
      };
  }
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
