import { badRequest, serviceUnavailable } from "../../../apimachinery/errors/errors.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import type { Endpoint } from "../pod/kubelet-connection.ts";
import { proxied, proxyTarget } from "../pod/proxy-connection.ts";

const endpoints = { group: "", resource: "endpoints" };

/**
 * `services/{name}/proxy`, a request to an endpoint of the service; nothing listens there. Upstream:
 * pkg/registry/core/service/storage/storage.go, ResourceLocation.
 */
export function serviceProxyRest(
  services: StoredResource,
  definition: ResourceDefinition,
  { lister }: ResourceAccess,
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
        return proxied(endpointOf(service, portName(service, target.port), id, lister), request);
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

function endpointOf(service: KubeObject, port: string, id: string, lister: Lister): Endpoint {
  const { namespace = "", name = "" } = service.metadata;
  const subsets = listAt(lister.get(endpoints, namespace, name) ?? {}, "subsets");
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  for (const subset of subsets) {
    const [address] = listAt(subset, "addresses");
    const served = listAt(subset, "ports").find((one) => textAt(one, "name") === port);
    if (address === undefined || served === undefined) continue;
    return { host: textAt(address, "ip"), port: String(numberAt(served, "port")) };
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}
