/** The nodes of a simulated cluster that the cluster itself registers. */
export const defaultNodes: readonly string[] = ["node-1", "node-2", "node-3"];

/** The resources of a node that does not state its own, in the order in which a kubelet reports them. */
export const defaultCapacity: { readonly [resource: string]: string } = {
  cpu: "8",
  "ephemeral-storage": "100Gi",
  "hugepages-1Gi": "0",
  "hugepages-2Mi": "0",
  memory: "32Gi",
  pods: "110",
};
