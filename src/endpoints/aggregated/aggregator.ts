import type { GroupVersion } from "../../apimachinery/group-version.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { AggregatedDiscovery } from "../../served/discovery/aggregated-discovery.ts";
import { discoveryOf } from "../../served/discovery/discovery.ts";
import { apiGroup, apiGroupList } from "../../served/discovery/discovery-documents.ts";
import { type EndpointResponse, plainText } from "../contract/endpoint-response.ts";
import type { Aggregator, EndpointEnvironment } from "../contract/environment.ts";
import { negotiateAggregated, respondAggregated, respondDocument } from "../nonresource/discovery.ts";
import { registeredGroups, withRemoteResources } from "./group-documents.ts";
import { answerOpenApi } from "./openapi.ts";
import { proxy } from "./proxy.ts";
import type { RemoteVersion } from "./registered-version.ts";
import type { RemoteApis } from "./remote-apis.ts";

/** Answers for other servers. Upstream: kube-aggregator, pkg/apiserver. */
export function aggregatorOf(apis: RemoteApis): Pick<Aggregator, "answer"> {
  return {
    answer: (context, environment) => {
      const { path } = context;
      if (path === "/apis" || path === "/apis/") return answerGroups(apis, context, environment);
      if (path.startsWith("/openapi/")) return answerOpenApi(apis, context, environment, answerRemote);
      const gv = groupVersionIn(path);
      if (gv === undefined) return undefined;
      const remote = apis.remote(gv);
      if (remote !== undefined) return answerRemote(apis, remote, context, environment);
      return gv.version === "" ? answerGroup(apis, gv.group, context, environment) : undefined;
    },
  };
}

/** The group and version at the start of a path; the version is empty in the path of a group. */
function groupVersionIn(path: string): GroupVersion | undefined {
  const [, root, first = "", second = "", ...rest] = path.split("/");
  if (root === "api") return { group: "", version: first };
  if (root !== "apis" || first === "") return undefined;
  return second === "" && rest.length > 0 ? undefined : { group: first, version: second };
}

async function answerRemote(
  apis: RemoteApis,
  remote: RemoteVersion,
  context: RequestContext,
  { gates }: EndpointEnvironment,
): Promise<EndpointResponse> {
  const unavailable = () => plainText(503, "service unavailable\n");
  if (!remote.isAvailable) return unavailable();
  let host: string;
  try {
    host = apis.hostOf(remote);
  } catch {
    return unavailable();
  }
  return proxy(context, apis.serverOf(remote), { host, hasUids: gates.isEnabled("RemoteRequestHeaderUID") });
}

async function answerGroups(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const discovery = discoveryOf(environment.served.current);
  const aggregated = negotiateAggregated(context, environment);
  if (aggregated !== undefined) {
    const merged = mergedDiscovery(discovery.aggregated("apis"), apis);
    return respondAggregated(merged, aggregated, context, environment);
  }
  const groups = registeredGroups(apis.versions, discovery.groups);
  return respondDocument(apiGroupList(groups), context, environment);
}

function mergedDiscovery(local: AggregatedDiscovery, apis: RemoteApis): AggregatedDiscovery {
  const document = (version: "v2" | "v2beta1") => withRemoteResources(local.document(version), apis);
  const { metadata, items } = document("v2");
  return { document, etag: `"${sha512Hex(JSON.stringify({ metadata, items }))}"` };
}

/** The document of a group with an APIService; undefined for another. */
function answerGroup(
  apis: RemoteApis,
  name: string,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> | undefined {
  if (!apis.versions.some(({ group }) => group === name)) return undefined;
  const groups = registeredGroups(apis.versions, discoveryOf(environment.served.current).groups);
  const group = groups.find((one) => one.name === name);
  return group && respondDocument(apiGroup(group), context, environment);
}
