import { textAt } from "./fields.ts";
import type { KubeObject } from "./object-meta.ts";

const scheme = "kubedouble://";

/** The provider's identity of a node whose kubelet this process simulates. */
export function simulatedProviderId(name: string): string {
  return scheme + name;
}

/** Whether this process simulates the kubelet of a node. */
export function isSimulatedNode(node: KubeObject): boolean {
  return textAt(node, "spec", "providerID").startsWith(scheme);
}
