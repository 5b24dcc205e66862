import { listAt, objectAt, textAt } from "../apimachinery/fields.ts";
import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { applyKind } from "../patch/apply/apply-kind.ts";
import { allBut } from "../patch/apply/field-filter.ts";
import { fieldManager } from "../patch/apply/field-manager.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import type { KindSchema } from "../schema/kind-schema.ts";

/** An object whose managedFields are not those of the version gets the entries of its creation by the server. */
export function ownedByServer(
  catalog: Catalog,
  object: KubeObject,
  gvk: GroupVersionKind,
  fieldsOf: OwnedFields,
): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const entries = listAt(object, "metadata", "managedFields");
  const isRecorded = ({ apiVersion, fieldsV1 }: JsonObject): boolean =>
    apiVersion === object.apiVersion && fieldsV1 !== null;
  const schema = builtInKindSchema(catalog, gvk);
  if ((entries.length > 0 && entries.every(isRecorded)) || schema === undefined) return object;
  const ofStatus = entries.filter(({ subresource }) => subresource !== undefined);
  const creator = entries.find(({ subresource }) => subresource === undefined);
  const manager = creator === undefined ? "kube-apiserver" : textAt(creator, "manager");
  const { status: _status, ...created } = object;
  // The rest has kind, apiVersion and metadata.
  const sent = { ...created, metadata } as KubeObject;
  const tracked = fieldsOf(shapeOf(sent, manager), () => createdEntries(sent, manager, schema, gvk));
  const adopted = ofStatus.map((entry) => ({ ...entry, apiVersion: object.apiVersion }));
  return { ...object, metadata: { ...metadata, managedFields: [...adopted, ...tracked] } };
}

/** The entries for objects of a shape, which are computed for the first one. */
export type OwnedFields = (
  shape: string | undefined,
  compute: () => readonly JsonObject[],
) => readonly JsonObject[];

/** Remembers the entries of the shapes of one set of seeds. */
export function rememberedFields(): OwnedFields {
  const known = new Map<string, readonly JsonObject[]>();
  return (shape, compute) => {
    const entries = (shape !== undefined && known.get(shape)) || compute();
    if (shape !== undefined) known.set(shape, entries);
    return entries;
  };
}

/**
 * Objects of one shape have the same fields. Undefined for other kinds than those of the policy: the lists of these belong to
 * their managers as a whole, so that only the names of fields matter.
 */
function shapeOf({ metadata, ...object }: KubeObject, manager: string): string | undefined {
  if (!object.apiVersion.startsWith("rbac.authorization.k8s.io/")) return undefined;
  const { labels = {}, annotations = {}, name: _, namespace: __, ...others } = metadata;
  const names = [object, objectAt(object, "aggregationRule") ?? {}, labels, annotations, others].map(
    Object.keys,
  );
  return JSON.stringify([manager, object.apiVersion, object.kind, names]);
}

function createdEntries(
  object: KubeObject,
  manager: string,
  schema: KindSchema,
  gvk: GroupVersionKind,
): readonly JsonObject[] {
  const fields = fieldManager({
    gvk,
    subresource: "",
    now: () => 0,
    filter: allBut([]),
    kindOf: () => applyKind(schema, gvk),
    convert: (same) => same,
    complete: (same) => same as MutableKubeObject,
    tracksCreations: true,
  });
  const sent = schema.canonicalize(object) as MutableKubeObject;
  return listAt(fields.update(undefined, sent, manager), "metadata", "managedFields");
}
