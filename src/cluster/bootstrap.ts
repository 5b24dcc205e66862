import type { Clock } from "../apimachinery/clock.ts";
import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { parseGroupVersion } from "../apimachinery/group-version.ts";
import { type Cidr, formatIp } from "../apimachinery/ip.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { formatMicroTime, formatTime } from "../apimachinery/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { KubernetesService } from "../controllers/contract/kubernetes-service.ts";
import { isControllerEnabled } from "../controllers/enabled-controllers.ts";
import { settledRules } from "../controllers/role-aggregation.ts";
import { isRootCa, publishesRootCa, rootCaConfigMap } from "../controllers/root-ca-publisher.ts";
import { defaultServiceAccount } from "../controllers/service-account.ts";
import type { DeclaredApi } from "../lifecycle/declared-api.ts";
import { addressAfter, type ServiceRanges } from "../registry/contract/service-ranges.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import { apiServiceObjects, declaredApiServiceObjects } from "./api-service-seeds.ts";
import { asGated } from "./gated-seeds.ts";
import { isOfKubernetesService, readdressed, withEndpoint } from "./kubernetes-service.ts";
import type { ServerEndpoint } from "./published-server.ts";
import { type RecordedObject, recordedObjects } from "./recorded-objects.ts";
import { epoch, ownedByServer } from "./seed-ownership.ts";
import { seedInVersion, seedVersions } from "./seed-versions.ts";

/** An object that every server creates when it starts, in its stored form. */
export interface Seed {
  readonly resource: string;
  readonly group: string;
  readonly object: KubeObject;
}

/** What the objects of a new cluster depend on. */
export interface BootstrapOptions {
  readonly catalog: Catalog;
  readonly apis: readonly DeclaredApi[];
  readonly identifiers: Identifiers;
  readonly clock: Pick<Clock, "now">;
  readonly serviceRanges: ServiceRanges;
  readonly published: { readonly endpoint: ServerEndpoint | undefined; readonly rootCa: string };
  /** The enabled controllers, as `--controllers` lists them. */
  readonly controllers: readonly string[];
  readonly featureGates: FeatureGates;
}

const aggregator = "clusterrole-aggregation-controller";
const accountCreator = "serviceaccount-controller";
const rootCaPublisher = "root-ca-certificate-publisher-controller";

/** The enabled controllers without which a new server has other objects. */
export function seedingControllers({ controllers, featureGates }: SeedingFacts): readonly string[] {
  const existing = [aggregator, accountCreator, ...(publishesRootCa(featureGates) ? [rootCaPublisher] : [])];
  return existing.filter((name) => isControllerEnabled(name, controllers));
}

/** The objects that every server of the release creates, with those of declared APIs. */
export function seeds(options: SeedOptions): readonly Seed[] {
  return [...builtInSeeds(options), ...declaredSeeds(options)];
}

/** The APIServices of declared APIs. */
export function declaredSeeds({ catalog, apis }: Pick<SeedOptions, "catalog" | "apis">): readonly Seed[] {
  if (apis.length === 0) return [];
  return declaredApiServiceObjects(catalog, apis).flatMap(
    (object) => seedOf(catalog, recordedService(catalog, object)) ?? [],
  );
}

/** The objects that every server of the release creates, whatever APIs are declared. */
export function builtInSeeds(options: SeedingFacts & Pick<SeedOptions, "catalog">): readonly Seed[] {
  const { catalog, featureGates } = options;
  const seeding = seedingControllers(options);
  const ofRelease = [
    ...catalog.derived(seeding.includes(aggregator) ? reconciledSeedsOf : seedsOf),
    ...(seeding.includes(accountCreator) ? catalog.derived(serviceAccountSeedsOf) : []),
    ...(seeding.includes(rootCaPublisher) ? catalog.derived(rootCaSeedsOf) : []),
  ];
  return asGated(ofRelease, featureGates);
}

type SeedOptions = Pick<BootstrapOptions, "catalog" | "controllers" | "featureGates" | "apis">;

/** What decides which objects the controllers have created in a new cluster. */
export type SeedingFacts = Pick<BootstrapOptions, "controllers" | "featureGates">;

/** The object of a seed as the server of this cluster creates it. */
export function completeSeed({ object }: Pick<Seed, "object">, options: BootstrapOptions): KubeObject {
  const { identifiers, clock, serviceRanges, published } = options;
  const creationTimestamp = formatTime(clock.now());
  const metadata = {
    ...object.metadata,
    uid: identifiers.uid(),
    creationTimestamp,
    ...managedSince(object.metadata, creationTimestamp),
  };
  const dated = transitionedAt(trackedSince(object, creationTimestamp), creationTimestamp);
  const seed = withEndpoint({ ...dated, metadata }, published.endpoint);
  if (object.kind === "Service") return withFirstAddress(seed, serviceRanges.clusterIps[0]);
  if (object.kind === "Lease") return renewedAt(seed, clock.now());
  return isRootCa(seed) ? { ...seed, data: { "ca.crt": published.rootCa } } : seed;
}

/** A server renews its Lease when it starts. */
function renewedAt(lease: KubeObject, now: number): KubeObject {
  return { ...lease, spec: { ...structAt(lease, "spec"), renewTime: formatMicroTime(now) } };
}

/** The ConfigMap about the use of legacy tokens says from which day on it is known. */
function trackedSince(object: KubeObject, creationTimestamp: string): KubeObject {
  const since = object.kind === "ConfigMap" ? textAt(object, "data", "since") : "";
  return since === "" ? object : { ...object, data: { since: creationTimestamp.slice(0, 10) } };
}

/** The conditions of a new object are as old as the object. */
function transitionedAt(object: KubeObject, lastTransitionTime: string): KubeObject {
  const conditions = listAt(object, "status", "conditions");
  if (conditions.length === 0) return object;
  return { ...object, status: { conditions: conditions.map((old) => ({ ...old, lastTransitionTime })) } };
}

/** Maintains the Service of the API, its endpoints and, with the gate for that, its ServiceCIDR. */
export function kubernetesService(objects: StoredObjects, options: BootstrapOptions): KubernetesService {
  const { clock, published, featureGates } = options;
  return {
    kinds: new Set([
      ...kindsOfKubernetesService(seeds(options)),
      ...(featureGates.isEnabled("MultiCIDRServiceAllocator") ? ["ServiceCIDR"] : []),
    ]),
    publish: (kind) => {
      const seed = seedOfService(kind, options);
      const stored = seed && objects.get(seed, "default", "kubernetes");
      if (seed === undefined || stored === undefined || published.endpoint === undefined) return;
      const wanted = withEndpoint(seed.object, published.endpoint);
      const changed = readdressed(stored, wanted, formatTime(clock.now()));
      if (changed !== undefined) objects.put(seed, changed);
    },
  };
}

/** The Service of the API, its Endpoints or its EndpointSlice, by the kind. */
export function seedOfService(kind: string, options: BootstrapOptions): Seed | undefined {
  return seeds(options).find(({ object }) => object.kind === kind && isOfKubernetesService(object));
}

function kindsOfKubernetesService(all: readonly Seed[]): ReadonlySet<string> {
  const objects = all.map(({ object }) => object);
  return new Set(objects.filter(isOfKubernetesService).map(({ kind }) => kind));
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

const apiServices = "apiregistration.k8s.io/v1/apiservices";

/** Up to 1.17, APIServices print that they have no service. */
function recordedService({ release }: Catalog, object: RecordedObject["object"]): RecordedObject {
  return { path: apiServices, object, isCanonical: sinceOf(release)("1.18") };
}

function seedsOf(catalog: Catalog): readonly Seed[] {
  const services = apiServiceObjects(catalog).map((object) => recordedService(catalog, object));
  const all = [...services, ...recordedObjects(catalog.release)];
  return all.flatMap((recorded) => seedOf(catalog, recorded) ?? []);
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

/** What the controllers create in the namespaces of a new cluster. */
function serviceAccountSeedsOf(catalog: Catalog): readonly Seed[] {
  return seedsOfNamespaces(catalog, "v1/serviceaccounts", defaultServiceAccount);
}

/** The certificate is added once it is known. */
function rootCaSeedsOf(catalog: Catalog): readonly Seed[] {
  return seedsOfNamespaces(catalog, "v1/configmaps", (namespace) =>
    rootCaConfigMap(namespace, "", sinceOf(catalog.release)),
  );
}

function seedsOfNamespaces(
  catalog: Catalog,
  path: string,
  manifestOf: (namespace: string) => KubeObject,
): readonly Seed[] {
  const namespaces = catalog.derived(seedsOf).filter(({ object }) => object.kind === "Namespace");
  const creator = { manager: "kube-controller-manager", operation: "Update", fieldsV1: null };
  return namespaces.flatMap(({ object }) => {
    const { metadata, ...manifest } = manifestOf(nameOf(object));
    const recorded = {
      ...manifest,
      metadata: { ...metadata, name: metadata.name ?? "", managedFields: [creator] },
    };
    return seedOf(catalog, { path, object: recorded, isCanonical: false }) ?? [];
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
  const known = listAt(role, "metadata", "managedFields");
  if (known.length === 0) return { ...role, rules };
  const managedFields = [applied, ...known];
  return { ...role, metadata: { ...role.metadata, managedFields }, rules };
}

/** Undefined when the release does not serve the resource. */
export function seedOf(
  catalog: Catalog,
  { path, object: { metadata: given, ...content }, isCanonical }: RecordedObject,
): Seed | undefined {
  const slash = path.lastIndexOf("/");
  const apiVersion = path.slice(0, slash);
  const resource = path.slice(slash + 1);
  const group = parseGroupVersion(apiVersion)?.group ?? "";
  const versions = seedVersions(catalog, { group, resource });
  if (versions === undefined) return undefined;
  const { written, stored } = versions;
  // Before 1.18, servers track only what was applied.
  const isTracked = sinceOf(catalog.release)("1.18");
  const { managedFields, ...untracked } = seedMetadata(given);
  const metadata = isTracked && managedFields !== undefined ? { ...untracked, managedFields } : untracked;
  const recorded: KubeObject = { kind: written.kind, apiVersion, metadata, ...content };
  const complete = seedInVersion(recorded, written);
  const owned = isTracked ? ownedByServer(catalog, complete, written) : complete;
  const object = seedInVersion(owned, stored);
  if (isCanonical && complete === recorded && object === owned) return { resource, group, object };
  const schema = builtInKindSchema(catalog, stored);
  return schema && { resource, group, object: schema.canonicalize(object) };
}

/** In canonical order, with placeholders for what differs between clusters. */
function seedMetadata({ name = "", namespace, generation, ...others }: JsonObject): JsonObject {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: "0",
    resourceVersion: "0",
    ...(generation !== undefined && { generation }),
    creationTimestamp: epoch,
    ...others,
    ...managedSince(others, epoch),
  };
}

/** The managedFields entries of the object's creator at that time, in canonical order. */
function managedSince({ managedFields }: JsonObject, time: string): JsonObject {
  if (!Array.isArray(managedFields)) return {};
  const entries = managedFields.filter(isJsonObject);
  return {
    managedFields: entries.map(
      ({ manager = "", operation = "", apiVersion = "", time: _, ...others }): JsonObject => ({
        manager,
        operation,
        apiVersion,
        time,
        ...others,
      }),
    ),
  };
}
