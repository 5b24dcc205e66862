import { objectAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withoutDisabledStatusFields } from "../../pod-spec/edits/pod-disabled-fields.ts";
import { dropDisabledFields } from "./pod.ts";
import { addPodStatusErrors } from "./pod-status-validation.ts";

/**
 * The strategy of `/status`, which changes the status, labels, annotations and finalizers of a pod, but not its owners
 * or deletion.
 */
export function podStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (pod, old, context) => {
      status.prepareForUpdate(pod, old, context);
      keepOwners(pod, old);
      prepareStatus(pod, old, gates);
      dropDisabledFields(pod, old, gates);
    },
    validateUpdate: (errors, pod, old) => addPodStatusErrors(errors, pod, old, gates),
  };
}

function keepOwners({ metadata }: MutableKubeObject, { metadata: old }: KubeObject): void {
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  else delete metadata.deletionTimestamp;
  if (old.ownerReferences) metadata.ownerReferences = old.ownerReferences;
  else delete metadata.ownerReferences;
}

/** The QoS class is immutable. A status without it keeps the old one. */
function prepareStatus(pod: MutableKubeObject, old: KubeObject, gates: FeatureGates): void {
  const oldStatus = objectAt(old, "status");
  const status = structAt(pod, "status");
  const { qosClass } = oldStatus ?? {};
  const kept = !status["qosClass"] && qosClass !== undefined ? { ...status, qosClass } : status;
  pod["status"] = withoutDisabledStatusFields(kept, oldStatus, gates);
}
