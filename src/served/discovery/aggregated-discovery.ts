import type { JsonObject } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { Release } from "../../catalog/api-resource.ts";
import { minorOf } from "../../catalog/release.ts";
import type {
  DiscoveryGroup,
  DiscoveryResource,
  DiscoverySubresource,
  DiscoveryVersion,
} from "./discovery-group.ts";

// Keys are in Go's field order throughout, so that JSON.stringify gives a server's bytes.

/** The versions of apidiscovery.k8s.io, which name the form of the aggregated document. */
export type AggregatedVersion = "v2" | "v2beta1";

/** All groups in one document, as kubectl asks for it. */
export interface AggregatedDiscovery {
  /** The document in one of its forms, which differ in `apiVersion` only. */
  document(version: AggregatedVersion): JsonObject;
  /** The value of the ETag header, quotes included; the same for all forms. */
  readonly etag: string;
}

/** The forms a release offers without gates being set; the newest first. */
export function aggregatedVersions(release: Release): readonly AggregatedVersion[] {
  const minor = minorOf(release);
  if (minor < 27) return [];
  return minor < 30 ? ["v2beta1"] : ["v2", "v2beta1"];
}

const known = new WeakMap<readonly DiscoveryGroup[], AggregatedDiscovery>();

/**
 * The aggregated document of the groups: the core group for `/api`, all others for `/apis`. Made once for an
 * array, so hand in the same one until something changes.
 */
export function aggregatedDiscovery(
  groups: readonly DiscoveryGroup[],
  release: Release,
): AggregatedDiscovery {
  let discovery = known.get(groups);
  if (discovery === undefined) {
    discovery = createDiscovery(groups, release);
    known.set(groups, discovery);
  }
  return discovery;
}

function createDiscovery(groups: readonly DiscoveryGroup[], release: Release): AggregatedDiscovery {
  const metadata = {};
  const items = groups.map((group) => groupItem(group, release));
  const documents = new Map<AggregatedVersion, JsonObject>();
  let etag: string | undefined;
  return {
    document(version: AggregatedVersion): JsonObject {
      const made = documents.get(version);
      if (made !== undefined) return made;
      const apiVersion = `apidiscovery.k8s.io/${version}`;
      const document: JsonObject = { kind: "APIGroupDiscoveryList", apiVersion, metadata, items };
      documents.set(version, document);
      return document;
    },
    get etag(): string {
      // The digest is of the document before it is given a kind and an apiVersion.
      etag ??= `"${sha512Hex(JSON.stringify({ metadata, items }))}"`;
      return etag;
    },
  };
}

function groupItem(group: DiscoveryGroup, release: Release): JsonObject {
  const { name } = group;
  return {
    metadata: {
      ...(name !== "" && { name }),
      // The zero time is written up to 1.33.
      ...(minorOf(release) < 34 && { creationTimestamp: null }),
    },
    versions: group.versions.map((version) => versionItem(group, version)),
  };
}

function versionItem(group: DiscoveryGroup, version: DiscoveryVersion): JsonObject {
  const resources = version.resources.map((resource) => resourceItem(group, version, resource));
  return {
    version: version.version,
    ...(resources.length > 0 && { resources }),
    freshness: version.freshness,
  };
}

function resourceItem(
  group: DiscoveryGroup,
  version: DiscoveryVersion,
  resource: DiscoveryResource,
): JsonObject {
  const { kind, shortNames, categories } = resource;
  const own = { group: group.name, version: version.version };
  const subresources = resource.subresources.map((item) => subresourceItem(group, version, item));
  return {
    resource: resource.name,
    responseKind: { ...(version.ownKind === "full" ? own : { group: "", version: "" }), kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singularName,
    verbs: resource.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function subresourceItem(
  group: DiscoveryGroup,
  version: DiscoveryVersion,
  { name, kind, verbs, ...gv }: DiscoverySubresource,
): JsonObject {
  const isOwn = gv.group === group.name && gv.version === version.version;
  const named = isOwn && version.ownKind === "empty" ? { group: "", version: "" } : gv;
  return {
    subresource: name,
    responseKind: { group: named.group, version: named.version, kind },
    verbs,
  };
}
