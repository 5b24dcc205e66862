import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { BatchConversion, OwnConversion } from "../../registry/contract/own-conversion.ts";
import type { StorageCodec } from "../../registry/contract/storage-codec.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { keepSentQuantities } from "../../schema/sent-quantities.ts";

/** One version of a kind. */
export interface KindVersion {
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
}

/**
 * How objects get from the stored version to that of an endpoint and back: whole batches, in order. A webhook takes
 * time; what the server converts itself is ready at once.
 */
export interface Conversion {
  /** Both versions are the same: objects stay as they are, and there is nothing to wait for. */
  readonly isIdentity: boolean;
  readonly convert: (objects: readonly KubeObject[]) => Awaitable<readonly KubeObject[]>;
  /**
   * Whether PartialObjectMetadata shows what the conversion does to metadata. Upstream takes the metadata of built-in
   * kinds from their internal types, so annotations that a conversion adds for old versions are not part of it
   * (apiserver, pkg/endpoints/handlers/response.go: asPartialObjectMetadata).
   */
  readonly showsMetadata: () => boolean;
  /** Whether what is read of one object must not come from the bytes of an earlier read. */
  readonly isRemote?: boolean;
  readonly convertToStored: (
    objects: readonly MutableKubeObject[],
  ) => Awaitable<readonly MutableKubeObject[]>;
}

/** Finds what a kind does differently on the way between the stored version and another one. */
export type ConversionOf = (to: GroupVersionKind) => OwnConversion | BatchConversion | undefined;

const identity: Conversion = {
  isIdentity: true,
  convert: (objects) => objects,
  showsMetadata: () => false,
  convertToStored: (objects) => objects,
};

/**
 * The conversion between the version that is stored and the one of an endpoint. Most versions differ only in fields
 * that were added or removed, and the schema takes care of those; kinds whose fields moved have a conversion of their
 * own.
 */
export function conversionBetween(
  stored: KindVersion,
  endpoint: KindVersion,
  conversionOf: ConversionOf,
): Conversion {
  if (isSame(stored.gvk, endpoint.gvk)) return identity;
  const fromStored = (object: KubeObject): KubeObject =>
    endpoint.schema.canonicalize(withKind(object, endpoint.gvk));
  const toStored = (object: KubeObject): MutableKubeObject => withKind(object, stored.gvk);
  return {
    isIdentity: false,
    convert: (objects) => {
      const own = conversionOf(endpoint.gvk);
      if (own === undefined) return objects.map(fromStored);
      if (!isBatch(own)) return objects.map((object) => fromStored(own.fromStored(object)));
      return whenReady(own.convert(objects, endpoint.gvk), (converted) => converted.map(fromStored));
    },
    showsMetadata: () => {
      const own = conversionOf(endpoint.gvk);
      return own !== undefined && isBatch(own);
    },
    convertToStored: (objects) => {
      const own = conversionOf(endpoint.gvk);
      if (own === undefined) return objects.map(toStored);
      if (!isBatch(own)) return objects.map((object) => toStored(own.toStored(object)));
      return whenReady(own.convert(objects, stored.gvk), (converted) => converted.map(toStored));
    },
  };
}

/** The conversion of what the store has, for a resource whose verbs handle another form. */
export function conversionOfCodec(codec: StorageCodec): Conversion {
  return {
    isIdentity: false,
    isRemote: codec.isRemote,
    convert: codec.decode,
    showsMetadata: () => true,
    convertToStored: () => {
      throw new Error("the verbs encode objects for the store");
    },
  };
}

/** One object in the version of the endpoint. */
export function convertObject(conversion: Conversion, object: KubeObject): Awaitable<KubeObject> {
  return conversion.isIdentity ? object : whenReady(conversion.convert([object]), onlyOne);
}

/** Objects with the metadata that the endpoint shows; their other fields may be those of the stored version. */
export function convertMetadata(
  conversion: Conversion,
  objects: readonly KubeObject[],
): Awaitable<readonly KubeObject[]> {
  return conversion.showsMetadata() ? conversion.convert(objects) : objects;
}

/** One object in the version that is stored. */
export function convertObjectToStored(
  conversion: Conversion,
  object: MutableKubeObject,
): Awaitable<MutableKubeObject> {
  if (conversion.isIdentity) return object;
  return whenReady(conversion.convertToStored([object]), (converted) =>
    keepSentQuantities(object, onlyOne(converted)),
  );
}

function onlyOne<T>([object]: readonly T[]): T {
  if (object === undefined) throw new Error("the conversion of an object returned nothing");
  return object;
}

function isBatch(conversion: OwnConversion | BatchConversion): conversion is BatchConversion {
  return "convert" in conversion;
}

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

function withKind(object: KubeObject, gvk: GroupVersionKind): MutableKubeObject {
  return { ...object, kind: gvk.kind, apiVersion: formatGroupVersion(gvk) };
}
