import { without } from "../../apimachinery/object-edits.ts";
import type { GatedFields } from "../../registry/contract/gated-fields.ts";

/**
 * The fields behind gates that the spec of a PodGroup and a template of one share. Upstream: pkg/registry/scheduling/podgroup/strategy.go
 * and workload/strategy.go.
 */
export const podGroupTemplateFields: readonly GatedFields[] = [
  ["TopologyAwareWorkloadScheduling", "schedulingConstraints"],
  ["DRAWorkloadResourceClaims", "resourceClaims"],
  ["WorkloadAwarePreemption", "disruptionMode"],
  ["WorkloadAwarePreemption", "priorityClassName"],
  ["WorkloadAwarePreemption", "priority"],
].map(([gate = "", field = ""]) => ({ gate, drop: (template) => without(template, [field]) }));
