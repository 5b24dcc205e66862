import type { Release } from "../../src/apimachinery/release.ts";
import { certificateRequest } from "../authentication/certificate-request.ts";

/** A row of Kubernetes' guide to removed APIs: the release without the old version, and the version that replaces it. */
export interface Removal {
  readonly release: Release;
  readonly resource: string;
  readonly old: string;
  /** Undefined if nothing replaces it. */
  readonly replacement: string | undefined;
}

const removals = (release: Release, rows: string): readonly Removal[] =>
  rows
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [resources = "", old = "", replacement] = line.trim().split(/ +/);
      return resources.split(",").map((resource) => ({ release, resource, old, replacement }));
    });

/** kubernetes.io/docs/reference/using-api/deprecation-guide, without the reviews, which are not stored. */
export const removedApis: readonly Removal[] = [
  ...removals(
    "1.22",
    `mutatingwebhookconfigurations,validatingwebhookconfigurations admissionregistration.k8s.io/v1beta1 admissionregistration.k8s.io/v1
    customresourcedefinitions apiextensions.k8s.io/v1beta1 apiextensions.k8s.io/v1
    apiservices apiregistration.k8s.io/v1beta1 apiregistration.k8s.io/v1
    certificatesigningrequests certificates.k8s.io/v1beta1 certificates.k8s.io/v1
    leases coordination.k8s.io/v1beta1 coordination.k8s.io/v1
    ingresses extensions/v1beta1 networking.k8s.io/v1
    ingresses networking.k8s.io/v1beta1 networking.k8s.io/v1
    ingressclasses networking.k8s.io/v1beta1 networking.k8s.io/v1
    clusterroles,clusterrolebindings,roles,rolebindings rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1
    priorityclasses scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1
    csidrivers,csinodes,storageclasses,volumeattachments storage.k8s.io/v1beta1 storage.k8s.io/v1`,
  ),
  ...removals(
    "1.25",
    `cronjobs batch/v1beta1 batch/v1
    endpointslices discovery.k8s.io/v1beta1 discovery.k8s.io/v1
    events events.k8s.io/v1beta1 events.k8s.io/v1
    horizontalpodautoscalers autoscaling/v2beta1 autoscaling/v2
    poddisruptionbudgets policy/v1beta1 policy/v1
    podsecuritypolicies policy/v1beta1
    runtimeclasses node.k8s.io/v1beta1 node.k8s.io/v1`,
  ),
  ...removals(
    "1.26",
    `flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2
    horizontalpodautoscalers autoscaling/v2beta2 autoscaling/v2`,
  ),
  ...removals("1.27", "csistoragecapacities storage.k8s.io/v1beta1 storage.k8s.io/v1"),
  ...removals(
    "1.29",
    "flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3",
  ),
  ...removals(
    "1.32",
    "flowschemas,prioritylevelconfigurations flowcontrol.apiserver.k8s.io/v1beta3 flowcontrol.apiserver.k8s.io/v1",
  ),
];

/** What the tests of other kinds need no minimal object of. */
export const objectsOfRemovedApis: { readonly [resource: string]: object } = {
  certificatesigningrequests: {
    metadata: { name: "request" },
    spec: {
      request: certificateRequest("alice").request,
      signerName: "example.com/s",
      usages: ["client auth"],
    },
  },
  customresourcedefinitions: {
    metadata: { name: "rows.example.com" },
    spec: {
      group: "example.com",
      version: "v1",
      names: { plural: "rows", kind: "Row" },
      scope: "Namespaced",
      preserveUnknownFields: false,
      validation: { openAPIV3Schema: { type: "object" } },
    },
  },
};
