import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { listAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { endpointSlices } from "../contract/core-resources.ts";
import { isTerminating } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import { isNamespaceTerminating } from "../pods/pod-control.ts";
import { endpointsOf, type NewSlice, type SlicePlan } from "./slice-plan.ts";
import type { TrackedSlices } from "./tracked-slices.ts";

/** What all slices of an owner have. */
export interface SliceOwner {
  readonly owner: KubeObject;
  readonly labels: Texts;
  /** The annotations of a slice that has these ones. */
  readonly annotate: (present: Texts) => Texts;
  /** Whether the labels and annotations of a slice stay. */
  readonly isCurrent: (slice: KubeObject) => boolean;
}

type Texts = { readonly [key: string]: string };

/** The version in which the release has slices; undefined before 1.17. */
export function sliceVersion({ gates }: WorkloadEnvironment): string | undefined {
  if (gates.since("1.21")) return endpointSlices.apiVersion;
  return gates.since("1.17") ? "discovery.k8s.io/v1beta1" : undefined;
}

/**
 * Writes the changes of a plan, and the labels of the slices that it leaves. A terminating owner gets no new slices, and a terminating
 * namespace has none. Upstream: `finalize` (staging/src/k8s.io/endpointslice/reconciler.go).
 *
 * @throws {Error} the refusal, as the Event of the owner says it
 */
export async function writeSlices(
  environment: WorkloadEnvironment,
  common: SliceOwner,
  plan: SlicePlan,
  existing: readonly KubeObject[],
  tracked: TrackedSlices,
): Promise<void> {
  const { client } = environment;
  const { kind, metadata } = common.owner;
  const { namespace = "" } = metadata;
  const of = `EndpointSlice for ${kind} ${namespace}/${metadata.name}`;
  for (const slice of isTerminating(common.owner) ? [] : plan.create) {
    const manifest = manifestOf(environment, common, slice);
    try {
      tracked.expect(await client.create(manifest, { namespace }));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      rethrow(`create ${of}`)(error);
    }
  }
  const changed = new Set([...plan.update, ...plan.remove].map((slice) => slice.metadata.uid));
  const renewed = existing.filter((slice) => !changed.has(slice.metadata.uid) && !common.isCurrent(slice));
  for (const slice of [...plan.update, ...renewed]) {
    const { name, annotations = {} } = slice.metadata;
    const written = { ...slice.metadata, labels: common.labels, annotations: common.annotate(annotations) };
    const manifest = { ...slice, metadata: written, ...portsAndEndpoints(slice) };
    const update = client.update(manifest, { namespace }).catch(rethrow(`update ${name} ${of}`));
    tracked.expect(await update);
  }
  await removeSlices(environment, plan.remove);
}

export async function removeSlices(
  { client }: WorkloadEnvironment,
  slices: readonly KubeObject[],
): Promise<void> {
  for (const { apiVersion, metadata } of slices) {
    const { name = "", namespace = "" } = metadata;
    await client.delete(apiVersion, "EndpointSlice", name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

function rethrow(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`failed to ${what}: ${messageOf(error)}`);
  };
}

/** Go reads empty lists from its binary format as missing ones. */
function portsAndEndpoints(slice: KubeObject | NewSlice) {
  const endpoints = endpointsOf(slice);
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
      annotations: common.annotate({}),
      ownerReferences: [controllerReference(common.owner)],
    },
    addressType: slice.addressType,
    ...portsAndEndpoints(slice),
  };
}
