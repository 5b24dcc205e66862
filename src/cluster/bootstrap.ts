import type { Clock } from "../apimachinery/clock.ts";
import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { type GroupVersionKind, parseGroupVersion } from "../apimachinery/group-version.ts";
import { type Cidr, formatIp } from "../apimachinery/ip.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ControllerClient } from "../controllers/contract/controller.ts";
import type { KubernetesService } from "../controllers/contract/kubernetes-service.ts";
import { isControllerEnabled } from "../controllers/enabled-controllers.ts";
import { settledRules } from "../controllers/role-aggregation.ts";
import { applyKind } from "../patch/apply/apply-kind.ts";
import { allBut } from "../patch/apply/field-filter.ts";
import { fieldManager } from "../patch/apply/field-manager.ts";
import { addressAfter, type ServiceRanges } from "../registry/contract/service-ranges.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { isOfKubernetesService, readdressed, withEndpoint } from "./kubernetes-service.ts";
import type { ServerEndpoint } from "./published-server.ts";
import { type RecordedObject, recordedObjects } from "./recorded-objects.ts";

/** An object that every server creates when it starts, in its stored form. */
export interface Seed {
  readonly resource: string;
  readonly group: string;
  readonly object: KubeObject;
}

/** What the objects of a new cluster depend on. */
export interface BootstrapOptions {
  readonly catalog: Catalog;
  readonly identifiers: Identifiers;
  readonly clock: Pick<Clock, "now">;
  readonly serviceRanges: ServiceRanges;
  readonly published: { readonly endpoint: ServerEndpoint | undefined };
  /** The enabled controllers, as `--controllers` lists them. */
  readonly controllers: readonly string[];
}

/** Fills an empty cluster with the objects that a server without controllers creates when it starts. */
export function bootstrap(objects: StoredObjects, options: BootstrapOptions): void {
  for (const seed of seeds(options)) objects.put(seed, completeSeed(seed, options));
}

const aggregator = "clusterrole-aggregation-controller";

/** The objects that every server of the release creates. */
export function seeds({
  catalog,
  controllers,
}: Pick<BootstrapOptions, "catalog" | "controllers">): readonly Seed[] {
  return catalog.derived(isControllerEnabled(aggregator, controllers) ? reconciledSeedsOf : seedsOf);
}

function completeSeed({ object, resource }: Seed, options: BootstrapOptions): KubeObject {
  const { identifiers, clock, serviceRanges, published } = options;
  const creationTimestamp = formatTime(clock.now());
  const metadata = {
    ...object.metadata,
    uid: identifiers.uid(),
    creationTimestamp,
    ...managedSince(object.metadata, creationTimestamp),
  };
  const seed = withEndpoint({ ...trackedSince(object, creationTimestamp), metadata }, published.endpoint);
  return resource === "services" ? withFirstAddress(seed, serviceRanges.clusterIps[0]) : seed;
}

/** The ConfigMap about the use of legacy tokens says from which day on it is known. */
function trackedSince(object: KubeObject, creationTimestamp: string): KubeObject {
  const since = textAt(object, "data", "since");
  return since === "" ? object : { ...object, data: { since: creationTimestamp.slice(0, 10) } };
}

/** Maintains the Service of the API and its endpoints: `client` is that of the server. */
export function kubernetesService(
  objects: StoredObjects,
  options: BootstrapOptions,
  client: Pick<ControllerClient, "create">,
): KubernetesService {
  const { clock, published } = options;
  const seedOfKind = (kind: string): Seed | undefined =>
    seeds(options).find(({ object }) => object.kind === kind && isOfKubernetesService(object));
  return {
    kinds: kindsOfKubernetesService(seeds(options)),
    create: async (kind) => {
      const seed = seedOfKind(kind);
      if (seed === undefined || objects.get(seed, "default", "kubernetes") !== undefined) return;
      const complete = completeSeed(seed, options);
      // Validation would refuse endpoints with an address of the loopback.
      if (kind === "Service") await client.create(manifestOfService(complete));
      else objects.put(seed, complete);
    },
    publish: (kind) => {
      const seed = seedOfKind(kind);
      const stored = seed && objects.get(seed, "default", "kubernetes");
      if (seed === undefined || stored === undefined || published.endpoint === undefined) return;
      const wanted = withEndpoint(seed.object, published.endpoint);
      const changed = readdressed(stored, wanted, formatTime(clock.now()));
      if (changed !== undefined) objects.put(seed, changed);
    },
  };
}

function kindsOfKubernetesService(all: readonly Seed[]): ReadonlySet<string> {
  const objects = all.map(({ object }) => object);
  return new Set(objects.filter(isOfKubernetesService).map(({ kind }) => kind));
}

/** The Service as a server recreates it after it is deleted. */
function manifestOfService({ status: _, metadata, ...object }: KubeObject): KubeObject {
  const { name, namespace, labels } = metadata;
  // The rest has kind and apiVersion.
  return withoutPlurals({ ...object, metadata: { name, namespace, labels } } as KubeObject);
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
  return recordedObjects(catalog.release).flatMap((recorded) => seedOf(catalog, recorded) ?? []);
}

/** The seeds once the controllers have run for the first time: no new cluster pays for that. */
function reconciledSeedsOf(catalog: Catalog): readonly Seed[] {
  const all = catalog.derived(seedsOf);
  const roles = all.flatMap(({ object }) => (object.kind === "ClusterRole" ? object : []));
  const rules = settledRules(roles.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)));
  return all.map((seed) => {
    const settled = seed.object.kind === "ClusterRole" ? rules.get(nameOf(seed.object)) : undefined;
    return settled === undefined ? seed : { ...seed, object: withRules(seed.object, settled) };
  });
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? "";

/** A role with the rules that it gets from the controller. */
function withRules(role: KubeObject, rules: readonly JsonObject[]): KubeObject {
  const applied = {
    manager: aggregator,
    operation: "Apply",
    apiVersion: role.apiVersion,
    time: epoch,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:rules": {} },
  };
  const managedFields = [applied, ...listAt(role, "metadata", "managedFields")];
  return { ...role, metadata: { ...role.metadata, managedFields }, rules };
}

/** Undefined when the release does not serve the resource. */
function seedOf(catalog: Catalog, { path, object }: RecordedObject): Seed | undefined {
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
    metadata: seedMetadata(recordedMetadata(object["metadata"], entry.kind, catalog)),
  };
  const owned = ownedByServer(complete, schema, { ...gv, kind: entry.kind });
  return { resource, group: gv.group, object: schema.canonicalize(owned) };
}

/** The recorded server labels namespaces with their names, which servers do since 1.21. */
function recordedMetadata(value: JsonValue | undefined, kind: string, { release }: Catalog): JsonObject {
  const metadata = isJsonObject(value) ? value : {};
  if (kind !== "Namespace" || sinceOf(release)("1.21")) return metadata;
  const { labels: _labels, managedFields: _managedFields, ...rest } = metadata;
  return rest;
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
function seedMetadata(metadata: JsonObject): JsonObject {
  const entries = managedSince(metadata, epoch);
  return { ...metadata, uid: "0", resourceVersion: "0", creationTimestamp: epoch, ...entries };
}

/** The managedFields entries of the object's creator at that time. */
function managedSince({ managedFields }: JsonObject, time: string): JsonObject {
  if (!Array.isArray(managedFields)) return {};
  return { managedFields: managedFields.filter(isJsonObject).map((entry) => ({ ...entry, time })) };
}
