import type { JsonObject } from "../../apimachinery/json.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type {
  DiscoveryGroup,
  DiscoveryResource,
  DiscoverySubresource,
  DiscoveryVersion,
} from "./discovery-group.ts";

// All keys are in the order of Go's fields, so that JSON.stringify produces the bytes of a server.

/** The versions of apidiscovery.k8s.io. */
export type AggregatedVersion = "v2" | "v2beta1";

/** Several groups in one document, as kubectl requests it. */
export interface AggregatedDiscovery {
  /** The document in one version; the versions differ only in `apiVersion`. */
  document(version: AggregatedVersion): JsonObject;
  /** The value of the ETag header with its quotes; the same for all versions. */
  readonly etag: string;
}

/** The versions that a server serves, the newest first. */
export function aggregatedVersions({ since, isEnabled }: FeatureGates): readonly AggregatedVersion[] {
  if (!isEnabled("AggregatedDiscoveryEndpoint")) return [];
  const beta: readonly AggregatedVersion[] = isEnabled("AggregatedDiscoveryRemoveBetaType")
    ? []
    : ["v2beta1"];
  return since("1.30") ? ["v2", ...beta] : beta;
}

/** The aggregated document of these groups: the core group for `/api`, all others for `/apis`. */
export function aggregatedDiscovery(
  groups: readonly DiscoveryGroup[],
  release: Release,
): AggregatedDiscovery {
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
      // Upstream hashes the document before it sets kind and apiVersion.
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
      // Releases up to 1.33 write the zero time.
      ...(!sinceOf(release)("1.34") && { creationTimestamp: null }),
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
