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

export const services: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "Service",
  resource: "services",
};

export const endpoints: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "Endpoints",
  resource: "endpoints",
};

export const endpointSlices: WorkloadResource = {
  group: "discovery.k8s.io",
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  resource: "endpointslices",
};

export const statefulSets: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  resource: "statefulsets",
};

export const controllerRevisions: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
};

export const claims: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
};

export const jobs: WorkloadResource = {
  group: "batch",
  apiVersion: "batch/v1",
  kind: "Job",
  resource: "jobs",
};

export const cronJobs: WorkloadResource = {
  group: "batch",
  apiVersion: "batch/v1",
  kind: "CronJob",
  resource: "cronjobs",
};

export const disruptionBudgets: WorkloadResource = {
  group: "policy",
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
};

export const daemonSets: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  resource: "daemonsets",
};
