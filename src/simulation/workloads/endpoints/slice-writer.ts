import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { endpointSlices } from "../contract/core-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

import { controllerReference } from "../ownership/controller-reference.ts";
import type { NewSlice, SlicePlan } from "./slice-plan.ts";
import { triggerTimeAnnotation } from "./trigger-times.ts";

export const managedByLabel = "endpointslice.kubernetes.io/managed-by";
export const serviceNameLabel = "kubernetes.io/service-name";

/** What all slices of an owner have. */
export interface SliceOwner {
  readonly owner: KubeObject;
  readonly labels: { readonly [key: string]: string };
  readonly annotations: { readonly [key: string]: string };
  /** When the change happened that the slices follow. */
  readonly time: string | undefined;
}

/** The version in which the release has slices; undefined before 1.17. */
export function sliceVersion({ gates }: WorkloadEnvironment): string | undefined {
  if (gates.since("1.21")) return endpointSlices.apiVersion;
  return gates.since("1.17") ? "discovery.k8s.io/v1beta1" : undefined;
}

/** Writes the changes of a plan, and the labels of the slices that it leaves. */
export async function writeSlices(
  environment: WorkloadEnvironment,
  common: SliceOwner,
  plan: SlicePlan,
  existing: readonly KubeObject[],
): Promise<void> {
  const { client } = environment;
  const { namespace = "" } = common.owner.metadata;
  for (const slice of plan.create) await client.create(manifestOf(environment, common, slice), { namespace });
  const changed = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata.uid));
  const relabeled = existing.filter(
    ({ metadata }) => !changed.has(metadata.uid) && !jsonEqual(metadata.labels, common.labels),
  );
  for (const slice of [...plan.update, ...relabeled]) {
    const { [triggerTimeAnnotation]: _, ...annotations } = slice.metadata.annotations ?? {};
    const metadata = {
      ...slice.metadata,
      labels: common.labels,
      annotations: { ...annotations, ...common.annotations, ...timeOf(common) },
    };
    await client.update({ ...slice, metadata, ...portsAndEndpoints(slice) }, { namespace });
  }
  for (const { apiVersion, metadata } of plan.remove) {
    await client
      .delete(apiVersion, "EndpointSlice", metadata.name ?? "", { namespace })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }
}

function timeOf({ time }: SliceOwner): { readonly [key: string]: string } {
  return time === undefined ? {} : { [triggerTimeAnnotation]: time };
}

/** Go reads empty lists from its binary format as missing ones. */
function portsAndEndpoints(slice: KubeObject | NewSlice) {
  const endpoints = "metadata" in slice ? listAt(slice, "endpoints") : slice.endpoints;
  const ports = "metadata" in slice ? listAt(slice, "ports") : slice.ports;
  return { endpoints: endpoints.length > 0 ? endpoints : null, ports: ports.length > 0 ? ports : null };
}

function manifestOf(environment: WorkloadEnvironment, common: SliceOwner, slice: NewSlice) {
  const { name = "", namespace = "" } = common.owner.metadata;
  return {
    apiVersion: sliceVersion(environment) ?? endpointSlices.apiVersion,
    kind: "EndpointSlice",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: common.labels,
      annotations: { ...common.annotations, ...timeOf(common) },
      ownerReferences: [controllerReference(common.owner)],
    },
    addressType: slice.addressType,
    ...portsAndEndpoints(slice),
  };
}
