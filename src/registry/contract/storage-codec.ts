import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ConversionMetrics } from "./conversion-metrics.ts";

/**
 * Lies between the store and the verbs of a resource in one version, if they handle objects in another form than the store
 * has them. Upstream: the codec in the storage configuration of custom resources (apiextensions-apiserver,
 * pkg/apiserver/customresource_handler.go, crdConversionRESTOptionsGetter).
 */
export interface StorageCodec {
  /** Stored objects in the version of the verbs, in the same order. An object that is already so stays the same. */
  readonly decode: (stored: readonly KubeObject[]) => Awaitable<readonly KubeObject[]>;
  /** An object of the verbs as it is stored. */
  readonly encode: (object: KubeObject) => Awaitable<KubeObject>;
  /** Objects in another version, in the same order. */
  readonly convert: (
    objects: readonly KubeObject[],
    to: GroupVersionKind,
  ) => Awaitable<readonly KubeObject[]>;
  /** Whether a webhook converts the objects, so that each read of one object calls it. */
  readonly isRemote: boolean;
}

/** What the codec of a kind needs of the server. */
export interface CodecEnvironment {
  readonly callConversionWebhook: CallConversionWebhook;
  readonly identifiers: { readonly uid: () => string };
  readonly gates: FeatureGates;
  readonly clock: Clock;
  readonly conversionMetrics: ConversionMetrics;
}

/**
 * Sends a ConversionReview of a version to the webhook of the definition with this name, and returns the review with its
 * response. @throws {Error} with upstream's message if no review comes back
 */
export type CallConversionWebhook = (
  webhook: { readonly name: string; readonly clientConfig: JsonObject },
  version: string,
  request: JsonObject,
) => Promise<JsonObject>;

interface Stored {
  readonly codec: StorageCodec | undefined;
}

/** A stored object as the verbs of the resource handle it. */
export function decodeStored({ codec }: Stored, stored: KubeObject): Awaitable<KubeObject> {
  return codec === undefined ? stored : whenReady(codec.decode([stored]), ([object = stored]) => object);
}

/** An object of the verbs as it is stored. */
export function encodeForStorage({ codec }: Stored, object: KubeObject): Awaitable<KubeObject> {
  return codec === undefined ? object : codec.encode(object);
}
