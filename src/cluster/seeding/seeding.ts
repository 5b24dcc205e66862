import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { LoadRecord } from "../../controllers/contract/load-record.ts";
import { generatedName, type Identifiers } from "../../registry/contract/system-fields.ts";
import { type EstablishmentEnvironment, establishedDefinitions } from "./established-definitions.ts";
import { type LoadedBefore, loadedBefore } from "./loaded-before.ts";
import { locatedError } from "./located-error.ts";
import type { Manifest } from "./manifest.ts";
import { mapOwnerReferences } from "./owner-uids.ts";
import { type PreparationEnvironment, type PreparedObject, prepareObject } from "./prepared-object.ts";
import { knownManifests, type OnUnknown } from "./unknown-kinds.ts";

/** How objects are loaded. */
export interface SeedingOptions {
  readonly onUnknown: OnUnknown;
  /**
   * The uid and the creation time of an object that the cluster has already: those in the manifest, for the initial
   * objects of a cluster, or those of the object.
   */
  readonly identity: "given" | "current";
}

/** The parts of a server that the loading of objects needs. */
export interface SeedingEnvironment extends PreparationEnvironment, EstablishmentEnvironment {
  readonly identifiers: Identifiers;
  readonly loads: LoadRecord;
  /** Waits until definitions are established. */
  readonly settleDefinitions: () => Promise<void>;
  /** The user on whose behalf objects are created. */
  readonly user: UserInfo;
  readonly catalog: Catalog;
  readonly givenGates: ReadonlyMap<string, boolean>;
}

const namespaces = { group: "", resource: "namespaces" };

/** The kinds whose objects declare other kinds. */
const declaringKinds: readonly string[] = ["CustomResourceDefinition", "APIService"];

/**
 * Loads objects into the cluster: through the registry, without authorization and admission. Objects that declare kinds
 * come first, then namespaces, of which missing ones are made. All others are committed without other writes in between,
 * so their order does not matter and no controller sees a part of them.
 * @throws {Error} that names the source of the object; objects before the first refused one are loaded
 */
export async function seedObjects(
  manifests: readonly Manifest[],
  options: SeedingOptions,
  environment: SeedingEnvironment,
): Promise<void> {
  const declares = ({ object }: Manifest) => declaringKinds.includes(String(object["kind"]));
  const declarations = manifests.filter(declares);
  if (declarations.length > 0) {
    await seedAll(declarations, options, environment);
    await environment.settleDefinitions();
  }
  await seedAll(
    manifests.filter((manifest) => !declares(manifest)),
    options,
    environment,
  );
}

async function seedAll(
  manifests: readonly Manifest[],
  options: SeedingOptions,
  environment: SeedingEnvironment,
): Promise<void> {
  const { served, kinds, catalog, givenGates } = environment;
  const before = options.identity === "given" ? loadedBefore(catalog, givenGates) : undefined;
  const known = knownManifests(
    manifests,
    served.current,
    (resource) => kinds.definitionOf(resource)?.isStored !== false,
    options.onUnknown,
  );
  const prepared: PreparedObject[] = [];
  for (const manifest of known) prepared.push(await prepareObject(manifest, environment, before));
  for (const manifest of missingNamespaces(prepared, environment)) {
    const [namespace] = knownManifests([manifest], served.current, () => true, "error");
    if (namespace !== undefined) prepared.push(await prepareObject(namespace, environment, before));
  }
  await commit(inOrder(prepared), options, environment, before);
}

/** Manifests of the namespaces that the objects need and that neither the load nor the cluster has. */
function missingNamespaces(
  prepared: readonly PreparedObject[],
  { lister }: SeedingEnvironment,
): readonly Manifest[] {
  const loaded = new Set(prepared.filter(isNamespace).map(({ object }) => object.metadata.name));
  const needed = new Map(prepared.map(({ key, source }) => [key.namespace, source]));
  return [...needed]
    .filter(([name]) => name !== "" && !loaded.has(name) && lister.get(namespaces, "", name) === undefined)
    .map(([name, source]) => ({
      object: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      source,
    }));
}

/** Namespaces first; then what brings its allocated addresses and ports, before those of the others are allocated. */
function inOrder(prepared: readonly PreparedObject[]): readonly PreparedObject[] {
  const others = prepared.filter((object) => !isNamespace(object));
  return [
    ...prepared.filter(isNamespace),
    ...others.filter(isAllocated),
    ...others.filter((object) => !isAllocated(object)),
  ];
}

function isAllocated({ origin, object }: PreparedObject): boolean {
  if (origin === "server") return true;
  if (object.kind !== "Service") return false;
  const hasPort = listAt(object, "spec", "ports").some((port) => port["nodePort"] !== undefined);
  return hasPort || textAt(object, "spec", "clusterIP") !== "";
}

function isNamespace({ manifest: { resource } }: PreparedObject): boolean {
  return resource.resource === namespaces.resource && resource.group === namespaces.group;
}

function isDefinition({ object, origin }: PreparedObject): boolean {
  return origin === "manifest" && object.kind === "CustomResourceDefinition";
}

function isStoredService({ object, origin }: PreparedObject): boolean {
  return origin === "server" && object.kind === "Service";
}

function isEvent({ object }: PreparedObject): boolean {
  return object.kind === "Event";
}

function uidOf({ object }: PreparedObject): string {
  return object.metadata.uid ?? "";
}

/** Commits all objects in one turn once the code that they need is there; the registry writes before its call returns. */
async function commit(
  prepared: readonly PreparedObject[],
  options: SeedingOptions,
  environment: SeedingEnvironment,
  before: LoadedBefore | undefined,
): Promise<void> {
  const { clock, user, lister, loads } = environment;
  if (prepared.some(isStoredService)) {
    // The rules of Services load those of pods, which other objects do not need.
    const { checkClusterIps } = await import("./shared-cluster-ips.ts");
    checkClusterIps(prepared, lister);
  }
  const loaded = prepared.map((object) => ({
    object: object.object,
    givenUid: identify(object, options, environment),
  }));
  mapOwnerReferences(loaded);
  loads.add({
    uids: prepared.map(uidOf),
    events: prepared.filter(isEvent).map(uidOf),
    absentOwners: absentOwnersOf(prepared, environment),
    time: clock.now(),
  });
  const isFirstLoad = options.identity === "given" && prepared.some(isDefinition);
  const establish = isFirstLoad ? establishedDefinitions(environment) : () => {};
  const context = { user, dryRun: false, now: clock.now(), warn: () => {} };
  const writes: Promise<void>[] = [];
  try {
    for (const one of prepared) {
      const { seed, key, object, origin, manifest } = one;
      try {
        if (isDefinition(one)) establish(object);
        const name = object.metadata.name ?? "";
        const stored = () => lister.get(manifest.resource, key.namespace, name);
        const isNoted = before !== undefined && origin === "manifest" && stored() === undefined;
        writes.push(seed({ ...key, name }, object, { ...context, origin }));
        const value = isNoted ? stored() : undefined;
        if (value !== undefined) before?.note(manifest, value, context.now);
      } catch (error) {
        throw locatedError(error, manifest);
      }
    }
  } finally {
    await Promise.all(writes);
  }
}

/** Sets the name and the uid that an object gets, and returns the uid that its manifest gives. */
function identify(
  { object, key, manifest: { resource } }: PreparedObject,
  { identity }: SeedingOptions,
  { lister, identifiers }: SeedingEnvironment,
): string | undefined {
  const { metadata } = object;
  const { name = "", generateName = "", uid: givenUid } = metadata;
  if (name === "" && generateName !== "") metadata.name = generatedName(generateName, identifiers);
  const current = lister.get(resource, key.namespace, metadata.name ?? "")?.metadata;
  if (current !== undefined && identity === "current") {
    metadata.uid = current.uid ?? "";
    metadata.creationTimestamp = current.creationTimestamp ?? null;
  }
  metadata.uid ||= current?.uid ?? identifiers.uid();
  return givenUid || undefined;
}

/** The uids of owners that neither the load nor the cluster has. */
function absentOwnersOf(
  prepared: readonly PreparedObject[],
  { lister, served }: SeedingEnvironment,
): readonly string[] {
  const loaded = new Set(prepared.map(({ object }) => object.metadata.uid));
  return prepared.flatMap(({ object: { metadata } }) =>
    (metadata.ownerReferences ?? []).flatMap(({ uid, apiVersion, kind, name }) => {
      if (loaded.has(uid)) return [];
      const resource = served.current.resourceOfKind(apiVersion, kind);
      const namespace = resource?.namespaced ? (metadata.namespace ?? "") : "";
      const owner = resource && lister.get(resource, namespace, name);
      return owner?.metadata.uid === uid ? [] : [uid];
    }),
  );
}
