import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../apimachinery/group-version.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { decodeProtobuf, encodeProtobuf } from "../../codec/protobuf/protobuf.ts";
import { ProtobufError } from "../../codec/protobuf/protobuf-error.ts";
import {
  encodeWatchFrame,
  framedDocument,
  readWatchFrame,
  unframedEvent,
  watchFrameEnd,
} from "../../codec/protobuf/watch-frame.ts";
import { isDocument } from "../../codec/protobuf/wire.ts";
import { type Renaming, renamedObject } from "./renaming.ts";
import { unmasked } from "./service-name.ts";

/*
 * Protobuf needs the schema of the kind: on the wire, a text, the bytes of a Secret and a message look alike, and a text of another
 * length changes the length of every message around it. So documents are decoded and encoded by the codec.
 */

/** A document with other names. One that cannot be read stays, for the server or the client to refuse. */
export function renamedDocument(bytes: Uint8Array, rename: Renaming, catalog: Catalog): Uint8Array {
  const schemaOf = (gvk: GroupVersionKind): StructSchema | undefined => catalog.kind(realKind(gvk));
  try {
    const { gvk, object } = decodeProtobuf(bytes, schemaOf);
    const schema = schemaOf(gvk);
    if (schema === undefined) return bytes;
    return encodeProtobuf(
      schema,
      renamedObject(object, (text) => withFieldNames(rename(text))),
    );
  } catch (error) {
    if (error instanceof ProtobufError) return bytes;
    throw error;
  }
}

/** Fields have numbers in protobuf, which their masks do not change. All fields of the catalog whose names have masks are those of a Node. */
const maskedFields = /"svc(let(Endpoint|Version|ConfigKey)|ProxyVersion)":/g;

function withFieldNames(text: string): string {
  return text.replace(maskedFields, unmasked);
}

function realKind({ kind, ...gv }: GroupVersionKind): GroupVersionKind {
  return { ...(parseGroupVersion(unmasked(formatGroupVersion(gv))) ?? gv), kind };
}

/** The frame of a watch with other names: that of an event, or that of an object without one. */
export function renamedFrame(frame: Uint8Array, rename: Renaming, catalog: Catalog): Uint8Array {
  // The start of a frame that a fault has cut off.
  if (watchFrameEnd(frame) === undefined) return frame;
  const content = unframedEvent(frame);
  if (isDocument(content)) return framedDocument(renamedDocument(content, rename, catalog));
  const { type, document } = readWatchFrame(frame);
  return encodeWatchFrame(type, renamedDocument(document, rename, catalog));
}

/** The same for a message of a WebSocket, which has no frame. */
export function renamedMessage(message: Uint8Array, rename: Renaming, catalog: Catalog): Uint8Array {
  return unframedEvent(renamedFrame(framedDocument(message), rename, catalog));
}
