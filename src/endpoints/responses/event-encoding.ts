import { base64Of } from "../../apimachinery/base64.ts";
import { concatenate } from "../../apimachinery/bytes.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { WatchEventType } from "../../apimachinery/watch-event.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { jsonDocument, protobufDocument } from "../../codec/encode.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { Transform } from "../../codec/media-types/output-format.ts";
import { metadataOf } from "../../codec/partial-object-metadata.ts";
import { encodeCborWatchFrame, encodeJsonWatchFrame } from "../../codec/watch-frames.ts";
import type { ResourceEvent } from "../../registry/contract/rest.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import { type KindSchema, requiredStruct, structOfKind } from "../../schema/kind-schema.ts";
import type { ResourceScope } from "../contract/scope.ts";
import type { Answering } from "./respond.ts";

/** How the events of one watch become bytes. */
export interface EventEncoding {
  readonly contentType: string;
  readonly initial: (objects: readonly Encodable[]) => Uint8Array;
  readonly events: (events: readonly ResourceEvent[]) => Uint8Array;
  readonly bookmark: (revision: number) => Uint8Array;
  /** The bookmark that says that the present state has been sent. */
  readonly initialEventsEnd: (revision: number) => Uint8Array;
  readonly error: (status: Status) => Uint8Array;
}

/** How values become bytes in one format, and those the frame of an event. */
interface Framing {
  readonly contentType: string;
  readonly objectFrame: (type: WatchEventType, object: Encodable) => Uint8Array;
  readonly document: (value: JsonObject, schema: KindSchema | undefined) => Uint8Array;
  readonly frame: (type: WatchEventType, document: Uint8Array) => Uint8Array;
}

const initialEventsEndAnnotation = "k8s.io/initial-events-end";
const blueprintAnnotation = "kubernetes.io/initial-events-list-blueprint";

/** The objects of this watch cannot be sent. Upstream has answered by then, notes it down and ends the stream. */
export class UnencodableEvents extends Error {}

/** The encoding that was agreed on. Loads what the format needs. */
export async function eventEncoding(answering: Answering): Promise<EventEncoding> {
  const framing = await framingOf(answering);
  const { environment } = answering;
  const frameOf = await transformedFrame(answering, framing);
  const bookmarkFrame = (revision: number, annotations: { readonly [key: string]: string } | undefined) =>
    frameOf("BOOKMARK", transient(bookmarkObject(answering, revision, annotations)));
  const statusSchema = builtInKindSchema(environment.catalog, { group: "", version: "v1", kind: "Status" });
  return {
    contentType: framing.contentType,
    initial: (objects) => joined(objects.map((object) => frameOf("ADDED", object))),
    events: (events) => {
      const [first] = events;
      if (first !== undefined && events.length === 1) return frameOf(first.type, first.object);
      return joined(events.map(({ type, object }) => frameOf(type, object)));
    },
    bookmark: (revision) => bookmarkFrame(revision, undefined),
    initialEventsEnd: (revision) =>
      bookmarkFrame(revision, {
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

/** What the frames of a version are called, by the type of the event. */
type FrameForms = Readonly<Record<WatchEventType, string>>;

const formsOfKinds = new WeakMap<GroupVersionKind, Map<string, FrameForms>>();

/** One text for all watches of a version: the same string is found faster than an equal one. */
function frameForms({ gvk }: ResourceScope, format: string): FrameForms {
  const forms = formsOfKinds.get(gvk) ?? new Map<string, FrameForms>();
  formsOfKinds.set(gvk, forms);
  const prefix = `${formatGroupVersion(gvk)} ${format}`;
  const known = forms.get(format) ?? {
    ADDED: `${prefix} ADDED`,
    MODIFIED: `${prefix} MODIFIED`,
    DELETED: `${prefix} DELETED`,
    BOOKMARK: `${prefix} BOOKMARK`,
    ERROR: `${prefix} ERROR`,
  };
  forms.set(format, known);
  return known;
}

async function cborFraming({ scope }: Answering): Promise<Framing> {
  const { encodeCbor } = await import("../../codec/cbor/cbor.ts");
  const formOf = frameForms(scope, "cbor");
  return {
    contentType: "application/cbor-seq",
    objectFrame: (type, object) =>
      object.encoded(formOf[type], (value) =>
        encodeCborWatchFrame(type, encodeCbor(scope.convert(value), structOfKind(scope.schema))),
      ),
    document: (value, schema) => encodeCbor(value, schema && structOfKind(schema)),
    frame: encodeCborWatchFrame,
  };
}

function jsonFraming({ scope }: Answering): Framing {
  const encoder = new TextEncoder();
  const formOf = frameForms(scope, "json");
  return {
    contentType: "application/json",
    objectFrame: (type, object) =>
      object.encoded(formOf[type], () => encodeJsonWatchFrame(type, jsonDocument(object, scope))),
    document: (value) => encoder.encode(`${encodeJson(value)}\n`),
    frame: encodeJsonWatchFrame,
  };
}

async function protobufFraming({ scope }: Answering): Promise<Framing> {
  const { encodeProtobuf } = await import("../../codec/protobuf/protobuf.ts");
  const { encodeWatchFrame } = await import("../../codec/protobuf/watch-frame.ts");
  const formOf = frameForms(scope, "protobuf");
  return {
    contentType: "application/vnd.kubernetes.protobuf;stream=watch",
    objectFrame: (type, object) =>
      object.encoded(formOf[type], () =>
        encodeWatchFrame(type, protobufDocument(object, scope, encodeProtobuf)),
      ),
    document: (value, schema) => encodeProtobuf(requiredStruct(schema), value),
    frame: encodeWatchFrame,
  };
}

/** Frames of the shape that was asked for: the object, its metadata, or a Table of one row. */
async function transformedFrame(answering: Answering, framing: Framing): Promise<Framing["objectFrame"]> {
  const { scope, format } = answering;
  const { frame, document } = framing;
  const { transform } = format;
  switch (transform?.kind) {
    case undefined:
      return framing.objectFrame;
    case "Table": {
      const { rowTable } = await import("./table-response.ts");
      let isFirst = true;
      return (type, object) => {
        const table = rowTable(object, answering, isFirst);
        isFirst = false;
        return frame(type, document(table, undefined));
      };
    }
    case "PartialObjectMetadata": {
      const { version } = transform;
      const schema = metaSchema(answering, transform);
      const form = `${formatGroupVersion(scope.gvk)} metadata ${version} ${framing.contentType}`;
      return (type, object) =>
        object.encoded(`${form} ${type}`, (value) =>
          frame(type, document(metadataOf(scope.convert(value), version), schema)),
        );
    }
    case "PartialObjectMetadataList":
      return () => {
        throw new UnencodableEvents();
      };
  }
}

function metaSchema({ environment }: Answering, { kind, version }: Transform): KindSchema | undefined {
  return builtInKindSchema(environment.catalog, { group: "meta.k8s.io", version, kind });
}

/** An object of the kind that has nothing but a revision. */
function bookmarkObject(
  { scope }: Answering,
  revision: number,
  annotations: { readonly [key: string]: string } | undefined,
): KubeObject {
  const { gvk, schema } = scope.rest.definition;
  const metadata = { resourceVersion: String(revision), ...(annotations !== undefined && { annotations }) };
  return schema.canonicalize({ kind: gvk.kind, apiVersion: formatGroupVersion(gvk), metadata });
}

/** The empty list, in which a client may collect the initial events, in the format of the events. */
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

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const [only] = frames;
  return frames.length === 1 && only !== undefined ? only : concatenate(frames);
}
