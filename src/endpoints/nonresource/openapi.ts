import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import { builtinFile, builtinFileKeys } from "../../catalog/builtin.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { parseAccept } from "../../codec/media-types/media-type.ts";
import { acceptOf } from "../../codec/media-types/negotiation.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { openApiV2, openApiV3, openApiV3Paths } from "../../served/openapi/openapi-documents.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { preconditionStatus } from "../requests/conditional-request.ts";

/** A document in both its forms, made when they are first asked for. */
class OpenApiFile {
  readonly #make: () => JsonObject;
  readonly #toProtobuf: (document: JsonObject) => Promise<Uint8Array>;
  #json: Uint8Array | undefined;
  #protobuf: Promise<Uint8Array> | undefined;
  /** The digest that stands in URLs and ETags: SHA-512 in upper case. */
  readonly hash: string;

  constructor(
    hash: string,
    make: () => JsonObject,
    toProtobuf: (document: JsonObject) => Promise<Uint8Array>,
  ) {
    this.hash = hash;
    this.#make = make;
    this.#toProtobuf = toProtobuf;
  }

  json(): Uint8Array {
    this.#json ??= new TextEncoder().encode(encodeJson(this.#make()));
    return this.#json;
  }

  protobuf(): Promise<Uint8Array> {
    this.#protobuf ??= this.#toProtobuf(this.#make());
    return this.#protobuf;
  }
}

const files = new WeakMap<object, Map<string, OpenApiFile>>();

/** Answers `/openapi/v2` and what is at and below `/openapi/v3`; undefined for other paths. */
export async function serveOpenApi(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const { path } = context;
  if (path === "/openapi/v2") return serveV2(context, environment);
  if (path === "/openapi/v3" || path === "/openapi/v3/") return serveV3Index(context, environment);
  if (path.startsWith("/openapi/v3/"))
    return serveV3(path.slice("/openapi/v3/".length), context, environment);
  return undefined;
}

async function serveV2(context: RequestContext, environment: EndpointEnvironment): Promise<EndpointResponse> {
  const file = fileOf(environment, "v2", () => openApiV2(environment.catalog));
  const answer = await serveFile(file, "v2", context, environment);
  return { ...answer, headers: [...answer.headers, ["Vary", "Accept"]], compression: "openapi" };
}

function serveV3Index(context: RequestContext, environment: EndpointEnvironment): EndpointResponse {
  const entries = openApiV3Paths(environment.catalog).map((path): [string, JsonObject] => [
    path,
    { serverRelativeURL: urlOf(path, v3File(environment, path)) },
  ]);
  const text = encodeJson({ paths: Object.fromEntries(entries) });
  // Upstream puts it together for every request.
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
  if (!openApiV3Paths(environment.catalog).includes(path))
    return { status: 404, headers: [], body: undefined };
  const file = v3File(environment, path);
  const asked = context.query.get("hash") ?? "";
  const isMoved = asked !== "" && asked !== file.hash;
  const answer = isMoved ? movedTo(path, file, context) : await serveFile(file, "v3", context, environment);
  const isKept = asked !== "" && !isMoved && answer.status !== 406;
  const immutable = isKept ? immutableHeaders(environment) : [];
  return { ...answer, headers: [...answer.headers, ["Vary", "Accept"], ...immutable] };
}

/** The document has changed since the client learned its URL. */
function movedTo(path: string, file: OpenApiFile, context: RequestContext): EndpointResponse {
  const contentType = negotiate(context, "v3");
  if (contentType === undefined) return { status: 406, headers: [], body: undefined };
  const headers: EndpointResponse["headers"] = [
    ["Content-Type", contentType],
    ["Etag", `"${file.hash}"`],
    ["Location", urlOf(path, file)],
  ];
  return { status: 301, headers, body: undefined };
}

/** A year is as long as a document may be kept. Upstream names the zone otherwise here than HTTP has it. */
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

/** The media type of the answer; undefined when no clause of Accept names one that there is. */
function negotiate(context: RequestContext, version: "v2" | "v3"): string | undefined {
  const protobuf = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const asSent = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  for (const { type, subtype } of parseAccept(acceptOf(context.request))) {
    if (type !== "*" && type !== "application") continue;
    const asked = `application/${subtype}`;
    if (subtype === "*" || asked === "application/json") return "application/json";
    if (asked === protobuf || asked === asSent) return protobuf;
  }
  return undefined;
}

/** What Go's file server adds. */
function fileHeaders(lastModified: number): EndpointResponse["headers"] {
  return [["Accept-Ranges", "bytes"], lastModifiedHeader(lastModified)];
}

function lastModifiedHeader(lastModified: number): readonly [name: string, value: string] {
  return ["Last-Modified", new Date(lastModified).toUTCString()];
}

function urlOf(path: string, file: OpenApiFile): string {
  return `/openapi/v3/${path}?hash=${file.hash}`;
}

function v3File(environment: EndpointEnvironment, path: string): OpenApiFile {
  return fileOf(environment, path, () => openApiV3(environment.catalog, path) ?? {});
}

function fileOf({ catalog }: EndpointEnvironment, path: string, make: () => JsonObject): OpenApiFile {
  const ofCatalog = files.get(catalog) ?? new Map<string, OpenApiFile>();
  files.set(catalog, ofCatalog);
  const known = ofCatalog.get(path);
  if (known !== undefined) return known;
  const file = new OpenApiFile(hashOf(catalog, path), make, path === "v2" ? v2Protobuf : v3Protobuf);
  ofCatalog.set(path, file);
  return file;
}

/**
 * Names a document by what it is made from, so that the index of all of them costs none of them. Raise the number
 * when the same catalog begins to give other documents.
 */
function hashOf(catalog: Catalog, path: string): string {
  const served = catalog.groupVersions().map(formatGroupVersion);
  return sha512Hex(["openapi 1", catalogDigest(), catalog.release, ...served, path].join("\n"));
}

let digestOfFiles: string | undefined;

function catalogDigest(): string {
  digestOfFiles ??= sha512Hex(
    builtinFileKeys()
      .map((key) => builtinFile(key) ?? "")
      .join("\n"),
  );
  return digestOfFiles;
}

async function v2Protobuf(document: JsonObject): Promise<Uint8Array> {
  const { encodeOpenApiV2Protobuf } = await import("../../served/openapi/openapi-protobuf.ts");
  return encodeOpenApiV2Protobuf(document);
}

async function v3Protobuf(document: JsonObject): Promise<Uint8Array> {
  const { encodeOpenApiV3Protobuf } = await import("../../served/openapi/openapi-protobuf.ts");
  return encodeOpenApiV3Protobuf(document);
}
