import { badRequest, serviceUnavailable } from "../../../apimachinery/errors/errors.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import { type Endpoint, hostAndPort } from "../pod/kubelet-connection.ts";
import { proxied, proxiedTo, proxyTarget } from "../pod/proxy-connection.ts";

const pods = { group: "", resource: "pods" };
const endpoints = { group: "", resource: "endpoints" };

/**
 * `services/{name}/proxy`, a request to an endpoint of the service; a script may answer; nothing listens there. Upstream:
 * pkg/registry/core/service/storage/storage.go, ResourceLocation.
 */
export function serviceProxyRest(
  services: StoredResource,
  definition: ResourceDefinition,
  { lister, podConnections }: ResourceAccess,
): Rest {
  const registry = new GenericRegistry(services);
  return {
    definition,
    connector: {
      isAdmitted: true,
      optionsOf: ({ subpath }) => ({
        kind: "ServiceProxyOptions",
        apiVersion: "v1",
        ...(subpath !== "" && { path: subpath }),
      }),
      connect: ({ namespace, name: id }, _options, request) => {
        const target = proxyTarget(id);
        if (target === undefined) throw badRequest(`invalid service request ${goQuote(id)}`);
        const service = registry.get({ namespace, name: target.name }).value;
        const { scheme } = target;
        const given = podConnections.proxyToService(service, { scheme, host: target.name });
        if (given !== undefined) return proxiedTo(given, request);
        const endpoint = endpointOf(service, portName(service, target.port), id, lister);
        const pod = podAt(endpoint, namespace, lister);
        const scripted = pod && podConnections.proxy(pod, { scheme, host: hostAndPort(endpoint) });
        return scripted === undefined ? proxied(endpoint, request) : proxiedTo(scripted, request);
      },
    },
  };
}

/** The name of the port that a request names or numbers. */
function portName(service: KubeObject, port: string): string {
  if (!/^\d+$/.test(port)) return port;
  const found = listAt(service, "spec", "ports").find((one) => numberAt(one, "port") === Number(port));
  if (found !== undefined) return textAt(found, "name");
  const { name = "" } = service.metadata;
  throw serviceUnavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`);
}

/** An endpoint of a service, and the pod behind it; empty if the endpoint does not name one. */
interface ServiceEndpoint extends Endpoint {
  readonly pod: string;
}

/** The pod behind an endpoint: the one that it names, or the one that has its address. */
function podAt({ pod, host }: ServiceEndpoint, namespace: string, lister: Lister): KubeObject | undefined {
  if (pod !== "") return lister.get(pods, namespace, pod);
  return lister.list(pods, namespace).find((one) => textAt(one, "status", "podIP") === host);
}

function endpointOf(service: KubeObject, port: string, id: string, lister: Lister): ServiceEndpoint {
  const { namespace = "", name = "" } = service.metadata;
  const subsets = listAt(lister.get(endpoints, namespace, name) ?? {}, "subsets");
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  for (const subset of subsets) {
    const [address] = listAt(subset, "addresses");
    const served = listAt(subset, "ports").find((one) => textAt(one, "name") === port);
    if (address === undefined || served === undefined) continue;
    const pod = textAt(address, "targetRef", "kind") === "Pod" ? textAt(address, "targetRef", "name") : "";
    return { host: textAt(address, "ip"), port: String(numberAt(served, "port")), pod };
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}
