import { genericServerResponse } from "../../apimachinery/errors/errors.ts";
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
import {
  type AggregatedVersion,
  aggregatedDiscovery,
  aggregatedVersions,
} from "../../served/discovery/aggregated-discovery.ts";
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from "../../served/discovery/discovery-documents.ts";
import { builtinGroups, type DiscoveryGroup } from "../../served/discovery/discovery-group.ts";
import { type EndpointResponse, pageNotFound } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

const aggregatedGroup = "apidiscovery.k8s.io";
const aggregatedKind = "APIGroupDiscoveryList";

/** Answers `/api`, `/apis` and what is below them down to a version; undefined for other paths. */
export async function handleDiscovery(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const [root, group, version, ...rest] = context.path.replace(/^\/|\/$/g, "").split("/");
  if (rest.length > 0 || (root !== "api" && root !== "apis")) return undefined;
  const groups = builtinGroups(environment.catalog);
  if (root === "api") {
    if (group === undefined) return rootDocument("api", groups, context, environment);
    if (version !== undefined) return undefined;
    return versionDocument(groups, "", group, context, environment);
  }
  if (group === undefined) return rootDocument("apis", groups, context, environment);
  if (!groups.some(({ name }) => name === group)) return pageNotFound();
  if (version !== undefined) return versionDocument(groups, group, version, context, environment);
  return groupDocument(groups, group, context, environment);
}

async function rootDocument(
  root: "api" | "apis",
  groups: readonly DiscoveryGroup[],
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (root === "api") {
    checkMethod(context);
    checkProduces(context.request, environment.formats.mediaTypes);
  }
  const aggregated = negotiateAggregated(context, environment);
  if (aggregated !== undefined) return aggregatedDocument(root, groups, aggregated, context, environment);
  const document = root === "api" ? apiVersions(environment.advertiseAddress) : apiGroupList(groups);
  return respondDocument(document, "v1", context, environment);
}

interface Aggregated {
  readonly version: AggregatedVersion;
  readonly format: OutputFormat;
}

/** The first clause that asks for the aggregated document, wherever it stands; undefined when none does. */
function negotiateAggregated(
  { request, query }: RequestContext,
  { catalog, formats }: EndpointEnvironment,
): Aggregated | undefined {
  const versions = aggregatedVersions(catalog.release);
  for (const clause of parseAccept(acceptOf(request))) {
    const { params } = clause;
    if (params.get("as") !== aggregatedKind || params.get("g") !== aggregatedGroup) continue;
    const version = versions.find((known) => known === params.get("v"));
    const format = plainFormatOf(clause, request, query, formats.aggregatedDiscovery);
    if (version !== undefined && format !== undefined) return { version, format };
  }
  return undefined;
}

async function aggregatedDocument(
  root: "api" | "apis",
  groups: readonly DiscoveryGroup[],
  { version, format }: Aggregated,
  context: RequestContext,
  { catalog }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const { etag, document } = aggregatedDiscovery(groupsBelow(root, groups), catalog.release);
  const shared: EndpointResponse["headers"] = [
    ["Etag", etag],
    ["Vary", "Accept"],
    ["Cache-Control", "public"],
  ];
  if (context.request.headers.get("if-none-match") === etag)
    return { status: 304, headers: shared, body: undefined };
  const schema = catalog.kind({ group: aggregatedGroup, version, kind: aggregatedKind });
  const body = await encodeValue(document(version), format, schema);
  const contentType = `${format.mediaType};g=${aggregatedGroup};v=${version};as=${aggregatedKind}`;
  return { status: 200, headers: [["Content-Type", contentType], ...shared], body, compression: "object" };
}

const coreGroups = new WeakMap<readonly DiscoveryGroup[], readonly DiscoveryGroup[]>();
const namedGroups = new WeakMap<readonly DiscoveryGroup[], readonly DiscoveryGroup[]>();

/** The core group or the others; the same array for the same groups, so that documents are made once. */
function groupsBelow(root: "api" | "apis", groups: readonly DiscoveryGroup[]): readonly DiscoveryGroup[] {
  const known = root === "api" ? coreGroups : namedGroups;
  const before = known.get(groups);
  if (before !== undefined) return before;
  const below = groups.filter(({ name }) => (name === "") === (root === "api"));
  known.set(groups, below);
  return below;
}

function groupDocument(
  groups: readonly DiscoveryGroup[],
  name: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  checkMethod(context);
  checkProduces(context.request, environment.formats.mediaTypes);
  const group = groups.find((candidate) => candidate.name === name);
  if (group === undefined) throw genericServerResponse(404);
  return respondDocument(apiGroup(group), "v1", context, environment);
}

function versionDocument(
  groups: readonly DiscoveryGroup[],
  name: string,
  version: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const group = groups.find((candidate) => candidate.name === name);
  const found = group?.versions.find((candidate) => candidate.version === version);
  if (group === undefined || found === undefined) throw genericServerResponse(404);
  checkMethod(context);
  checkProduces(context.request, environment.formats.mediaTypes);
  return respondDocument(apiResourceList(group, found), "v1", context, environment);
}

function checkMethod({ request }: RequestContext): void {
  if (request.method !== "GET") throw genericServerResponse(405);
}

async function respondDocument(
  document: JsonObject,
  version: string,
  context: RequestContext,
  { catalog, formats }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const format = negotiateOutput(context.request, context.query, formats.plainObjects);
  const schema = catalog.kind({ group: "", version, kind: String(document["kind"]) });
  const body = await encodeValue(document, format, schema);
  return { status: 200, headers: [["Content-Type", format.mediaType]], body, compression: "object" };
}
