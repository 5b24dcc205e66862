import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { isUpgradeRequest } from "../endpoints/aggregated/proxied-upgrade.ts";
import { placeOf, proxiedRequest } from "../endpoints/proxies/proxied-request.ts";
import type { ApiRequest, ApiResponse } from "../request/handler.ts";
import type { ContainerStreams } from "../simulation/kubelet-server/container-requests.ts";
import { kubeletServer } from "../simulation/kubelet-server/kubelet-server.ts";
import type { Config } from "./options.ts";
import type { ServerOptions } from "./server-options.ts";

const port = 10_250;

/** The gates by which the API server translates what new clients speak. */
const translating = ["TranslateStreamCloseWebsocketRequests", "PortForwardWebsockets"];

/** What the answers of a kubelet come from. */
interface KubeletSources extends Pick<ServerOptions, "config" | "targets"> {
  readonly lister: Lister;
  /** What answers for containers in a server of this configuration. */
  readonly streamsWith: (config: Config) => ContainerStreams;
}

/** Answers a request through the proxy of a node as its kubelet. */
export async function answerKubelet(
  { config, targets, lister, streamsWith }: KubeletSources,
  node: KubeObject,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { clock, featureGates: gates } = config;
  const streams = streamsWith({ ...config, featureGates: gatesOfKubelet(gates) });
  const answer = kubeletServer(node, { lister, clock, gates, scripts: targets.pods, streams });
  const to = { scheme: "https", host: `${node.metadata.name}:${port}` };
  if (isUpgradeRequest(request)) {
    const { method } = request;
    return answer({ method, url: placeOf(request, to.scheme, to.host).url, request });
  }
  return proxiedRequest(async ({ method, url, body }) => answer({ method, url, body, request }), to, request);
}

/** Kubelets translate since 1.36 (ExtendWebSocketsToKubelet); before, they leave a client to the container runtime. */
function gatesOfKubelet({ since, isEnabled }: FeatureGates): FeatureGates {
  return { since, isEnabled: (name) => (translating.includes(name) ? since("1.36") : isEnabled(name)) };
}
