import { quietCluster, type SendRequest, testClient } from "./test-client.ts";
import { podTemplate } from "./workloads.ts";

/** Sends requests to a cluster of a release in which pods can be created. */
export function askingFor(release: string, ...gates: readonly string[]): SendRequest {
  const featureGates = new Map(gates.map((gate) => [gate, true]));
  return testClient(
    quietCluster({
      release,
      featureGates,
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    }),
  );
}

export const inDefault = (gv: string, resource: string): string =>
  `/apis/${gv}/namespaces/default/${resource}`;
export const setsPath: string = inDefault("apps/v1", "statefulsets");
export const jobsPath: string = inDefault("batch/v1", "jobs");
export const servicesPath: string = "/api/v1/namespaces/default/services";
export const container: { readonly name: string; readonly image: string } = { name: "c", image: "i" };

export function pod(spec: object = {}): object {
  return { metadata: { name: "p" }, spec: { containers: [container], ...spec } };
}

export function ofContainer(fields: object): object {
  return pod({ containers: [{ ...container, ...fields }] });
}

export function service(spec: object = {}): object {
  return { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], ...spec } };
}

export function cronJob(spec: object = {}): object {
  const template = podTemplate({ restartPolicy: "Never" });
  return {
    metadata: { name: "c" },
    spec: { schedule: "@daily", jobTemplate: { spec: { template } }, ...spec },
  };
}

export function budget(spec: object = {}): object {
  return { metadata: { name: "b" }, spec: { minAvailable: 1, selector: {}, ...spec } };
}

export function autoscaler(spec: object = {}): object {
  const scaleTargetRef = { kind: "Deployment", name: "w" };
  return { metadata: { name: "h" }, spec: { maxReplicas: 3, scaleTargetRef, ...spec } };
}
