import type { WorkloadResource } from "./workload-resources.ts";

export const pods: WorkloadResource = { group: "", apiVersion: "v1", kind: "Pod", resource: "pods" };

export const nodes: WorkloadResource = { group: "", apiVersion: "v1", kind: "Node", resource: "nodes" };

export const replicationControllers: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
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

export const claims: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
};

export const disruptionBudgets: WorkloadResource = {
  group: "policy",
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
};

export const volumes: WorkloadResource = {
  group: "",
  apiVersion: "v1",
  kind: "PersistentVolume",
  resource: "persistentvolumes",
};

export const storageClasses: WorkloadResource = {
  group: "storage.k8s.io",
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  resource: "storageclasses",
};
