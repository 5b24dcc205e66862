import { stringsAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { replicationControllers } from "../contract/core-resources.ts";
import { replicaSets, type WorkloadResource } from "../contract/workload-resources.ts";

/** A kind of objects that keep a number of equal pods. */
export interface ReplicaKind {
  readonly controller: string;
  /** The component of its Events. */
  readonly component: string;
  readonly resource: WorkloadResource;
  readonly selectorOf: (object: KubeObject) => LabelSelector;
}

export const replicaSetKind: ReplicaKind = {
  controller: "replicaset-controller",
  component: "replicaset-controller",
  resource: replicaSets,
  selectorOf: (object) => labelSelectorFromObject(valueAt(object, "spec", "selector")),
};

export const replicationControllerKind: ReplicaKind = {
  controller: "replicationcontroller-controller",
  component: "replication-controller",
  resource: replicationControllers,
  selectorOf: (object) => labelSelectorFromObject({ matchLabels: stringsAt(object, "spec", "selector") }),
};
