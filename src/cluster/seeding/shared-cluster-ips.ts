import { structAt } from "../../apimachinery/fields.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  clusterIpsOf,
  headless,
  needsClusterIp,
  withPluralIps,
} from "../../kinds/core/service/service-fields.ts";
import { locatedError } from "./located-error.ts";
import type { PreparedObject } from "./prepared-object.ts";

const services = { group: "", resource: "services" };

/**
 * Checks that no two Services would have one cluster IP, which no server stores. Services of manifests are not checked here: their
 * addresses are allocated as for a create.
 * @throws {Error} that names the source of the Service and the Service that has the address
 */
export function checkClusterIps(prepared: readonly PreparedObject[], lister: Lister): void {
  const loaded = prepared.filter(
    ({ origin, manifest }) => origin === "server" && formatGroupResource(manifest.resource) === "services",
  );
  if (loaded.length === 0) return;
  const replaced = new Set(loaded.map(({ object }) => nameOf(object)));
  const owners = new Map<string, string>();
  for (const service of lister.list(services, "")) {
    if (replaced.has(nameOf(service))) continue;
    for (const ip of allocatedIpsOf(service)) owners.set(ip, nameOf(service));
  }
  for (const { object, manifest } of loaded) {
    for (const ip of allocatedIpsOf(object)) {
      const owner = owners.get(ip);
      if (owner !== undefined && owner !== nameOf(object))
        throw locatedError(new Error(`spec.clusterIPs: ${ip} is already allocated to ${owner}`), manifest);
      owners.set(ip, nameOf(object));
    }
  }
}

function allocatedIpsOf(service: KubeObject): readonly string[] {
  const spec = withPluralIps(structAt(service, "spec"));
  return needsClusterIp(spec) ? clusterIpsOf(spec).filter((ip) => ip !== headless) : [];
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
