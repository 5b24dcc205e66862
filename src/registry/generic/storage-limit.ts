import { plainError, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { structOfKind } from "../../schema/kind-schema.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { isKeptAsJson } from "./seal.ts";

/** What etcd accepts of a request, and what its client sends, in bytes. Both are the defaults. */
const mostOfRequest = 1.5 * 1024 * 1024;
const mostOfMessage = 2 * 1024 * 1024;

/** What etcd adds to a transaction: the header with the id of the request. */
const raftOverhead = 18;

/** A character of a text may need six bytes, as `\u0001` in JSON. */
const mostPerCharacter = 6;
const enough = mostOfRequest / mostPerCharacter;

/** A write of an object to storage. */
interface StorageWrite {
  readonly path: string;
  /** The revision of the object that it replaces; undefined for a create. */
  readonly replaces: number | undefined;
  /** Whether an object that is too large loses its managedFields: that is so unless it is applied. */
  readonly dropsManagedFields: boolean;
}

/**
 * The object as storage accepts it: without its managedFields if it is too large with them. Few objects are large, so the others are
 * only weighed. Upstream: apiserver, pkg/endpoints/handlers (create.go, update.go, patch.go: isTooLargeError).
 * @throws {StatusError} 500 with the message of etcd or of its client
 */
export function withinStorageLimit(
  resource: StoredResource,
  object: KubeObject,
  write: StorageWrite,
): KubeObject | Promise<KubeObject> {
  return weightOf(object, enough) < enough ? object : measured(resource, object, write);
}

async function measured(
  resource: StoredResource,
  object: KubeObject,
  write: StorageWrite,
): Promise<KubeObject> {
  const problem = storageProblem(await storedSize(resource, object), write);
  if (problem === undefined) return object;
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined || !write.dropsManagedFields) throw problem;
  return measured(resource, { ...object, metadata }, write);
}

/** A little more than the characters of a value, as far as `most`. */
function weightOf(value: JsonValue | undefined, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let weight = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weightOf(item, most - weight) + 1;
      if (weight >= most) return weight;
    }
    return weight;
  }
  for (const name of Object.keys(value)) {
    weight +=
      name.length + 4 + weightOf((value as { readonly [name: string]: JsonValue })[name], most - weight);
    if (weight >= most) return weight;
  }
  return weight;
}

/** The bytes of an object in etcd: custom resources and the kinds of their API server are JSON, all others protobuf. */
async function storedSize({ definition }: StoredResource, object: KubeObject): Promise<number> {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const value = { ...object, metadata };
  const struct = structOfKind(definition.schema);
  if (struct === undefined || isKeptAsJson(definition.groupResource)) {
    return new TextEncoder().encode(encodeJson(value)).length + 1;
  }
  const { encodeProtobuf } = await import("../../codec/protobuf/protobuf.ts");
  return encodeProtobuf(struct, value).length;
}

function storageProblem(valueSize: number, write: StorageWrite): StatusError | undefined {
  const size = transactionSize(valueSize, write);
  if (size > mostOfMessage) {
    const text = `trying to send message larger than max (${size} vs. ${mostOfMessage})`;
    return plainError(500, `rpc error: code = ResourceExhausted desc = ${text}`);
  }
  if (size + raftOverhead > mostOfRequest) return plainError(500, "etcdserver: request is too large");
  return undefined;
}

/**
 * The bytes of the transaction that writes a value: a comparison of the revision, the write, and the read of the object if the
 * comparison of an update fails. Upstream: etcd, client/v3/kubernetes, `OptimisticPut`, and api/etcdserverpb/rpc.proto.
 */
function transactionSize(
  valueSize: number,
  { path, replaces }: Pick<StorageWrite, "path" | "replaces">,
): number {
  const key = embedded(new TextEncoder().encode(path).length);
  const comparison = 2 + key + 1 + varintSize(replaces ?? 0);
  const put = embedded(embedded(key + embedded(valueSize)));
  const read = replaces === undefined ? 0 : embedded(embedded(key));
  return embedded(comparison) + put + read;
}

/** The bytes of a field with a length, whose number is below 16. */
function embedded(size: number): number {
  return 1 + varintSize(size) + size;
}

function varintSize(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
