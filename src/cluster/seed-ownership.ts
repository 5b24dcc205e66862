import { listAt, textAt } from "../apimachinery/fields.ts";
import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { applyKind } from "../patch/apply/apply-kind.ts";
import { allBut } from "../patch/apply/field-filter.ts";
import { fieldManager } from "../patch/apply/field-manager.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { fieldsOfPolicy, isPolicy } from "./policy-ownership.ts";

/** The time of a seed's creation, until a cluster is created. */
export const epoch = "1970-01-01T00:00:00Z";

/** An object whose managedFields are not those of the version gets the entries of its creation by the server. */
export function ownedByServer(catalog: Catalog, object: KubeObject, gvk: GroupVersionKind): KubeObject {
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
  const tracked = isPolicy(object)
    ? [createdEntry(object, manager, fieldsOfPolicy(object, catalog.release))]
    : createdEntries(sent, manager, schema, gvk);
  const adopted = ofStatus.map((entry) => ({ ...entry, apiVersion: object.apiVersion }));
  return { ...object, metadata: { ...metadata, managedFields: [...adopted, ...tracked] } };
}

function createdEntry({ apiVersion }: KubeObject, manager: string, fieldsV1: JsonObject): JsonObject {
  return { manager, operation: "Update", apiVersion, time: epoch, fieldsType: "FieldsV1", fieldsV1 };
}

/** The entries of a creation, by the rules of apply. The object has no managedFields. */
export function createdEntries(
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
