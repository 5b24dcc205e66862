import { genericServerResponse } from "../../apimachinery/errors/errors.ts";
import { listAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { encodeValue } from "../../codec/encode.ts";
import { parseAccept } from "../../codec/media-types/media-type.ts";
import {
  acceptOf,
  checkProduces,
  negotiateOutput,
  plainFormatOf,
} from "../../codec/media-types/negotiation.ts";
import type { OutputFormat } from "../../codec/media-types/output-format.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { builtInKindSchema } from "../../schema/built-in-schema.ts";
import {
  type AggregatedDiscovery,
  type AggregatedVersion,
  aggregatedVersions,
} from "../../served/discovery/aggregated-discovery.ts";
import { type Discovery, discoveryOf } from "../../served/discovery/discovery.ts";
import { apiGroup, apiGroupList, apiVersions } from "../../served/discovery/discovery-documents.ts";
import { type EndpointResponse, pageNotFound } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

const aggregatedGroup = "apidiscovery.k8s.io";
const aggregatedKind = "APIGroupDiscoveryList";

/** Answers `/api`, `/apis` and the paths of groups and versions below them; undefined for other paths. */
export async function handleDiscovery(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const [start, root, group, version, ...rest] = withoutSlashesAtEnd(context.path).split("/");
  if (start !== "" || rest.length > 0 || (root !== "api" && root !== "apis")) return undefined;
  // The mux matches the path of all groups exactly, and the router of a group with any number of slashes at its end.
  if (root === "apis" && group === undefined && context.path.length > "/apis/".length) return undefined;
  const discovery = discoveryOf(environment.served.current);
  if (root === "api") {
    if (group === undefined) return rootDocument("api", discovery, context, environment);
    return versionDocument(discovery, "", group, context, environment);
  }
  if (group === undefined) return rootDocument("apis", discovery, context, environment);
  // The core group has no path below /apis.
  if (group === "" || !discovery.groups.some(({ name }) => name === group)) return pageNotFound();
  if (version !== undefined) return versionDocument(discovery, group, version, context, environment);
  return groupDocument(discovery, group, context, environment);
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

async function rootDocument(
  root: "api" | "apis",
  discovery: Discovery,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (root === "api") {
    checkMethod(context);
    checkProduces(context.request, environment.formats.mediaTypes);
  }
  const aggregated = negotiateAggregated(context, environment);
  if (aggregated !== undefined) {
    return respondAggregated(discovery.aggregated(root), aggregated, context, environment);
  }
  const document =
    root === "api" ? apiVersions(environment.advertiseAddress()) : apiGroupList(discovery.groups);
  return respondDocument(document, context, environment);
}

/** The form of aggregated discovery that a client accepts. */
export interface Aggregated {
  readonly version: AggregatedVersion;
  readonly format: OutputFormat;
}

/** The first clause of Accept that names the aggregated document, whatever its position; undefined when none does. */
export function negotiateAggregated(
  { request, query }: RequestContext,
  { gates, formats }: EndpointEnvironment,
): Aggregated | undefined {
  const versions = aggregatedVersions(gates);
  for (const clause of parseAccept(acceptOf(request))) {
    const { params } = clause;
    if (params.get("as") !== aggregatedKind || params.get("g") !== aggregatedGroup) continue;
    const version = versions.find((known) => known === params.get("v"));
    const format = plainFormatOf(clause, request, query, formats.aggregatedDiscovery);
    if (version !== undefined && format !== undefined) return { version, format };
  }
  return undefined;
}

/** Answers with an aggregated document, unless the client has it. */
export async function respondAggregated(
  discovery: AggregatedDiscovery,
  { version, format }: Aggregated,
  context: RequestContext,
  { catalog }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { etag } = discovery;
  const shared: EndpointResponse["headers"] = [
    ["Etag", etag],
    ["Vary", "Accept"],
    ["Cache-Control", "public"],
  ];
  if (context.request.headers.get("if-none-match") === etag)
    return { status: 304, headers: shared, body: undefined };
  const schema = builtInKindSchema(catalog, { group: aggregatedGroup, version, kind: aggregatedKind });
  const body = await encodeValue(discovery.document(version), format, schema);
  const contentType = `${format.mediaType};g=${aggregatedGroup};v=${version};as=${aggregatedKind}`;
  return { status: 200, headers: [["Content-Type", contentType], ...shared], body, compression: "object" };
}

function groupDocument(
  discovery: Discovery,
  name: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  checkMethod(context);
  checkProduces(context.request, environment.formats.mediaTypes);
  const group = discovery.groups.find((candidate) => candidate.name === name);
  if (group === undefined) throw genericServerResponse(404);
  return respondDocument(apiGroup(group), context, environment);
}

function versionDocument(
  discovery: Discovery,
  name: string,
  version: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const group = discovery.groups.find((candidate) => candidate.name === name);
  const found = group?.versions.find((candidate) => candidate.version === version);
  if (group === undefined || found === undefined) throw genericServerResponse(404);
  checkMethod(context);
  checkProduces(context.request, environment.formats.mediaTypes);
  const list = discovery.resourceList(group, found);
  // Those of custom resources have no gate.
  const hasHashes = found.ownKind === "full" || environment.gates.isEnabled("StorageVersionHash");
  return respondDocument(hasHashes ? list : withoutHashes(list), context, environment);
}

function withoutHashes(list: JsonObject): JsonObject {
  const resources = listAt(list, "resources").map(({ storageVersionHash: _, ...resource }) => resource);
  return { ...list, resources };
}

function checkMethod({ request }: RequestContext): void {
  if (request.method !== "GET") throw genericServerResponse(405);
}

/** Answers with a document of the legacy form. */
export async function respondDocument(
  document: JsonObject,
  context: RequestContext,
  { catalog, formats }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const format = negotiateOutput(context.request, context.query, formats.plainObjects);
  const schema = builtInKindSchema(catalog, { group: "", version: "v1", kind: String(document["kind"]) });
  const body = await encodeValue(document, format, schema);
  return { status: 200, headers: [["Content-Type", format.mediaType]], body, compression: "object" };
}
