import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { notAcceptable, type StatusError } from "../../apimachinery/errors/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { cachedForm, encodeList, encodeObject, encodeValue } from "../../codec/encode.ts";
import type { ListMeta } from "../../codec/encoding-target.ts";
import type { OutputFormat, Transform } from "../../codec/media-types/output-format.ts";
import { metadataList, metadataOf } from "../../codec/partial-object-metadata.ts";
import type { Answer, ListResult } from "../../registry/contract/rest.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import { convertMetadata } from "../contract/conversion.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { withSelfLink } from "../contract/self-link.ts";
import { includeObjectOf } from "./include-object.ts";
import { shownObjects } from "./shown-objects.ts";

/** The request to which a response is made. */
export interface Answering {
  readonly scope: ResourceScope;
  readonly format: OutputFormat;
  readonly context: ResourceContext;
  readonly environment: EndpointEnvironment;
}

/** Responds with one object in the negotiated format. */
export function respondObject(status: number, object: Encodable, answering: Answering): Responding {
  const { scope, format, environment } = answering;
  const { transform } = format;
  if (transform === undefined) {
    if (answering.context.request.document !== undefined) return handOver(status, object, scope);
    const use = answering.context.request.method === "GET" ? "read" : "write";
    const body = scope.storedConversion.isRemote
      ? whenReady(scope.shownConversion.convert([object.value]), ([shown = object.value]) =>
          encodeObject(transient(shown), scope, format, "write"),
        )
      : whenReady(shownUncached([object], answering), ([shown = object]) =>
          encodeObject(shown, scope, format, use),
        );
    return respond(status, format, body);
  }
  if (transform.kind === "Table") {
    const { resourceVersion = "" } = object.value.metadata;
    return respondTable(status, [object], { ...linkTo(object.value, scope), resourceVersion }, answering);
  }
  if (transform.kind === "PartialObjectMetadataList") throw cannotTransform(transform, scope, "object");
  const schema = metaSchema(environment.catalog, transform);
  const body = whenReady(convertMetadata(scope.storedConversion, [object.value]), ([shown = object.value]) =>
    encodeValue(
      inOrder(metadataOf(withSelfLink(shown, scope.selfLinkOf), transform.version), scope, schema),
      format,
      schema,
    ),
  );
  return respond(status, format, body);
}

/** Answers a part of the server, which needs no bytes. */
function handOver(status: number, object: Encodable, { shownConversion }: ResourceScope): Responding {
  return whenReady(
    shownObjects([object], shownConversion, () => false),
    ([{ value } = object]) => handedOver(status, value),
  );
}

function handedOver(status: number, document: JsonObject): EndpointResponse {
  return { status, headers: [], body: undefined, document };
}

/** The metadata of custom resources, whose keys are sorted, in the order of its type. */
function inOrder(
  metadata: JsonObject,
  { schema: { type } }: ResourceScope,
  schema: KindSchema | undefined,
): JsonObject {
  return type.from === "openApi" && schema !== undefined ? schema.canonicalize(metadata) : metadata;
}

/** Responds with the result of a verb: an object, or a Status. */
export function respondAnswer(status: number, answer: Answer, answering: Answering): Responding {
  if ("object" in answer) return respondObject(status, answer.object, answering);
  const code = answer.status.code ?? status;
  if (answering.context.request.document !== undefined) return handedOver(code, { ...answer.status });
  return respondStatus(code, answer.status, answering.format, answering.environment.catalog);
}

/** Responds with a list in the negotiated format. `isWhole` says that no selector left items out. */
export function respondList(list: ListResult, answering: Answering, isWhole = false): Responding {
  const { scope, format, environment } = answering;
  const { transform } = format;
  const { selfLinkOf } = scope;
  const metadata = {
    ...(selfLinkOf !== undefined && { selfLink: answering.context.path }),
    ...listMetadata(list),
  };
  if (transform === undefined) {
    const body = whenReady(shownUncached(list.items, answering), (items) =>
      encodeList(items, metadata, scope, format, isWhole),
    );
    return respond(200, format, body);
  }
  if (transform.kind === "Table") return respondTable(200, list.items, metadata, answering);
  if (transform.kind === "PartialObjectMetadata") throw cannotTransform(transform, scope, "list");
  const schema = metaSchema(environment.catalog, transform);
  const values = list.items.map(({ value }) => value);
  const body = whenReady(convertMetadata(scope.storedConversion, values), (shown) => {
    const linked = shown.map((object) => withSelfLink(object, selfLinkOf));
    return encodeValue(
      inOrder(metadataList(linked, metadata, transform.version), scope, schema),
      format,
      schema,
    );
  });
  return respond(200, format, body);
}

/** The objects in the version of the endpoint, except those with cached bytes in the requested format. */
function shownUncached(
  stored: readonly Encodable[],
  { scope, format }: Answering,
): Awaitable<readonly Encodable[]> {
  if (scope.shownConversion.isIdentity) return stored;
  const form = cachedForm(scope, format);
  return shownObjects(
    stored,
    scope.shownConversion,
    (object) => form !== undefined && object.isEncoded(form),
  );
}

/** Few clients want Tables, so the first request for one loads the printers. */
async function respondTable(
  status: number,
  objects: readonly Encodable[],
  metadata: ListMeta,
  answering: Answering,
): Promise<EndpointResponse> {
  const { objectTable } = await import("./table-response.ts");
  const { rest, storedConversion, loadPrinter } = answering.scope;
  const printer = await loadPrinter();
  const printed =
    rest.codec === undefined ? objects : await shownObjects(objects, storedConversion, () => false);
  const shown =
    rest.codec === undefined ? await shownInRows(objects, answering) : (printed: KubeObject) => printed;
  const table = objectTable(printed, metadata, { ...answering, printer, shown });
  return respond(status, answering.format, encodeValue(table, answering.format));
}

/** Cells of built-in kinds are printed from the stored objects; only rows that show whole objects need them in the endpoint's version. */
async function shownInRows(
  objects: readonly Encodable[],
  { scope: { shownConversion: conversion }, context }: Answering,
): Promise<(stored: KubeObject) => KubeObject> {
  if (conversion.isIdentity || includeObjectOf(context.query) !== "Object") return (stored) => stored;
  const shown = await shownObjects(objects, conversion, () => false);
  const values = new Map(objects.map(({ value }, index) => [value, shown[index]?.value ?? value]));
  return (stored) => values.get(stored) ?? stored;
}

/** Responds with a Status, which is never transformed into another shape. */
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

/** Objects in JSON are ready at once; other formats may have to be loaded. */
type Responding = EndpointResponse | Promise<EndpointResponse>;

type Pieces = readonly Uint8Array[];

function respond(status: number, format: OutputFormat, body: Pieces | Promise<Pieces>): Responding {
  if (body instanceof Promise) return body.then((pieces) => respond(status, format, pieces));
  return { status, headers: [["Content-Type", format.mediaType]], body, compression: "object" };
}

/** The link of a Table with one object. */
function linkTo(object: KubeObject, { selfLinkOf }: ResourceScope): ListMeta {
  const selfLink = selfLinkOf?.(object);
  return selfLink === undefined ? {} : { selfLink };
}

function listMetadata(list: ListResult): ListMeta {
  const { resourceVersion, continueToken, remainingItemCount } = list;
  return {
    // Resources that are not stored have no revision.
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

/** The error for a list requested as an object, and the reverse. Upstream prints the internal type. */
function cannotTransform(
  transform: Transform,
  scope: ResourceScope,
  requested: "list" | "object",
): StatusError {
  const group = scope.gvk.group === "" ? "core" : (scope.gvk.group.split(".")[0] ?? "");
  const type = `*${group}.${scope.gvk.kind}${requested === "list" ? "List" : ""}`;
  const what = requested === "list" ? "a list" : "not a list";
  return notAcceptable(`you requested ${transform.kind}, but the requested object is ${what} (${type})`);
}
