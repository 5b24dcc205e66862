import { notFound, plainError } from "../../../apimachinery/errors/errors.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import { parseIp } from "../../../apimachinery/ip.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import { isSimulatedNode } from "../../../apimachinery/simulated-node.ts";

const nodes = { group: "", resource: "nodes" };
const pods = { group: "", resource: "pods" };
const preferredTypes = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];
const kubeletPort = 10250;

/** A host and a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: string;
}

/** The endpoint of a kubelet. */
export interface KubeletEndpoint extends Endpoint {
  /** What the host resolves to; the host itself if it resolves to nothing. */
  readonly address: string;
}

/**
 * The kubelet endpoint in the status of a node.
 * @throws {StatusError} if the node does not exist or has no address. As upstream's, the NotFound names the pod.
 */
export function kubeletOf(node: string, lister: Lister): KubeletEndpoint {
  const object = lister.get(nodes, "", node);
  if (object === undefined) throw notFound(pods, node);
  const addresses = listAt(object, "status", "addresses");
  const [preferred] = preferredTypes.flatMap((type) =>
    addresses.filter((address) => textAt(address, "type") === type),
  );
  if (preferred === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
    throw plainError(500, `no preferred addresses found; known addresses: [${known}]`);
  }
  const port = numberAt(object, "status", "daemonEndpoints", "kubeletEndpoint", "Port");
  const host = textAt(preferred, "address");
  // The names of simulated nodes resolve to their addresses.
  const internal = isSimulatedNode(object)
    ? addresses.find((address) => textAt(address, "type") === "InternalIP")
    : undefined;
  const address = internal === undefined ? host : textAt(internal, "address");
  return { host, address, port: String(port === 0 ? kubeletPort : port) };
}

/** `10.0.0.1:10250`, or with brackets around an IPv6 address. */
export function hostAndPort({ host, port }: Endpoint): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The message of Go for a failed connection; this cluster runs no kubelets. */
export function dialError({ host, port, address = host }: Endpoint & Partial<KubeletEndpoint>): string {
  if (!/^\d+$/.test(port)) return `dial tcp: lookup tcp/${port}: unknown port`;
  if (parseIp(address) === undefined) return `dial tcp: lookup ${host}: no such host`;
  return `dial tcp ${hostAndPort({ host: address, port })}: connect: connection refused`;
}
