import { badRequest, plainError, serviceUnavailable } from "../../../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { cidrContains, parseCidr, parseIp } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Connected, ConnectRequest, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import type { StoredResource } from "../../../registry/contract/stored-resource.ts";
import { GenericRegistry } from "../../../registry/generic/generic-registry.ts";
import { dialError, type Endpoint } from "./kubelet-connection.ts";

/** `pods/{name}/proxy`, a request to the pod itself. No pod listens here. */
export function podProxyRest(pods: StoredResource, definition: ResourceDefinition): Rest {
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
      connect: ({ namespace, name }, _options, request) => {
        const target = parseTarget(name);
        const pod = registry.get({ namespace, name: target.pod }).value;
        return connect(endpointOf(pod, target), request);
      },
    },
  };
}

/** The pod in the path: `pod`, `pod:port` or `scheme:pod:port`. */
interface Target {
  readonly scheme: string;
  readonly pod: string;
  readonly port: string;
}

function parseTarget(id: string): Target {
  const parts = id.split(":");
  const [scheme = "", pod = "", port = ""] = parts.length < 3 ? ["", ...parts] : parts;
  if (pod === "" || parts.length > 3 || !["", "http", "https"].includes(scheme)) {
    throw badRequest(`invalid pod request ${goQuote(id)}`);
  }
  return { scheme, pod, port };
}

function endpointOf(pod: KubeObject, { scheme, port }: Target): Endpoint {
  const host = textAt(pod, "status", "podIP");
  if (!isGlobalUnicast(host)) throw badRequest("address not allowed");
  return { host, port: port || firstPort(pod) || (scheme === "https" ? "443" : "80") };
}

function firstPort(pod: KubeObject): string {
  const [first] = listAt(pod, "spec", "containers").flatMap((container) => listAt(container, "ports"));
  return first === undefined ? "" : String(first["containerPort"]);
}

const notGlobal = ["0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"];
const notGlobalIpv6 = ["::/128", "::1/128", "fe80::/10", "ff00::/8"];
const forbiddenNetworks = [...notGlobal, ...notGlobalIpv6]
  .map(parseCidr)
  .filter((cidr) => cidr !== undefined);

/** Go's `IP.IsGlobalUnicast`: not loopback, link-local or multicast. */
function isGlobalUnicast(host: string): boolean {
  const address = parseIp(host);
  return address !== undefined && !forbiddenNetworks.some((cidr) => cidrContains(cidr, address));
}

function connect(endpoint: Endpoint, { method, subpath, isUpgrade }: ConnectRequest): Connected {
  const error = dialError(endpoint);
  if (isUpgrade) throw plainError(500, `error dialing backend: ${error}`);
  if (subpath === "" && (method === "GET" || method === "HEAD")) return "redirect";
  throw serviceUnavailable(`error trying to reach service: ${error}`);
}
