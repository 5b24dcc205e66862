import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { Defaulting } from "../../../registry/contract/kind-definition.ts";
import { all, each, sentStruct } from "../../defaulting/defaulter.ts";

const hostPortFromContainerPort = each("ports", (port) => {
  port["hostPort"] ||= port["containerPort"] ?? 0;
});
const hostPorts = all(
  each("containers", hostPortFromContainerPort),
  each("initContainers", hostPortFromContainerPort),
);

/** On the network of the host, the ports of containers are those of the host. */
export function hostPortsOnHostNetwork(spec: MutableJsonObject): void {
  if (spec["hostNetwork"] === true) hostPorts(spec);
}

/**
 * Adds the same for pod templates at a path, until 1.27 and with the gate DefaultHostNetworkHostPortsInPodTemplates. Upstream:
 * pkg/apis/core/v1/defaults.go, SetDefaults_PodSpec.
 */
export function withTemplateHostPorts(defaults: Defaulting, ...path: readonly string[]): Defaulting {
  return (object, gates) => {
    defaults(object, gates);
    if (gates.since("1.28") && !gates.isEnabled("DefaultHostNetworkHostPortsInPodTemplates")) return;
    let struct: MutableJsonObject | undefined = object;
    for (const field of [...path, "spec"]) struct = struct && sentStruct(struct, field);
    if (struct !== undefined) hostPortsOnHostNetwork(struct);
  };
}
