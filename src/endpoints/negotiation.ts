import {
  genericServerResponse,
  notAcceptable,
  type StatusError,
  unsupportedMediaType,
} from "../apimachinery/errors.ts";
import { type AcceptClause, parseAccept, parseContentType } from "../codec/media-type.ts";
import type { MediaType, OutputFormat, Transform } from "../codec/output-format.ts";
import type { ApiRequest } from "../request/handler.ts";
import type { Representations } from "./formats.ts";

const metaGroup = "meta.k8s.io";

/**
 * What the router does before any handler runs: some clause must name one of the produced types, whatever its
 * parameters and weight; `application/*` names none.
 * @throws {StatusError} notAcceptable with the router's text.
 */
export function checkProduces(request: ApiRequest, produced: readonly string[]): void {
  const accept = request.headers.get("accept");
  if (accept === undefined || accept === "" || produced.includes(accept)) return;
  const bare = accept.split(",").map((clause) => (clause.split(";")[0] ?? "").trim());
  const types = produced.map((type) => type.split(";")[0]);
  if (bare.some((type) => type === "*/*" || types.includes(type))) return;
  const text = `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`;
  throw genericServerResponse(406, text);
}

/**
 * The first clause of Accept that can be satisfied, by weight.
 * @throws {StatusError} notAcceptable
 */
export function negotiateOutput(
  request: ApiRequest,
  query: URLSearchParams,
  representations: Representations,
): OutputFormat {
  for (const clause of parseAccept(acceptOf(request))) {
    const format = formatOf(clause, request, query, representations);
    if (format !== undefined) return format;
  }
  throw noneAcceptable(representations);
}

/** What the client accepts; everything if it does not say. */
export function acceptOf(request: ApiRequest): string {
  return request.headers.get("accept") || "*/*";
}

/** The refusal that names what there is. */
export function noneAcceptable({ names }: Representations): StatusError {
  const types = names.join(", ");
  return notAcceptable(`only the following media types are accepted: ${types}`);
}

function formatOf(
  clause: AcceptClause,
  request: ApiRequest,
  query: URLSearchParams,
  { mediaTypes, allowsTransform, isStream }: Representations,
): OutputFormat | undefined {
  const mediaType = mediaTypes.find((type) => clauseMatches(clause, type));
  if (mediaType === undefined || (clause.params.has("stream") && !isStream)) return undefined;
  const transform = transformOf(clause);
  if (transform === "unknown") return undefined;
  if (transform !== undefined && !(allowsTransform && canTransform(transform, mediaType))) return undefined;
  return { mediaType, pretty: wantsPretty(clause, request, query), transform };
}

function clauseMatches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const slash = mediaType.indexOf("/");
  const sameType = type === "*" || (type.length === slash && mediaType.startsWith(type));
  const length = slash + 1 + subtype.length;
  return sameType && (subtype === "*" || (mediaType.length === length && mediaType.endsWith(subtype)));
}

function transformOf(clause: AcceptClause): Transform | undefined | "unknown" {
  const as = clause.params.get("as");
  if (as === undefined || as === "") return undefined;
  const version = clause.params.get("v");
  if (clause.params.get("g") !== metaGroup || (version !== "v1" && version !== "v1beta1")) return "unknown";
  if (as === "Table" || as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") {
    return { kind: as, version };
  }
  return "unknown";
}

/** A Table has no protobuf form. */
function canTransform(transform: Transform, mediaType: MediaType): boolean {
  return transform.kind !== "Table" || mediaType !== "application/vnd.kubernetes.protobuf";
}

const prettyAgents = ["curl", "Wget", "Mozilla/5.0"];
const goTrue: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

function wantsPretty(clause: AcceptClause, request: ApiRequest, query: URLSearchParams): boolean {
  const parameter = query.get("pretty");
  if (parameter !== null && parameter !== "") return goTrue.has(parameter);
  if (clause.params.get("pretty") === "1") return true;
  const agent = request.headers.get("user-agent") ?? "";
  return prettyAgents.some((prefix) => agent.startsWith(prefix));
}

/**
 * The format of a body; JSON when nobody says.
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
