import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  jsonEqual,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { everyApi } from "../catalog/every-api.ts";
import { type FeatureGates, featureGates } from "../catalog/feature-gates.ts";
import {
  type Conversion,
  type ConversionOf,
  conversionBetween,
  convertObject,
  convertObjectToStored,
  type KindVersion,
} from "../endpoints/contract/conversion.ts";
import { asKubeObject, type Defaults, defaultedObject } from "../endpoints/contract/defaulted-object.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import { Kinds } from "../registry/kinds.ts";
import { ApiView } from "../served/api-view.ts";

/** An object in its own version and in another one. Both are canonical and without defaults that they need not state. */
export interface ConvertedObject {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** One version of a kind, with what its objects go through on the way to and from the stored version. */
interface Endpoint {
  readonly version: KindVersion;
  readonly defaults: Defaults;
  readonly conversion: Conversion;
}

/** Converts objects between the versions of a release, without a server. */
export class VersionConverter {
  readonly release: Release;
  readonly #view: ApiView<KindDefinition>;
  readonly #kinds: Kinds;
  readonly #gates: FeatureGates;

  /** Every version counts that the release has, whether or not it is served by default. */
  constructor(release: Release) {
    const catalog = catalogOf({ release, runtimeConfig: everyApi });
    this.release = release;
    this.#view = ApiView.ofRelease(catalog, builtInKinds);
    this.#kinds = new Kinds({ current: this.#view });
    this.#gates = featureGates(release);
  }

  /** The versions in which the release has objects of a kind, in the order of discovery; empty if it does not have the kind. */
  versionsOf(apiVersion: string, kind: string): readonly ApiResource[] {
    const own = this.#view.resourceOfKind(apiVersion, kind);
    if (own === undefined) return [];
    const home = this.#view.storedAs(own).group;
    return this.#view
      .groupVersions()
      .map((gv) => this.#view.resource({ ...gv, resource: own.resource }))
      .filter((resource) => resource?.kind === kind && this.#view.storedAs(resource).group === home)
      .filter((resource) => resource !== undefined);
  }

  /**
   * An object of `from` in the version of `to`. A default is only stated if the two versions have different ones.
   * @throws {DecodeError} for an object that has not the form of its version
   */
  async convert(object: JsonObject, from: ApiResource, to: ApiResource): Promise<ConvertedObject> {
    await this.#kinds.load(from);
    await this.#kinds.load(to);
    const [source, target] = [this.#endpoint(from), this.#endpoint(to)];
    const { gvk, schema } = source.version;
    const stated = await through(asKubeObject(schema.decode(object).object, gvk), source, target);
    const complete = await through(
      defaultedObject(schema.decode(object).object, gvk, source.defaults),
      source,
      target,
    );
    const understood = defaultedObject(copyOf(stated), target.version.gvk, target.defaults);
    return {
      before: schema.canonicalize(asKubeObject(schema.decode(object).object, gvk)),
      after: target.version.schema.canonicalize(mergedObject(stated, understood, complete)),
    };
  }

  #endpoint(resource: ApiResource): Endpoint {
    const stored = this.#version(this.#view.storedResource(resource) ?? resource);
    const version = this.#version(resource);
    const versions = () => this.#kinds.rulesOf(this.#kinds.definitionOf(resource)).versions;
    const conversionOf: ConversionOf = (to) =>
      versions()?.[formatGroupVersion(to)]?.conversions?.[formatGroupVersion(stored.gvk)];
    return {
      version,
      conversion: conversionBetween(stored, version, conversionOf),
      defaults: {
        gates: this.#gates,
        schema: version.schema,
        defaultsOf: (of) => versions()?.[formatGroupVersion(of)]?.defaults,
      },
    };
  }

  #version({ group, version, kind }: ApiResource): KindVersion {
    const gvk: GroupVersionKind = { group, version, kind };
    const schema = this.#view.kind(gvk);
    if (schema === undefined) throw new Error(`there is no schema for ${kind} in ${group}/${version}`);
    return { gvk, schema };
  }
}

async function through(object: MutableKubeObject, source: Endpoint, target: Endpoint): Promise<KubeObject> {
  return convertObject(target.conversion, await convertObjectToStored(source.conversion, object));
}

function copyOf(object: KubeObject): MutableJsonObject {
  // A copy is not frozen.
  return jsonCopy(object) as MutableJsonObject;
}

/**
 * The converted object with those defaults of its old version that its new one would not set: `understood` is what the new
 * version makes of it, `complete` what the old one meant.
 */
function withStatedDefaults(
  stated: JsonValue | undefined,
  understood: JsonValue | undefined,
  complete: JsonValue | undefined,
): JsonValue | undefined {
  if (complete === undefined || jsonEqual(understood, complete)) return stated;
  if (isJsonObject(complete)) return mergedObject(stated, understood, complete);
  if (Array.isArray(complete) && Array.isArray(stated) && stated.length === complete.length) {
    const meant: readonly JsonValue[] = complete;
    return meant.map((item, index) => {
      const known = Array.isArray(understood) ? understood[index] : undefined;
      return withStatedDefaults(stated[index], known, item) ?? item;
    });
  }
  return complete;
}

function mergedObject(
  stated: JsonValue | undefined,
  understood: JsonValue | undefined,
  complete: JsonObject,
): JsonObject {
  const result: MutableJsonObject = isJsonObject(stated) ? { ...stated } : {};
  // A conversion may add what stands for a field that is not set, such as the annotation for zero shares.
  for (const key of Object.keys(result)) if (!Object.hasOwn(complete, key)) delete result[key];
  for (const [key, meant] of Object.entries(complete)) {
    const known = isJsonObject(understood) ? understood[key] : undefined;
    const value = withStatedDefaults(result[key], known, meant);
    if (value !== undefined) setKey(result, key, value);
  }
  return result;
}
