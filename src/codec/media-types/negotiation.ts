import { notAcceptable, type StatusError, unsupportedMediaType } from "../../apimachinery/errors/errors.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import { type Formats, type Representations, streamTypeOf } from "./formats.ts";
import { type AcceptClause, parseAccept, parseContentType } from "./media-type.ts";
import { noRepresentation } from "./no-representation.ts";
import type { MediaType, OutputFormat, Transform } from "./output-format.ts";

const metaGroup = "meta.k8s.io";

/**
 * The router's check before any handler: a clause must name one of the produced types, regardless of parameters and
 * weight. `application/*` does not match any.
 * @throws {StatusError} with the router's text
 */
export function checkProduces(request: ApiRequest, produced: readonly string[]): void {
  const accept = request.headers.get("accept");
  if (accept === undefined || accept === "" || produced.includes(accept)) return;
  const bare = accept.split(",").map((clause) => (clause.split(";")[0] ?? "").trim());
  const types = produced.map((type) => type.split(";")[0]);
  if (bare.some((type) => type === "*/*" || types.includes(type))) return;
  throw noRepresentation(request, produced);
}

/**
 * The first clause of Accept that can be satisfied, by weight.
 * @throws {StatusError} notAcceptable
 */
export function negotiateOutput(
  request: ApiRequest,
  query: QueryParameters,
  representations: Representations,
): OutputFormat {
  const format = acceptedFormat(request, query, representations);
  if (format === undefined) throw noneAcceptable(representations.named ?? representations.mediaTypes);
  return format;
}

/**
 * The format of a watch's events. Upstream negotiates it independently of the shape of objects: the first clause that
 * is acceptable for an object decides, and if its media type has no stream, the other clauses are not tried.
 * @throws {StatusError} notAcceptable
 */
export function negotiateStream(request: ApiRequest, query: QueryParameters, formats: Formats): MediaType {
  const format = acceptedFormat(request, query, formats.objects);
  if (format === undefined || !formats.objects.streamed.includes(format.mediaType)) {
    throw noneAcceptable(formats.streamNames);
  }
  return streamTypeOf(format.mediaType);
}

function acceptedFormat(
  request: ApiRequest,
  query: QueryParameters,
  representations: Representations,
): OutputFormat | undefined {
  for (const clause of parseAccept(acceptOf(request))) {
    const format = formatOf(clause, request, query, representations);
    if (format !== undefined) return format;
  }
  return undefined;
}

/** The media types that the client accepts. Default: all. */
export function acceptOf(request: ApiRequest): string {
  return request.headers.get("accept") || "*/*";
}

/** The error that lists the available media types. */
function noneAcceptable(names: readonly string[]): StatusError {
  return notAcceptable(`only the following media types are accepted: ${names.join(", ")}`);
}

function formatOf(
  clause: AcceptClause,
  request: ApiRequest,
  query: QueryParameters,
  representations: Representations,
): OutputFormat | undefined {
  const transform = transformOf(clause, representations);
  if (transform === "none") return undefined;
  if (transform === undefined) return plainFormatOf(clause, request, query, representations);
  // A Table has no binary form.
  const { mediaTypes, transformed = mediaTypes } = representations;
  const possible =
    transform.kind === "Table" ? mediaTypes.filter((type) => tableTypes.has(type)) : transformed;
  const format = plainFormatOf(clause, request, query, { ...representations, mediaTypes: possible });
  return format && { ...format, transform };
}

const tableTypes: ReadonlySet<MediaType> = new Set(["application/json", "application/yaml"]);

/** The format that a clause requests, without its shape; undefined if the server does not have it. */
export function plainFormatOf(
  clause: AcceptClause,
  request: ApiRequest,
  query: QueryParameters,
  { mediaTypes, streamed, metaVersions }: Representations,
): OutputFormat | undefined {
  const metaVersion = clause.params.get("sv");
  if (metaVersion !== undefined && !metaVersions.includes(metaVersion)) return undefined;
  const stream = clause.params.get("stream");
  if (stream !== undefined && stream !== "watch") return undefined;
  for (const mediaType of mediaTypes) {
    if (!clauseMatches(clause, mediaType) || (stream !== undefined && !streamed.includes(mediaType)))
      continue;
    return { mediaType, pretty: wantsPretty(clause, request, query), transform: undefined };
  }
  return undefined;
}

/** Whether the clause matches the type. A wildcard matches any subtype or any type. */
function clauseMatches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === "*") return subtype === "*";
  const slash = mediaType.indexOf("/");
  if (type.length !== slash || !mediaType.startsWith(type)) return false;
  return subtype === "*" || (mediaType.length === slash + 1 + subtype.length && mediaType.endsWith(subtype));
}

/** The shape that a clause requests. A group or version without a kind also requests a shape, which does not exist. */
function transformOf(
  { params }: AcceptClause,
  { transforms }: Representations,
): Transform | undefined | "none" {
  const as = params.get("as");
  const group = params.get("g");
  const version = params.get("v");
  if (as === undefined && group === undefined && version === undefined) return undefined;
  const kind = transforms.find((known) => known === as);
  if (kind === undefined || group !== metaGroup || (version !== "v1" && version !== "v1beta1")) return "none";
  return { kind, version };
}

const prettyAgents = ["curl", "Wget", "Mozilla/5.0"];
const goTrue: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

function wantsPretty(clause: AcceptClause, request: ApiRequest, query: QueryParameters): boolean {
  if (clause.params.get("pretty") === "1") return true;
  const parameter = query.get("pretty");
  if (parameter !== null && parameter !== "") return goTrue.has(parameter);
  const agent = request.headers.get("user-agent") ?? "";
  return prettyAgents.some((prefix) => agent.startsWith(prefix));
}

/**
 * The format of a body. Default: JSON.
 * @throws {StatusError} unsupportedMediaType
 */
export function negotiateInput(request: ApiRequest, mediaTypes: readonly MediaType[]): MediaType {
  const header = request.headers.get("content-type") ?? "";
  if (header === "") return "application/json";
  const bare = parseContentType(header)?.mediaType;
  const found = mediaTypes.find((type) => type === bare);
  if (found !== undefined) return found;
  const accepted = mediaTypes.join(", ");
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}
