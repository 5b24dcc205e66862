import { invalid, notFound } from "../../apimachinery/errors.ts";
import { fieldInvalid } from "../../apimachinery/field.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../apimachinery/json.ts";
import { labelSelectorFromObject } from "../../apimachinery/label-selector-object.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import type { ApiSubresource } from "../../catalog/api-resource.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { fieldPath } from "../../patch/apply/field-filter.ts";
import { entriesAfterScale, entriesForScale, type ReplicasPaths } from "../../patch/apply/scale-entries.ts";
import { canonicalize } from "../../schema/canonical.ts";
import { GenericRegistry } from "../generic/generic-registry.ts";
import type { ObjectKey } from "../generic/object-key.ts";
import type { StoredResource } from "../generic/stored-resource.ts";
import type { ProposeUpdate, ResourceDefinition, Rest, Updated, UpdateOptions } from "../rest.ts";

const scaleKind = { group: "autoscaling", kind: "Scale" };

/** A workload as its number of replicas. Writes go to the workload; conflicts name it. */
export function scaleRest(
  stored: StoredResource,
  subresource: ApiSubresource,
  catalog: Catalog,
): Rest | undefined {
  const schema = catalog.kind(subresource.gvk);
  if (schema === undefined) return undefined;
  const workloads = new GenericRegistry(stored);
  const definition: ResourceDefinition = { ...stored.definition, gvk: subresource.gvk, schema };
  const scaleOf = (workload: KubeObject) => asScale(workload, definition);
  const paths = replicasPaths(stored, catalog);
  return {
    definition,
    get: (key: ObjectKey): Encodable => transient(scaleOf(workloads.get(key).value)),
    update: async (key: ObjectKey, propose: ProposeUpdate, options: UpdateOptions): Promise<Updated> => {
      const proposeWorkload = async (current: KubeObject | undefined): Promise<MutableKubeObject> => {
        if (current === undefined) throw notFound(definition.groupResource, key.name);
        const scale = await propose(withEntries(scaleOf(current), current, paths));
        return withReplicas(current, scale, paths);
      };
      const updated = await workloads.update(key, proposeWorkload, {
        ...options,
        validateAdmission: (object, old) => options.validateAdmission(scaleOf(object), scaleOf(old)),
      });
      return { ...updated, object: transient(scaleOf(updated.object.value)) };
    },
  };
}

function asScale(workload: KubeObject, definition: ResourceDefinition): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata;
  const replicas = section(workload, "spec")["replicas"] ?? 0;
  const scale = {
    kind: definition.gvk.kind,
    apiVersion: formatGroupVersion(definition.gvk),
    metadata: present({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: { replicas },
    status: present({
      replicas: section(workload, "status")["replicas"] ?? 0,
      selector: labelSelectorFromObject(section(workload, "spec")["selector"]).text,
    }),
  };
  // A Scale has all that an object has to have: it was just made so.
  return canonicalize(definition.schema, scale) as KubeObject;
}

function present(fields: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const kept: MutableJsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}

/** Where the served versions of the workload have their replicas. */
function replicasPaths(stored: StoredResource, catalog: Catalog): ReplicasPaths {
  const { groupResource } = stored.definition;
  const versions = catalog
    .groupVersions()
    .filter((gv) => catalog.resource({ ...gv, resource: groupResource.resource }) !== undefined)
    .map((gv) => [formatGroupVersion(gv), fieldPath("spec.replicas")] as const);
  return new Map(versions);
}

/** The scale as field management sees it; clients see no entries. */
function withEntries(scale: KubeObject, workload: KubeObject, paths: ReplicasPaths): KubeObject {
  const managedFields = entriesForScale(workload.metadata["managedFields"], paths);
  if (managedFields === undefined) return scale;
  return { ...scale, metadata: { ...scale.metadata, managedFields } };
}

function withReplicas(workload: KubeObject, scale: KubeObject, paths: ReplicasPaths): MutableKubeObject {
  const replicas = section(scale, "spec")["replicas"] ?? 0;
  if (typeof replicas === "number" && replicas < 0) {
    const finding = fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0");
    throw invalid(scaleKind, scale.metadata.name ?? "", [finding]);
  }
  const { resourceVersion } = scale.metadata;
  const entries = entriesAfterScale(
    workload.metadata["managedFields"],
    scale.metadata["managedFields"],
    workload.apiVersion,
    paths,
  );
  const metadata = {
    ...workload.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(entries !== undefined && { managedFields: entries }),
  };
  return { ...workload, metadata, spec: { ...section(workload, "spec"), replicas } };
}
