import { badRequest } from "../../../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import { type Endpoint, hostAndPort } from "./kubelet-connection.ts";
import { checkProxyable, type ProxyTarget, proxied, proxiedTo, proxyTarget } from "./proxy-connection.ts";

/** `pods/{name}/proxy`, a request to the pod itself. A script may answer; no pod listens here. */
export function podProxyRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  { podConnections }: ResourceAccess,
): Rest {
  const registry = new GenericRegistry(pods);
  return {
    definition,
    connector: {
      isAdmitted: true,
      optionsOf: ({ subpath }) => ({
        kind: "PodProxyOptions",
        apiVersion: "v1",
        ...(subpath !== "" && { path: subpath }),
      }),
      connect: ({ namespace, name: id }, _options, request) => {
        const target = proxyTarget(id);
        if (target === undefined) throw badRequest(`invalid pod request ${goQuote(id)}`);
        const pod = registry.get({ namespace, name: target.name }).value;
        const scripted = podConnections.proxy(pod, { scheme: target.scheme, host: shownHost(pod, target) });
        return scripted === undefined
          ? proxied(endpointOf(pod, target), request)
          : proxiedTo(scripted, request);
      },
    },
  };
}

function endpointOf(pod: KubeObject, { scheme, port }: ProxyTarget): Endpoint {
  const host = textAt(pod, "status", "podIP");
  checkProxyable(host);
  return { host, port: portOf(pod, { scheme, port }) };
}

/** The address of a pod that a script plays, which need not have an IP address. */
function shownHost(pod: KubeObject, target: ProxyTarget): string {
  const host = textAt(pod, "status", "podIP") || target.name;
  return hostAndPort({ host, port: portOf(pod, target) });
}

function portOf(pod: KubeObject, { scheme, port }: Pick<ProxyTarget, "scheme" | "port">): string {
  return port || firstPort(pod) || (scheme === "https" ? "443" : "80");
}

function firstPort(pod: KubeObject): string {
  const [first] = listAt(pod, "spec", "containers").flatMap((container) => listAt(container, "ports"));
  return first === undefined ? "" : String(first["containerPort"]);
}
