import { plainError, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { encodeProtobuf } from "../../codec/protobuf/protobuf.ts";
import { structOfKind } from "../../schema/kind-schema.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { isKeptAsJson } from "./seal.ts";

/** What etcd accepts of a request, and what its client sends, in bytes. Both are the defaults. */
const mostOfRequest = 1.5 * 1024 * 1024;
const mostOfMessage = 2 * 1024 * 1024;

/** What etcd adds to a transaction: the header with the id of the request. */
const raftOverhead = 18;

/** A write of an object to storage. */
export interface StorageWrite {
  readonly path: string;
  /** The revision of the object that it replaces; undefined for a create. */
  readonly replaces: number | undefined;
  /** Whether an object that is too large loses its managedFields: that is so unless it is applied. */
  readonly dropsManagedFields: boolean;
}

/**
 * The object if storage accepts it, or without its managedFields. Upstream: apiserver, pkg/endpoints/handlers (create.go, update.go,
 * patch.go: isTooLargeError).
 * @throws {StatusError} 500 with the message of etcd or of its client
 */
export function measured(resource: StoredResource, object: KubeObject, write: StorageWrite): KubeObject {
  const problem = storageProblem(storedSize(resource, object), write);
  if (problem === undefined) return object;
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined || !write.dropsManagedFields) throw problem;
  return measured(resource, { ...object, metadata }, write);
}

/** The bytes of an object in etcd: custom resources and the kinds of their API server are JSON, all others protobuf. */
function storedSize({ definition }: StoredResource, object: KubeObject): number {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const value = { ...object, metadata };
  const struct = structOfKind(definition.schema);
  if (struct === undefined || isKeptAsJson(definition.groupResource)) {
    return new TextEncoder().encode(encodeJson(value)).length + 1;
  }
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
