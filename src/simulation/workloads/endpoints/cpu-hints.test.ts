import { expect, test } from "vitest";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { withCpuHints } from "./cpu-hints.ts";
import { zoneShares } from "./zone-capacity.ts";

const node = (zone: string, cpu: number, labels = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: `${zone}-${cpu}`, labels: { "topology.kubernetes.io/zone": zone, ...labels } },
  status: { allocatable: { cpu: `${cpu}` }, conditions: [{ type: "Ready", status: "True" }] },
});
const endpoints = (zones: string, ready = true) =>
  [...zones].map((zone, i) => ({ addresses: [`10.0.0.${i}`], conditions: { ready }, zone }));
const slice = (zones: string) => ({ addressType: "IPv4", ports: [], endpoints: endpoints(zones) });

/** The zones of the hints, in the order of the endpoints, or why there are none. */
function hints(zones: string, nodes: readonly KubeObject[]): string {
  const found = withCpuHints({ create: [slice(zones)], update: [], remove: [] }, [], zoneShares(nodes));
  if (typeof found === "string") return found;
  const all = found.plan.create.flatMap((one) => [...one.endpoints]);
  return all.map((one) => textAt(listAt(one, "hints", "forZones")[0] ?? {}, "name")).join("");
}

const three = [node("a", 2), node("b", 2), node("c", 2)];

test.each([
  ["every zone has what it needs", "abc", three, "abc"],
  ["a zone without endpoints is served by others", "aaabbb", three, "caacbb"],
  ["zones get their shares of the CPUs", "aabb", [node("a", 3), node("b", 1)], "aaab"],
  ["too few endpoints", "ab", three, "Insufficient number of endpoints (2 endpoints, 3 zones)"],
  [
    "shares that no number of endpoints has",
    "abc",
    [node("a", 5), node("b", 1), node("c", 1)],
    "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (3 endpoints, 3 zones)",
  ],
  [
    "a node without a zone",
    "abc",
    [...three, node("", 1)],
    "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
  ],
  [
    "nodes of the control plane do not count",
    "abc",
    [...three, node("d", 9, { "node-role.kubernetes.io/control-plane": "" })],
    "abc",
  ],
] as const)("%s", (_title, zones, nodes, expected) => {
  expect(hints(zones, nodes)).toBe(expected);
});

test("slices whose hints are good stay", () => {
  const hinted = (zones: string) =>
    endpoints(zones).map((endpoint) => ({ ...endpoint, hints: { forZones: [{ name: endpoint.zone }] } }));
  const known = (name: string, zones: string): KubeObject => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name },
    addressType: "IPv4",
    endpoints: hinted(zones),
  });
  const nothing = { create: [], update: [], remove: [] };
  const updated = (slices: readonly KubeObject[]) => {
    const found = withCpuHints(nothing, slices, zoneShares(three));
    return typeof found === "string" ? found : found.plan.update.map(({ metadata }) => metadata.name);
  };
  expect(updated([known("good", "abc")])).toEqual([]);
  expect(updated([known("good", "abc"), known("crowded", "aaa")])).toEqual(["crowded"]);
});
