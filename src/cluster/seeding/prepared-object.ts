import type { Clock } from "../../apimachinery/clock.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { BodyError, type DecodedBody, type DecodeTarget, decodeParsed } from "../../codec/decode.ts";
import { encodeJson } from "../../codec/json/json.ts";
import { isSameInJson } from "../../codec/json/same-in-json.ts";
import { convertObject, convertObjectToStored } from "../../endpoints/contract/conversion.ts";
import { defaultedObject } from "../../endpoints/contract/defaulted-object.ts";
import type { EndpointEnvironment } from "../../endpoints/contract/environment.ts";
import type { ResourceScope } from "../../endpoints/contract/scope.ts";
import { decodeAs } from "../../endpoints/requests/body-decoding.ts";
import { decodeTarget } from "../../endpoints/requests/decode-body.ts";
import type { ObjectKey } from "../../registry/contract/object-key.ts";
import type { SeedObject, SeedOptions } from "../../registry/contract/rest.ts";
import { asNew, type LoadedBefore } from "./loaded-before.ts";
import { locatedError } from "./located-error.ts";
import type { KnownManifest } from "./unknown-kinds.ts";

/** An object in its stored version, ready to be committed. */
export interface PreparedObject {
  readonly manifest: KnownManifest;
  readonly source: string;
  readonly key: ObjectKey;
  readonly object: MutableKubeObject;
  readonly origin: SeedOptions["origin"];
  readonly seed: SeedObject;
}

/** The field manager of manifests, as of other writes of the cluster's own methods. */
const manager = "kubedouble";

/** The parts of a server that the preparation of objects needs. */
export interface PreparationEnvironment
  extends Pick<EndpointEnvironment, "served" | "kinds" | "scopes" | "fieldManagers"> {
  readonly lister: Lister;
  readonly clock: Clock;
}

/**
 * Decodes a manifest, sets its defaults and converts it to the stored version, or takes what an earlier cluster has stored for it.
 * @throws {Error} that names the source
 */
export async function prepareObject(
  manifest: KnownManifest,
  environment: PreparationEnvironment,
  before: LoadedBefore | undefined,
): Promise<PreparedObject> {
  try {
    return await prepare(manifest, environment, before);
  } catch (error) {
    throw locatedError(error, manifest);
  }
}

async function prepare(
  manifest: KnownManifest,
  { served, kinds, scopes, fieldManagers, lister, clock }: PreparationEnvironment,
  before: LoadedBefore | undefined,
): Promise<PreparedObject> {
  const { resource, source } = manifest;
  await kinds.load(resource);
  const scope = scopes.of(resource, undefined);
  const seed = await scope?.rest.loadSeed?.();
  if (scope === undefined || seed === undefined) {
    throw new Error(`objects of ${resource.kind} in ${formatGroupVersion(resource)} are not stored`);
  }
  const known = before?.find(manifest);
  if (known !== undefined) {
    const { namespace = "", name = "" } = known.metadata;
    if (lister.get(resource, namespace, name) === undefined) {
      const object = asNew(known, clock.now());
      return { manifest, source, key: { namespace, name }, object, origin: "earlier cluster", seed };
    }
  }
  let object = await decoded(manifest, scope, served.current);
  const { metadata } = object;
  if (!resource.namespaced) delete metadata.namespace;
  else metadata.namespace ||= "default";
  const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
  // Only a server sets a resourceVersion.
  const origin = metadata.resourceVersion ? "server" : "manifest";
  delete metadata.resourceVersion;
  if (origin === "manifest" && scope.tracksFields && metadata["managedFields"] === undefined) {
    const current = lister.get(resource, key.namespace, key.name);
    const old = current && (await convertObject(scope.storedConversion, current));
    object = await fieldManagers.of(scope).update(old, object, manager);
  }
  const stored = await convertObjectToStored(scope.conversion, object);
  return { manifest, source, key, object: stored, origin, seed };
}

async function decoded(
  { object }: KnownManifest,
  scope: ResourceScope,
  view: EndpointEnvironment["served"]["current"],
): Promise<MutableKubeObject> {
  const target = decodeTarget(scope, view);
  const body = decodedAsIs(object, target) ?? (await decodedFromText(object, target, scope));
  return defaultedObject(body.object, scope.gvk, scope);
}

/** Undefined for an object that the text of its JSON might change, or that cannot be decoded. */
function decodedAsIs(object: JsonObject, target: DecodeTarget): DecodedBody | undefined {
  if (!isSameInJson(object)) return undefined;
  try {
    return decodeParsed(object, [], target);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}

/** @throws {StatusError} badRequest in the words of the decoder */
function decodedFromText(
  object: JsonObject,
  target: DecodeTarget,
  { gvk }: ResourceScope,
): Promise<DecodedBody> {
  return decodeAs(new TextEncoder().encode(encodeJson(object)), "application/json", target, gvk);
}
