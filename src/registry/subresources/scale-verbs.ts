import { whenReady } from "../../apimachinery/awaitable.ts";
import { conflict, invalid, notFound } from "../../apimachinery/errors/errors.ts";
import { fieldCauses, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { integerAt, structAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion, type GroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector-object.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { transient } from "../../codec/encodable.ts";
import { fieldPath } from "../../patch/apply/field-filter.ts";
import { entriesAfterScale, entriesForScale, type ReplicasPaths } from "../../patch/apply/scale-entries.ts";
import { internalTypes } from "../../schema/internal-types.ts";
import { addMetadataErrors } from "../contract/metadata-errors.ts";
import type { ResourceDefinition, Rest } from "../contract/rest.ts";
import { decodeStored } from "../contract/storage-codec.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { GenericRegistry } from "../generic/generic-registry.ts";

/** How a kind is scaled, if it is no built-in workload. */
export interface Scaling {
  /** The path of the replicas in each version of the kind. */
  readonly paths: ReplicasPaths;
  /** The spec and the status of the scale. @throws {StatusError} for an object that has no replicas */
  readonly read: (object: KubeObject) => JsonObject;
  readonly write: (object: KubeObject, replicas: JsonValue) => KubeObject;
}

/** The verbs of a Scale. */
export type ScaleVerbs = Required<Pick<Rest, "get" | "update">>;

/** The kind that errors name, whatever the group of the request. */
const scaleKind = { group: "autoscaling", kind: "Scale" };

/** The verbs of a workload as a Scale with its number of replicas. Writes update the workload; conflicts name it. */
export function scaleVerbs(
  stored: StoredResource,
  definition: ResourceDefinition,
  scaling: Scaling | undefined,
): ScaleVerbs {
  const workloads = new GenericRegistry(stored);
  const scaleOf = (workload: KubeObject) => asScale(workload, definition, scaling);
  const paths = scaling?.paths ?? replicasPaths(definition);
  return {
    get: (key) =>
      whenReady(decodeStored(stored, workloads.get(key).value), (workload) => transient(scaleOf(workload))),
    update: async (key, propose, options) => {
      const proposeWorkload = async (current: KubeObject | undefined): Promise<MutableKubeObject> => {
        if (current === undefined) throw notFound(definition.groupResource, key.name);
        const scale = await propose(withEntries(scaleOf(current), current, paths));
        if (scaling === undefined) checkScale(scale, current, definition, stored.gates);
        return withReplicas(current, scale, paths, scaling);
      };
      const updated = await workloads.update(key, proposeWorkload, {
        ...options,
        validateAdmission: (object, old) => options.validateAdmission(scaleOf(object), scaleOf(old)),
      });
      const workload = await decodeStored(stored, updated.object.value);
      return { ...updated, object: transient(scaleOf(workload)) };
    },
  };
}

function asScale(
  workload: KubeObject,
  definition: ResourceDefinition,
  scaling: Scaling | undefined,
): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata;
  const replicas = structAt(workload, "spec")["replicas"] ?? 0;
  const scale = {
    kind: definition.gvk.kind,
    apiVersion: formatGroupVersion(definition.gvk),
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    ...(scaling?.read(workload) ?? { spec: { replicas }, status: scaleStatus(workload, definition) }),
  };
  // The canonical form has no fields that are undefined.
  return definition.schema.canonicalize(scale as KubeObject);
}

/** In old groups, the status has the selector as a map, and as text in another field. */
function scaleStatus(workload: KubeObject, { gvk }: ResourceDefinition): object {
  const replicas = structAt(workload, "status")["replicas"] ?? 0;
  const { text, requirements } = selectorOf(workload);
  if (gvk.group === scaleKind.group) return { replicas, selector: text };
  const isMap = requirements.every(({ operator }) => operator === "=");
  const map = requirements.map(({ key, values }): [string, string] => [key, values[0] ?? ""]);
  return { replicas, selector: isMap ? Object.fromEntries(map) : undefined, targetSelector: text };
}

/** ReplicationControllers have a plain map as their selector. */
function selectorOf(workload: KubeObject): LabelSelector {
  const { selector } = structAt(workload, "spec");
  const isMap = workload.kind === "ReplicationController";
  return labelSelectorFromObject(isMap && selector !== undefined ? { matchLabels: selector } : selector);
}

/** The versions of each workload with a scale, served or not: upstream's mappings. */
const scaledVersions: ReadonlyMap<string, readonly string[]> = new Map([
  ["replicationcontrollers", ["v1"]],
  ["replicasets", ["apps/v1beta2", "apps/v1"]],
  ["deployments", ["apps/v1beta1", "apps/v1beta2", "apps/v1"]],
  ["statefulsets", ["apps/v1beta1", "apps/v1beta2", "apps/v1"]],
]);

/** The path of the replicas in each version of a workload. */
function replicasPaths({ groupResource }: ResourceDefinition): ReplicasPaths {
  const versions = scaledVersions.get(groupResource.resource) ?? [];
  return new Map(versions.map((version) => [version, fieldPath("spec.replicas")]));
}

/** The scale with managedFields for field management; clients do not see them. */
function withEntries(scale: KubeObject, workload: KubeObject, paths: ReplicasPaths): KubeObject {
  const managedFields = entriesForScale(workload.metadata["managedFields"], paths);
  return { ...scale, metadata: { ...scale.metadata, ...(managedFields !== undefined && { managedFields }) } };
}

/**
 * @throws {StatusError} invalid, or a conflict that names the scale; the conflict of a resourceVersion names the
 * workload
 */
function checkScale(
  scale: KubeObject,
  workload: KubeObject,
  definition: ResourceDefinition,
  { since }: FeatureGates,
): void {
  const { name = "", uid = "" } = workload.metadata;
  const errors: Findings = [];
  addMetadataErrors(errors, scale, { namespaced: true, validateName: dnsSubdomainName });
  const replicas = integerAt(scale, "spec", "replicas");
  if (replicas < 0) {
    errors.push(fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0"));
  }
  if (errors.length > 0)
    throw invalid(scaleKind, name, fieldCauses(errors, since, internalTypes(since, definition.gvk)));
  const sent = scale.metadata.uid ?? "";
  if (sent === "" || sent === uid) return;
  const mismatch = `UID in precondition: ${sent}, UID in object meta: ${uid}`;
  throw conflict(scalesOf(definition), name, `Precondition failed: ${mismatch}`);
}

function scalesOf({ groupResource: { group, resource } }: ResourceDefinition): GroupResource {
  return { group, resource: `${resource}/scale` };
}

function withReplicas(
  workload: KubeObject,
  scale: KubeObject,
  paths: ReplicasPaths,
  scaling: Scaling | undefined,
): MutableKubeObject {
  const replicas = structAt(scale, "spec")["replicas"] ?? 0;
  const { resourceVersion } = scale.metadata;
  const { managedFields: _before, ...kept } = workload.metadata;
  const entries = entriesAfterScale(
    workload.metadata["managedFields"],
    scale.metadata["managedFields"],
    workload.apiVersion,
    paths,
  );
  const metadata = {
    ...kept,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(entries !== undefined && { managedFields: entries }),
  };
  if (scaling !== undefined) return { ...scaling.write(workload, replicas), metadata };
  return { ...workload, metadata, spec: { ...structAt(workload, "spec"), replicas } };
}
