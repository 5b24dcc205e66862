import { expect, test } from "vitest";
import { slicePorts, subsetPorts } from "./port-order.ts";

test("the ports of the Service kube-dns have the order that clusters show", () => {
  const ports = [
    { name: "dns", port: 53, protocol: "UDP" },
    { name: "dns-tcp", port: 53, protocol: "TCP" },
    { name: "metrics", port: 9153, protocol: "TCP" },
  ];
  expect(slicePorts(ports).map(({ name }) => name)).toEqual(["metrics", "dns", "dns-tcp"]);
  expect(subsetPorts(ports).map(({ name }) => name)).toEqual(["dns-tcp", "dns", "metrics"]);
});
