import { StatusError } from "../apimachinery/errors/errors.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { unknownName } from "../apimachinery/option-checks.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { AdmitOptions } from "./admission-report.ts";
import type { ClusterClient, ResourceFinder } from "./client.ts";

/** How an object is sent. */
export interface Sending {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly manifest: KubeObject;
  readonly where: { readonly namespace?: string; readonly subresource?: string };
}

/**
 * How `admit` sends an object: an update has the resourceVersion of the stored object unless it names one.
 * @throws {Error} for a kind or a subresource that the cluster does not serve, and for one that connects
 */
export async function sendingOf(
  object: KubeObject,
  options: AdmitOptions,
  resourceOf: ResourceFinder,
  admin: ClusterClient,
): Promise<Sending> {
  const { apiVersion, kind, metadata } = object;
  const { subresource, namespace = metadata.namespace } = options;
  const resource = await resourceOf(apiVersion, kind, subresource);
  const where = {
    ...(namespace !== undefined && { namespace }),
    ...(subresource !== undefined && { subresource }),
  };
  const usual = subresource === undefined ? undefined : operationOf(resource, subresource);
  const operation = options.operation ?? usual;
  if (operation !== undefined && operation !== "UPDATE") return { operation, manifest: object, where };
  const stored = await storedObject(object, resource, where.namespace, admin);
  if (operation === undefined && stored === undefined)
    return { operation: "CREATE", manifest: object, where };
  return { operation: "UPDATE", manifest: withRevision(object, stored), where };
}

/** @throws {Error} for a subresource that the resource does not have, or that connects */
function operationOf({ kind, subresources }: ApiResource, name: string): "CREATE" | "UPDATE" {
  const subresource = subresources.get(name);
  if (subresource === undefined) {
    throw unknownName(`admit: ${kind} has no subresource`, name, [...subresources.keys()]);
  }
  if (subresource.connect.length > 0) {
    throw new Error(`admit: the subresource ${name} connects, and a connection has no dry run`);
  }
  return subresource.verbs.includes("update") ? "UPDATE" : "CREATE";
}

async function storedObject(
  { apiVersion, metadata: { name } }: KubeObject,
  { kind }: ApiResource,
  namespace: string | undefined,
  admin: ClusterClient,
): Promise<KubeObject | undefined> {
  if (name === undefined || name === "") return undefined;
  try {
    return await admin.get(apiVersion, kind, name, { ...(namespace !== undefined && { namespace }) });
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** An object of another kind, such as a Scale, keeps its own. */
function withRevision(object: KubeObject, stored: KubeObject | undefined): KubeObject {
  const { resourceVersion } = stored?.metadata ?? {};
  if (resourceVersion === undefined || stored?.kind !== object.kind) return object;
  return { ...object, metadata: { resourceVersion, ...object.metadata } };
}

/** A manifest as an object with metadata. */
export function kubeObjectOf(manifest: JsonObject): KubeObject {
  const { metadata } = manifest;
  // Manifests have apiVersion and kind.
  return { ...manifest, metadata: isJsonObject(metadata) ? metadata : {} } as KubeObject;
}
