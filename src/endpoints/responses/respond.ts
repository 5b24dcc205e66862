import { notAcceptable, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Encodable } from "../../codec/encodable.ts";
import { encodeList, encodeObject, encodeValue, type ListMeta } from "../../codec/encode.ts";
import type { OutputFormat, Transform } from "../../codec/media-types/output-format.ts";
import { metadataList, metadataOf } from "../../codec/partial-object-metadata.ts";
import type { Answer, ListResult } from "../../registry/contract/rest.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";

/** What the makers of an answer have at hand. */
export interface Answering {
  readonly scope: ResourceScope;
  readonly format: OutputFormat;
  readonly context: ResourceContext;
  readonly environment: EndpointEnvironment;
}

/** Answers one object in the format that was agreed on. */
export function respondObject(status: number, object: Encodable, answering: Answering): Responding {
  const { scope, format, environment } = answering;
  const { transform } = format;
  if (transform === undefined) return respond(status, format, encodeObject(object, scope, format));
  if (transform.kind === "Table") {
    const { resourceVersion = "" } = object.value.metadata;
    return respondTable(status, [object], { resourceVersion }, answering);
  }
  if (transform.kind === "PartialObjectMetadataList") throw cannotTransform(transform, scope, false);
  const value = metadataOf(scope.convert(object.value), transform.version);
  return respond(status, format, encodeValue(value, format, metaSchema(environment.catalog, transform)));
}

/** Answers what a verb gave: an object, or a Status. */
export function respondAnswer(status: number, answer: Answer, answering: Answering): Responding {
  if ("object" in answer) return respondObject(status, answer.object, answering);
  return respondStatus(
    answer.status.code ?? status,
    answer.status,
    answering.format,
    answering.environment.catalog,
  );
}

/** Answers a list in the format that was agreed on. */
export function respondList(list: ListResult, answering: Answering): Responding {
  const { scope, format, environment } = answering;
  const { transform } = format;
  const metadata = listMetadata(list);
  if (transform === undefined) {
    return respond(200, format, encodeList(list.items, metadata, scope, format));
  }
  if (transform.kind === "Table") return respondTable(200, list.items, metadata, answering);
  if (transform.kind === "PartialObjectMetadata") throw cannotTransform(transform, scope, true);
  const objects = list.items.map(({ value }) => scope.convert(value));
  const value = metadataList(objects, metadata, transform.version);
  return respond(200, format, encodeValue(value, format, metaSchema(environment.catalog, transform)));
}

/** Most clients want no Tables, so the printers are loaded by the first that does. */
async function respondTable(
  status: number,
  objects: readonly Encodable[],
  metadata: ListMeta,
  answering: Answering,
): Promise<EndpointResponse> {
  const { objectTable } = await import("./table-response.ts");
  const table = objectTable(objects, metadata, answering);
  return respond(status, answering.format, encodeValue(table, answering.format));
}

/** Answers a Status; it stays one, whatever other shape was asked for. */
export async function respondStatus(
  code: number,
  status: Status,
  format: OutputFormat,
  catalog: Catalog,
): Promise<EndpointResponse> {
  const schema = builtInKindSchema(catalog, { group: "", version: "v1", kind: "Status" });
  const answer = await respond(code, format, encodeValue(status, format, schema));
  const retryAfter = status.details?.retryAfterSeconds;
  if (!retryAfter) return answer;
  return { ...answer, headers: [...answer.headers, ["Retry-After", String(retryAfter)]] };
}

/** Objects in JSON are ready at once; other forms may have to be loaded first. */
type Responding = EndpointResponse | Promise<EndpointResponse>;

type Pieces = readonly Uint8Array[];

function respond(status: number, format: OutputFormat, body: Pieces | Promise<Pieces>): Responding {
  if (body instanceof Promise) return body.then((pieces) => respond(status, format, pieces));
  return { status, headers: [["Content-Type", format.mediaType]], body, compression: "object" };
}

function listMetadata(list: ListResult): ListMeta {
  const { resourceVersion, continueToken, remainingItemCount } = list;
  return {
    // What is not kept has no revision.
    ...(resourceVersion !== "" && { resourceVersion }),
    ...(continueToken !== undefined && { continue: continueToken }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

function metaSchema(catalog: Catalog, transform: Transform): KindSchema | undefined {
  return builtInKindSchema(catalog, {
    group: "meta.k8s.io",
    version: transform.version,
    kind: transform.kind,
  });
}

/** A list asked for as an object, or the other way round. Upstream prints its internal type. */
function cannotTransform(transform: Transform, scope: ResourceScope, isList: boolean): StatusError {
  const group = scope.gvk.group === "" ? "core" : (scope.gvk.group.split(".")[0] ?? "");
  const type = `*${group}.${scope.gvk.kind}${isList ? "List" : ""}`;
  const what = isList ? "a list" : "not a list";
  return notAcceptable(`you requested ${transform.kind}, but the requested object is ${what} (${type})`);
}
