import { describe, expect, test } from "vitest";
import { parseCidr, parseIp } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { holdsServiceIp, isAllocatable } from "./service-networks.ts";

// Upstream: pkg/api/servicecidr/servicecidr_test.go, and pkg/controller/servicecidrs/servicecidrs_controller_test.go.
test.each([
  ["192.168.0.0/24", "192.168.0.23", true],
  ["192.168.0.0/24", "192.168.1.23", false],
  ["192.168.0.0/24", "192.168.0.0", false],
  ["192.168.0.0/24", "192.168.0.255", false],
  ["192.168.0.0/26", "192.168.0.63", false],
  ["192.168.0.0/16", "192.168.0.255", true],
  ["10.0.0.0/30", "10.0.0.2", true],
  ["2001:db2::/64", "2001:db2::23", true],
  ["2001:db2::/64", "2001:db2::", false],
  ["2001:db2::/64", "2001:db2::ffff:ffff:ffff:ffff", true],
  ["2001:db2::/96", "2001:db2::ffff:ffff:ffff:ffff", false],
  ["192.168.0.0/24", "2001:db2::1", false],
])("a Service may have of %s the address %s: %s", (network, ip, expected) => {
  const [cidr, address] = [parseCidr(network), parseIp(ip)];
  expect(cidr && address && holdsServiceIp(cidr, address)).toBe(expected);
});

describe("addresses are allocated from a ServiceCIDR", () => {
  const ready = (status: string) => ({ conditions: [{ type: "Ready", status }] });
  test.each<[string, object, boolean]>([
    ["without a status", {}, true],
    ["that is ready", { status: ready("True") }, true],
    ["that is not ready", { status: ready("False") }, false],
    ["of which it is not known", { status: ready("Unknown") }, false],
    [
      "that is being deleted",
      { status: ready("True"), metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
      false,
    ],
  ])("%s: %s", (_title, fields, expected) => {
    const serviceCidr: KubeObject = {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: {},
      ...fields,
    };
    expect(isAllocatable(serviceCidr)).toBe(expected);
  });
});
