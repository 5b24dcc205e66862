import type { GroupKind, GroupResource } from "../../../apimachinery/group-version.ts";

/** A kind with its resource, and the version in which controllers create its objects. */
export interface WorkloadResource extends GroupKind, GroupResource {
  readonly apiVersion: string;
}

export const replicaSets: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  resource: "replicasets",
};

export const deployments: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "Deployment",
  resource: "deployments",
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

export const daemonSets: WorkloadResource = {
  group: "apps",
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  resource: "daemonsets",
};
