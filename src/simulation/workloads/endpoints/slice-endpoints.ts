import { stringsAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { isTerminating, keyOf } from "../contract/object-key.ts";
import { readySince } from "../pods/pod-state.ts";
import { slicePorts } from "./port-order.ts";
import { addressesOf, hostnameOf, isInEndpoints, podReference, portsOn } from "./service-pods.ts";
import { familiesOf, publishesUnready } from "./service-view.ts";
import type { PortGroup } from "./slice-plan.ts";

/** Finds the node of a pod. */
export type NodeOf = (name: string) => KubeObject | undefined;

/** The endpoints of a service by family and ports, and why pods were left out: their nodes are missing. */
export interface SliceEndpoints {
  readonly groups: readonly PortGroup[];
  readonly problems: readonly string[];
}

/** Upstream: `reconcileByAddressType` (staging/src/k8s.io/endpointslice/reconciler.go). */
export function sliceEndpoints(
  service: KubeObject,
  pods: readonly KubeObject[],
  nodeOf: NodeOf,
  gates: FeatureGates,
): SliceEndpoints {
  const groups = new Map<
    string,
    { addressType: string; ports: readonly JsonObject[]; endpoints: JsonObject[] }
  >();
  const problems = new Set<string>();
  for (const addressType of familiesOf(service)) {
    for (const pod of pods.filter((one) => isInEndpoints(one, "included"))) {
      const addresses = addressesOf(pod, addressType);
      if (addresses.length === 0) continue;
      const nodeName = textAt(pod, "spec", "nodeName");
      const node = nodeOf(nodeName);
      if (node === undefined && !publishesUnready(service)) {
        const { name } = pod.metadata;
        problems.add(`skipping Pod ${name} for Service ${keyOf(service)}: Node ${nodeName} Not Found`);
        continue;
      }
      const ports = portsOn(pod, service);
      const key = JSON.stringify([addressType, ports]);
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] };
      group.endpoints.push(endpointOf(pod, service, addresses, node, gates));
      groups.set(key, group);
    }
  }
  const ordered = [...groups.values()].map((group) => ({
    ...group,
    ports: slicePorts(group.ports, gates.since),
  }));
  return { groups: ordered, problems: [...problems] };
}

/** Upstream: `podToEndpoint` (staging/src/k8s.io/endpointslice/utils.go). */
function endpointOf(
  pod: KubeObject,
  service: KubeObject,
  addresses: readonly string[],
  node: KubeObject | undefined,
  gates: FeatureGates,
): JsonObject {
  const serving = readySince(pod) !== undefined;
  const terminating = isTerminating(pod);
  const ready = publishesUnready(service) || (serving && !terminating);
  const hostname = hostnameOf(pod, service);
  const nodeName = textAt(pod, "spec", "nodeName");
  const zone = node && stringsAt(node, "metadata", "labels")["topology.kubernetes.io/zone"];
  const hasTopology = !gates.since("1.21");
  const topology = {
    "kubernetes.io/hostname": nodeName,
    ...(zone && { "topology.kubernetes.io/zone": zone }),
  };
  return {
    addresses,
    conditions: {
      ready,
      ...(gates.isEnabled("EndpointSliceTerminatingCondition") && { serving, terminating }),
    },
    ...(hostname !== "" && { hostname }),
    targetRef: podReference(pod),
    ...(nodeName !== "" && !hasTopology && { nodeName }),
    ...(zone !== undefined && !hasTopology && { zone }),
    ...(nodeName !== "" && hasTopology && { topology }),
  };
}
