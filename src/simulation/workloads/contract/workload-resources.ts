import type { GroupKind, GroupResource } from "../../../apimachinery/group-version.ts";

/** A kind with its resource, and the version in which controllers create its objects. */
export interface WorkloadResource extends GroupKind, GroupResource {
  readonly apiVersion: string;
}

export const pods: WorkloadResource = { group: "", apiVersion: "v1", kind: "Pod", resource: "pods" };

export const replicaSets: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  resource: "replicasets",
};

export const replicationControllers: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
};

export const deployments: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "Deployment",
  resource: "deployments",
};
