import type { JsonObject } from "../../apimachinery/json.ts";
import type { WatchEventType } from "../../apimachinery/watch-event.ts";
import type { Encodable } from "../../codec/encodable.ts";
import { cachedForm } from "../../codec/encode.ts";
import type { MediaType, Transform } from "../../codec/media-types/output-format.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { ResourceScope } from "../contract/scope.ts";
import type { Answering } from "./respond.ts";

/** Encodes values, and frames of events, in one format. */
export interface Framing {
  readonly contentType: string;
  /** The form under which an object remembers the bytes of its frames. */
  readonly formOf: (type: WatchEventType) => string;
  readonly objectFrame: (type: WatchEventType, object: Encodable) => Uint8Array;
  readonly document: (value: JsonObject, schema: KindSchema | undefined) => Uint8Array;
  readonly frame: (type: WatchEventType, document: Uint8Array) => Uint8Array;
}

/** Makes the frame of an event in the requested shape. */
export interface EventFraming {
  /** Whether the frame can be made without the object in the version of the endpoint. */
  readonly isReady: (type: WatchEventType, stored: Encodable) => boolean;
  /** `shown` is the object in the version of the endpoint, unless `isReady`. */
  readonly frame: (type: WatchEventType, stored: Encodable, shown: Encodable) => Uint8Array;
}

/**
 * The objects of this watch cannot be encoded. Upstream detects this after the response has started, logs it and ends
 * the stream.
 */
export class UnencodableEvents extends Error {}

/** The form of the objects inside of frames. */
export function documentForm(scope: ResourceScope, mediaType: MediaType): string {
  return cachedForm(scope, { mediaType, pretty: false }) ?? "";
}

/** The schema of a kind of `meta.k8s.io`. */
export function metaSchema({ environment }: Answering, { kind, version }: Transform): KindSchema | undefined {
  return builtInKindSchema(environment.catalog, { group: "meta.k8s.io", version, kind });
}
