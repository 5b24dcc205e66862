import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { parseAccept } from "../../codec/media-types/media-type.ts";
import { acceptOf } from "../../codec/media-types/negotiation.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { preconditionStatus } from "../requests/conditional-request.ts";
import { type OpenApiFile, type OpenApiFiles, openApiFiles } from "./openapi-files.ts";

/** Answers `/openapi/v2`, `/openapi/v3` and the paths below; undefined for other paths. */
export async function serveOpenApi(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const { path } = context;
  if (path === "/openapi/v2") return serveV2(context, environment);
  if (!environment.gates.isEnabled("OpenAPIV3")) return undefined;
  if (path === "/openapi/v3" || path === "/openapi/v3/") return serveV3Index(context, environment);
  if (path.startsWith("/openapi/v3/"))
    return serveV3(path.slice("/openapi/v3/".length), context, environment);
  return undefined;
}

function filesOf({ served, gates, openapiDescriptions }: EndpointEnvironment): OpenApiFiles {
  const enums = gates.isEnabled("OpenAPIEnums") ? "with enums" : "without enums";
  return openApiFiles(served.current, enums, openapiDescriptions);
}

/** Answers `/openapi/v2`; `change` adds what other servers have. */
export async function serveV2(
  context: RequestContext,
  environment: EndpointEnvironment,
  change: (file: OpenApiFile) => OpenApiFile = (file) => file,
): Promise<EndpointResponse> {
  const file = change(filesOf(environment).v2());
  const answer = await serveFile(file, "v2", context, environment);
  const headers: EndpointResponse["headers"] = [
    ["Vary", "Accept-Encoding"],
    ["Vary", "Accept"],
    ...answer.headers,
  ];
  return { ...answer, headers, compression: "openapi" };
}

/** Answers `/openapi/v3`, the index, with the entries of other servers. */
export function serveV3Index(
  context: RequestContext,
  environment: EndpointEnvironment,
  others: { readonly [path: string]: JsonValue } = {},
): EndpointResponse {
  const entries = filesOf(environment)
    .v3Files()
    .map(([path, file]): [string, JsonObject] => [path, { serverRelativeURL: v3Url(path, file) }]);
  const all = [...entries, ...Object.entries(others)].sort(([a], [b]) => compareText(a, b));
  const text = encodeJson({ paths: Object.fromEntries(all) });
  // Upstream makes the index for each request.
  const lastModified = environment.clock.now();
  const status = preconditionStatus(context.request, { lastModified });
  if (status !== undefined) return { status, headers: [lastModifiedHeader(lastModified)], body: undefined };
  return {
    status: 200,
    headers: [["Content-Type", "text/plain; charset=utf-8"], ...fileHeaders(lastModified)],
    body: context.request.method === "HEAD" ? undefined : new TextEncoder().encode(text),
  };
}

async function serveV3(
  path: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const file = filesOf(environment).v3(path);
  if (file === undefined) return { status: 404, headers: [], body: undefined };
  return serveV3File(path, file, context, environment);
}

/** Answers a path below `/openapi/v3` with a document. */
export async function serveV3File(
  path: string,
  file: OpenApiFile,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const requestedHash = context.query.get("hash") ?? "";
  const isMoved = requestedHash !== "" && requestedHash !== file.hash;
  const answer = isMoved ? movedTo(path, file, context) : await serveFile(file, "v3", context, environment);
  const isKept = requestedHash !== "" && !isMoved && answer.status !== 406;
  const immutable = isKept ? immutableHeaders(environment) : [];
  return { ...answer, headers: [...answer.headers, ["Vary", "Accept"], ...immutable] };
}

/** The answer to the URL of an older document. */
function movedTo(path: string, file: OpenApiFile, context: RequestContext): EndpointResponse {
  const contentType = negotiate(context, "v3");
  if (contentType === undefined) return { status: 406, headers: [], body: undefined };
  const headers: EndpointResponse["headers"] = [
    ["Content-Type", contentType],
    ["Etag", `"${file.hash}"`],
    ["Location", v3Url(path, file)],
  ];
  return { status: 301, headers, body: undefined };
}

/** Clients may cache a document for a year. Upstream writes the time zone as UTC here, not as GMT like HTTP. */
function immutableHeaders({ clock }: EndpointEnvironment): EndpointResponse["headers"] {
  const expires = new Date(clock.now());
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return [
    ["Cache-Control", "public, immutable"],
    ["Expires", expires.toUTCString().replace(/GMT$/, "UTC")],
  ];
}

async function serveFile(
  file: OpenApiFile,
  version: "v2" | "v3",
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const contentType = negotiate(context, version);
  if (contentType === undefined) return { status: 406, headers: [], body: undefined };
  const etag = `"${file.hash}"`;
  const lastModified = environment.startedAt;
  const shared: EndpointResponse["headers"] = [["Etag", etag]];
  const status = preconditionStatus(context.request, { etag, lastModified });
  if (status !== undefined) return { status, headers: shared, body: undefined };
  const bytes = contentType === "application/json" ? file.json() : await file.protobuf();
  return {
    status: 200,
    headers: [["Content-Type", contentType], ...shared, ...fileHeaders(lastModified)],
    body: context.request.method === "HEAD" ? undefined : bytes,
  };
}

/** The media type of the answer; undefined when no clause of Accept names an available one. */
function negotiate(context: RequestContext, version: "v2" | "v3"): string | undefined {
  const protobuf = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const asSent = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  for (const { type, subtype } of parseAccept(acceptOf(context.request))) {
    if (type !== "*" && type !== "application") continue;
    const requested = `application/${subtype}`;
    if (subtype === "*" || requested === "application/json") return "application/json";
    if (requested === protobuf || requested === asSent) return protobuf;
  }
  return undefined;
}

/** The headers that Go's file server adds. */
function fileHeaders(lastModified: number): EndpointResponse["headers"] {
  return [["Accept-Ranges", "bytes"], lastModifiedHeader(lastModified)];
}

function lastModifiedHeader(lastModified: number): readonly [name: string, value: string] {
  return ["Last-Modified", new Date(lastModified).toUTCString()];
}

/** The URL of a document, which changes with it. */
export function v3Url(path: string, file: OpenApiFile): string {
  return `/openapi/v3/${path}?hash=${file.hash}`;
}
