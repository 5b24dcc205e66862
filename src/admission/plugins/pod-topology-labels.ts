import { textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";

/**
 * Copies the zone and the region of the node to pods that have one, and to their bindings, in place of what those have. Upstream:
 * plugin/pkg/admission/podtopologylabels.
 */
export function podTopologyLabels(lister: Lister, { isEnabled, since }: FeatureGates): AdmissionPlugin {
  const isOn = isEnabled("PodTopologyLabelsAdmission");
  // Before 1.35, the feature had other names.
  const domain = since("1.35") ? "topology.kubernetes.io" : "topology.k8s.io";
  const copied = ["zone", "region"].map((name) => `${domain}/${name}`);
  return {
    name: "PodTopologyLabels",
    handles: (operation) => operation === "CREATE",
    admit: ({ object, gvr, subresource }) => {
      if (!isOn || object === undefined || gvr.group !== "" || gvr.resource !== "pods") return;
      const name = subresource === "binding" ? boundNode(object) : nodeOf(object, subresource);
      const node = name === "" ? undefined : lister.get({ group: "", resource: "nodes" }, "", name);
      const labels = Object.entries(node?.metadata.labels ?? {}).filter(([key]) => copied.includes(key));
      if (labels.length === 0) return;
      object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(labels) };
    },
  };
}

type Admitted = Parameters<typeof textAt>[0];

function boundNode(binding: Admitted): string {
  return textAt(binding, "target", "kind") === "Node" ? textAt(binding, "target", "name") : "";
}

function nodeOf(pod: Admitted, subresource: string | undefined): string {
  return subresource ? "" : textAt(pod, "spec", "nodeName");
}
