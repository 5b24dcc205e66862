import { structAt } from "../apimachinery/fields.ts";
import { type GroupVersionKind, parseGroupVersion } from "../apimachinery/group-version.ts";
import { type Cidr, formatIp } from "../apimachinery/ip.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { applyKind } from "../patch/apply/apply-kind.ts";
import { allBut } from "../patch/apply/field-filter.ts";
import { fieldManager } from "../patch/apply/field-manager.ts";
import { addressAfter, type ServiceRanges } from "../registry/contract/service-ranges.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
// Not a file: `tools/packers/bootstrap-objects.mjs` makes the text during a build or a test run.
import recordedObjects from "./generated/bootstrap-objects.json?raw";

/** An object that every server creates when it starts, in its stored form. */
interface Seed {
  readonly resource: string;
  readonly group: string;
  readonly object: KubeObject;
}

/** Fills an empty cluster with the objects that a server without controllers creates when it starts. */
export function bootstrap(
  catalog: Catalog,
  objects: StoredObjects,
  identifiers: Identifiers,
  now: number,
  { clusterIps: [network] }: ServiceRanges,
): void {
  const known = catalog.derived(seedsOf);
  const creationTimestamp = formatTime(now);
  for (const { group, resource, object } of known) {
    const metadata = {
      ...object.metadata,
      uid: identifiers.uid(),
      creationTimestamp,
      ...managedSince(object.metadata, creationTimestamp),
    };
    const seed = { ...object, metadata };
    objects.put({ group, resource }, resource === "services" ? withFirstAddress(seed, network) : seed);
  }
}

/** The Service of the API and its endpoints, as a server recreates them after they are deleted. */
export function serviceOfApi(
  catalog: Catalog,
  { clusterIps: [network] }: ServiceRanges,
): readonly KubeObject[] {
  return catalog
    .derived(seedsOf)
    .map(({ object }) => object)
    .filter(({ metadata }) => metadata.namespace === "default" && metadata.name === "kubernetes")
    .map(({ status: _, metadata: { name, namespace, labels }, ...object }) => {
      // The rest has kind, apiVersion and metadata.
      const manifest = { ...object, metadata: { name, namespace, labels } } as KubeObject;
      return manifest.kind === "Service" ? withoutPlurals(withFirstAddress(manifest, network)) : manifest;
    });
}

/** The server sends only the address; defaulting sets the rest. */
function withoutPlurals(service: KubeObject): KubeObject {
  const { clusterIPs: _, ipFamilies: _families, ...spec } = structAt(service, "spec");
  return { ...service, spec };
}

/** The Service of the API has the first address of the range. */
function withFirstAddress(service: KubeObject, network: Cidr | undefined): KubeObject {
  if (network === undefined) return service;
  const clusterIP = formatIp(addressAfter(network.address, 1));
  const spec = structAt(service, "spec");
  if (spec["clusterIP"] === clusterIP) return service;
  const ipFamilies = [network.address.length === 4 ? "IPv4" : "IPv6"];
  return { ...service, spec: { ...spec, clusterIP, clusterIPs: [clusterIP], ipFamilies } };
}

function seedsOf(catalog: Catalog): readonly Seed[] {
  // Our own data, made by `tools/packers/bootstrap-objects.mjs`; bootstrap.test.ts reads every entry.
  const recorded = JSON.parse(recordedObjects) as readonly (readonly [path: string, object: JsonObject])[];
  return recorded.flatMap(([path, object]) => seedOf(catalog, path, object) ?? []);
}

/** `path` is `apps/v1/deployments`; undefined when the release does not serve it. */
function seedOf(catalog: Catalog, path: string, object: JsonObject): Seed | undefined {
  const slash = path.lastIndexOf("/");
  const gv = parseGroupVersion(path.slice(0, slash));
  const resource = path.slice(slash + 1);
  const entry = gv && catalog.resource({ ...gv, resource });
  if (gv === undefined || entry === undefined) return undefined;
  const schema = builtInKindSchema(catalog, { ...gv, kind: entry.kind });
  if (schema === undefined) return undefined;
  const complete = {
    ...object,
    kind: entry.kind,
    apiVersion: path.slice(0, slash),
    metadata: seedMetadata(object["metadata"]),
  };
  const canonical = schema.canonicalize(ownedByServer(complete, schema, { ...gv, kind: entry.kind }));
  return { resource, group: gv.group, object: canonical };
}

/** An object that was recorded without managedFields gets the entries of its creation by the server. */
function ownedByServer(object: KubeObject, schema: KindSchema, gvk: GroupVersionKind): KubeObject {
  if (object.metadata["managedFields"] !== undefined) return object;
  const fields = fieldManager({
    gvk,
    subresource: "",
    now: () => 0,
    filter: allBut([]),
    kindOf: () => applyKind(schema, gvk),
    convert: (same) => same,
    complete: (same) => same as MutableKubeObject,
  });
  // A seed has kind, apiVersion and metadata by now.
  return fields.update(undefined, object as MutableKubeObject, "kube-apiserver");
}

const epoch = "1970-01-01T00:00:00Z";

/** Has placeholders for what differs between clusters. */
function seedMetadata(value: JsonValue | undefined): JsonObject {
  const metadata = isJsonObject(value) ? value : {};
  const entries = managedSince(metadata, epoch);
  return { ...metadata, uid: "0", resourceVersion: "0", creationTimestamp: epoch, ...entries };
}

/** The managedFields entries of the object's creator at that time. */
function managedSince({ managedFields }: JsonObject, time: string): JsonObject {
  if (!Array.isArray(managedFields)) return {};
  return { managedFields: managedFields.filter(isJsonObject).map((entry) => ({ ...entry, time })) };
}
