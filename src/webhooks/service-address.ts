import { integerAt, listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import { type Address, loopbackAddress } from "./address.ts";
import type { WebhookTargets } from "./outgoing-targets.ts";
import { WebhookError } from "./webhook-error.ts";

/** What says where the servers are that objects name. */
export interface Locations {
  readonly lister: Lister;
  readonly targets: WebhookTargets;
}

/** A Service that an object names. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/**
 * Where to reach a Service: at the address that the owner of the cluster gave, or else, if that is on this machine, at the external name
 * or at one of its endpoints, because no cluster IP leads anywhere here. Upstream: apiserver, pkg/util/proxy/proxy.go, ResolveEndpoint and
 * ResolveCluster.
 * @throws {WebhookError}
 */
export function serviceAddress(service: ServiceReference, { lister, targets }: Locations): Address {
  const { namespace, name, port } = service;
  const title = `${namespace}/${name}`;
  const given = targets.addresses.get(title);
  if (given !== undefined) return given;
  const stored = lister.get({ group: "", resource: "services" }, namespace, name);
  if (stored === undefined) throw new WebhookError(`service ${goQuote(name)} not found`);
  const spec = structAt(stored, "spec");
  if (textAt(spec, "type") === "ExternalName") {
    return loopbackAddress({ host: textAt(spec, "externalName"), port }, title);
  }
  const servicePort = listAt(spec, "ports").find((one) => integerAt(one, "port") === port);
  if (servicePort === undefined) {
    throw new WebhookError(`no service port ${port} found for service ${goQuote(name)}`);
  }
  const endpoints = lister.get({ group: "", resource: "endpoints" }, namespace, name);
  if (endpoints === undefined) throw new WebhookError(`endpoints ${goQuote(name)} not found`);
  const found = endpointOf(listAt(endpoints, "subsets"), textAt(servicePort, "name"));
  if (found === undefined) throw new WebhookError(`no endpoints available for service ${goQuote(name)}`);
  return loopbackAddress(found, title);
}

/** The first ready address with this port; upstream picks a random one. */
function endpointOf(subsets: readonly JsonObject[], portName: string): Address | undefined {
  for (const subset of subsets) {
    const [address] = listAt(subset, "addresses");
    const port = listAt(subset, "ports").find((one) => textAt(one, "name") === portName);
    if (address !== undefined && port !== undefined) {
      return { host: textAt(address, "ip"), port: Number(integerAt(port, "port")) };
    }
  }
  return undefined;
}
