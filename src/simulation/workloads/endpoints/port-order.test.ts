import { expect, test } from "vitest";
import { sinceOf } from "../../../apimachinery/release.ts";
import { slicePorts } from "./port-order.ts";
import { subsetPorts } from "./subset-order.ts";

const ports = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
  { name: "metrics", port: 9153, protocol: "TCP" },
];

/** The order in 1.34 is that in which clusters show the ports of the Service kube-dns. */
test.each([
  ["1.34", ["metrics", "dns", "dns-tcp"], ["dns-tcp", "dns", "metrics"]],
  ["1.35", ["dns", "dns-tcp", "metrics"], ["metrics", "dns-tcp", "dns"]],
] as const)("in %s, ports have the order of their hashes", (release, inSlice, inSubset) => {
  const since = sinceOf(release);
  expect(slicePorts(ports, since).map(({ name }) => name)).toEqual(inSlice);
  expect(subsetPorts(ports, since).map(({ name }) => name)).toEqual(inSubset);
});
