import { expect, test } from "vitest";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { serviceAddressFields } from "../../kinds/networking/ip-address/service-address.ts";
import { isNeeded } from "./service-cidr-sync.ts";

const serviceCidr = (name: string, ...cidrs: string[]): KubeObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "ServiceCIDR",
  metadata: { name },
  spec: { cidrs },
});

const address = (name: string): KubeObject => {
  const { labels, spec } = serviceAddressFields(name, { namespace: "default", name: "s" });
  return { apiVersion: "networking.k8s.io/v1", kind: "IPAddress", metadata: { name, labels }, spec };
};

function listerOf(networks: readonly KubeObject[], addresses: readonly KubeObject[]): Lister {
  const list: Lister["list"] = ({ resource }) => (resource === "servicecidrs" ? networks : addresses);
  return { list, get: (gr, _namespace, name) => list(gr, "").find(({ metadata }) => metadata.name === name) };
}

// Upstream: pkg/controller/servicecidrs/servicecidrs_controller_test.go, TestController_canDeleteCIDR.
test.each<[string, readonly (readonly string[])[], readonly string[], boolean]>([
  ["no addresses", [], [], false],
  ["an address", [], ["192.168.0.24"], true],
  ["an address outside", [], ["192.168.1.24"], false],
  ["the network address", [], ["192.168.0.0"], false],
  ["the broadcast address", [], ["192.168.0.255"], false],
  ["the last address of IPv6", [], ["2001:db2::ffff:ffff:ffff:ffff"], true],
  [
    "an address in the same network of another",
    [["192.168.0.0/24", "2001:db2::/64"]],
    ["192.168.0.23"],
    false,
  ],
  ["an address in a smaller network", [["192.168.0.0/26", "2001:db2::/64"]], ["192.168.0.23"], false],
  ["an address outside a smaller network", [["192.168.0.0/28", "2001:db2::/64"]], ["192.168.0.23"], true],
  ["an address in a larger network", [["192.168.0.0/16", "2001:db2::/64"]], ["192.168.0.23"], false],
  ["an address beside another network", [["192.168.255.0/26", "2001:db2:a:b::/64"]], ["2001:db2::1"], true],
])("a ServiceCIDR with %s is needed as upstream decides", (_title, others, ips, expected) => {
  const own = serviceCidr("kubernetes", "192.168.0.0/24", "2001:db2::/64");
  const networks = [own, ...others.map((cidrs, i) => serviceCidr(`other-${i}`, ...cidrs))];
  expect(isNeeded(own, listerOf(networks, ips.map(address)))).toBe(expected);
});
