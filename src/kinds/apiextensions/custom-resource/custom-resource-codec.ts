import { type Awaitable, whenReady } from "../../../apimachinery/awaitable.ts";
import { DecodeError } from "../../../apimachinery/decode-error.ts";
import { plainError } from "../../../apimachinery/errors/errors.ts";
import { structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { CodecEnvironment, StorageCodec } from "../../../registry/contract/storage-codec.ts";
import type { CustomResourceSchema } from "../../../schema/custom-resource-schema.ts";
import { convertByWebhook } from "./webhook-conversion.ts";

/** What the codecs of a kind have of its definition. */
export interface CodecSource {
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  readonly kind: string;
  readonly storageVersion: string;
  readonly conversion: JsonObject;
  readonly schemas: ReadonlyMap<string, CustomResourceSchema>;
}

/**
 * Reads custom resources as upstream reads them from etcd: pruned and completed by the version in which an object was
 * stored, then converted, then pruned by the version of the request. Writes convert to the storage version. A definition
 * that changes its storage version leaves older objects as they are, so each object says its own version. Upstream:
 * apiextensions-apiserver, pkg/apiserver/customresource_handler.go.
 */
export function customResourceCodec(
  source: CodecSource,
  version: string,
  environment: CodecEnvironment,
): StorageCodec {
  const { group, resource, kind, storageVersion, conversion, schemas } = source;
  const versions = new Map(
    [...schemas].map(([name, schema]) => [formatGroupVersion({ group, version: name }), schema]),
  );
  const own = { group, version, kind };
  const stored = { group, version: storageVersion, kind };
  const isRemote = conversion["strategy"] === "Webhook";
  const webhook = structAt(conversion, "webhook");
  const converter = isRemote
    ? {
        name: `${resource}.${group}`,
        clientConfig: structAt(webhook, "clientConfig"),
        reviewVersions: textsAt(webhook, "conversionReviewVersions"),
        ...environment,
      }
    : undefined;
  const convert = (objects: readonly KubeObject[], to: GroupVersionKind) => {
    const apiVersion = formatGroupVersion(to);
    const target = versions.get(apiVersion);
    if (objects.every((object) => object.apiVersion === apiVersion)) return objects;
    checkVersions(objects, versions);
    const prune = (object: KubeObject, i: number): KubeObject =>
      object === objects[i] || target === undefined ? object : prunedBy(target, object);
    if (converter === undefined) return objects.map((object, i) => prune(named(object, apiVersion), i));
    return convertByWebhook(objects, to, converter).then((converted) => converted.map(prune));
  };
  return {
    isRemote: isRemote && schemas.size > 1,
    convert,
    decode: (objects) => {
      const complete = objects.map(
        (object) => versions.get(object.apiVersion)?.fromStorage(object) ?? object,
      );
      return convert(complete, own);
    },
    encode: (object) => {
      if (version !== storageVersion)
        return encoded(object, schemas.get(storageVersion), (unsaved) => convert([unsaved], stored));
      versions.get(object.apiVersion)?.rememberComplete(object);
      return object;
    },
  };
}

/** Upstream stores objects without their revision, and a webhook does not see one. */
function encoded(
  object: KubeObject,
  schema: CustomResourceSchema | undefined,
  convert: (object: KubeObject) => Awaitable<readonly KubeObject[]>,
): Awaitable<KubeObject> {
  const { resourceVersion = "", ...metadata } = object.metadata;
  return whenReady(convert({ ...object, metadata }), ([converted = object]) => {
    const stamped = { ...converted, metadata: { ...converted.metadata, resourceVersion } };
    return schema?.canonicalize(stamped) ?? stamped;
  });
}

/** @throws {StatusError} 500 if a resource within the object has metadata of wrong types */
function prunedBy(schema: CustomResourceSchema, object: KubeObject): KubeObject {
  try {
    return schema.canonicalize(schema.pruned(object));
  } catch (error) {
    throw error instanceof DecodeError ? plainError(500, error.message) : error;
  }
}

function named(object: KubeObject, apiVersion: string): KubeObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** @throws {StatusError} for an object in a version that the definition no longer has */
function checkVersions(objects: readonly KubeObject[], versions: ReadonlyMap<string, unknown>): void {
  for (const object of objects) {
    if (versions.has(object.apiVersion)) continue;
    const from = textAt(object, "apiVersion");
    throw plainError(500, `request to convert CR from an invalid group/version: ${from}`);
  }
}
