import { badRequest, notFound } from "../../../apimachinery/errors/errors.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { dialError, hostAndPort, kubeletOf } from "../pod/kubelet-connection.ts";
import { checkProxyable, proxied, proxiedTo, proxyTarget } from "../pod/proxy-connection.ts";

const kubeletPort = "10250";

/**
 * `nodes/{name}/proxy`, a request to the kubelet or to another port of the node. A script may answer, or a simulated kubelet; nothing else
 * listens there. Upstream: pkg/registry/core/node/strategy.go, ResourceLocation.
 */
export function nodeProxyRest(
  nodes: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const { groupResource } = nodes.definition;
  return {
    definition,
    connector: {
      isAdmitted: true,
      optionsOf: ({ subpath }) => ({
        kind: "NodeProxyOptions",
        apiVersion: "v1",
        ...(subpath !== "" && { path: subpath }),
      }),
      connect: ({ name: id }, _options, request) => {
        const target = proxyTarget(id);
        if (target === undefined) throw badRequest(`invalid node request ${goQuote(id)}`);
        const { name } = target;
        const node = lister.get(groupResource, "", name);
        if (node === undefined) throw notFound(groupResource, name);
        const host = hostAndPort({ host: name, port: target.port || kubeletPort });
        const scripted = podConnections.proxy(node, { scheme: target.scheme, host });
        if (scripted !== undefined) return proxiedTo(scripted, request);
        const kubelet = kubeletOf(name, lister);
        // A name is resolved before the request is made.
        if (parseIp(kubelet.address) === undefined) {
          throw badRequest(dialError(kubelet).replace(/^dial tcp: /, ""));
        }
        checkProxyable(kubelet.address);
        const port = target.port || kubelet.port;
        const server = port === kubelet.port ? podConnections.kubelet(node) : undefined;
        return server === undefined ? proxied({ ...kubelet, port }, request) : proxiedTo(server, request);
      },
    },
  };
}
