import { badRequest, notFound } from "../../../apimachinery/errors/errors.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { dialError, kubeletOf } from "../pod/kubelet-connection.ts";
import { checkProxyable, proxied, proxyTarget } from "../pod/proxy-connection.ts";

/**
 * `nodes/{name}/proxy`, a request to the kubelet or to another port of the node; nothing listens there. Upstream:
 * pkg/registry/core/node/strategy.go, ResourceLocation.
 */
export function nodeProxyRest(
  nodes: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
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
        if (lister.get(groupResource, "", name) === undefined) throw notFound(groupResource, name);
        const kubelet = kubeletOf(name, lister);
        // A name is resolved before the request is made.
        if (parseIp(kubelet.host) === undefined) {
          throw badRequest(dialError(kubelet).replace(/^dial tcp: /, ""));
        }
        checkProxyable(kubelet.host);
        return proxied({ host: kubelet.host, port: target.port || kubelet.port }, request);
      },
    },
  };
}
