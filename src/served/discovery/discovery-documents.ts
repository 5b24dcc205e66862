import type { JsonObject } from "../../apimachinery/json.ts";
import {
  type DiscoveryGroup,
  type DiscoveryResource,
  type DiscoveryVersion,
  groupVersionOf,
} from "./discovery-group.ts";

// All keys are in the order of Go's fields, so that JSON.stringify produces the bytes of a server.

/** `/api`. `serverAddress` is the address of `--advertise-address` with the port, such as `10.0.0.10:6443`. */
export function apiVersions(serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `/apis`, without the core group, which has its own path. */
export function apiGroupList(groups: readonly DiscoveryGroup[]): JsonObject {
  const named = groups.filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: named.map(groupEntry) };
}

/** `/apis/{group}`. */
export function apiGroup(group: DiscoveryGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) };
}

function groupEntry(group: DiscoveryGroup): JsonObject {
  const versions = group.versions.map((version) => ({
    groupVersion: groupVersionOf(group, version),
    version: version.version,
  }));
  const [preferredVersion = { groupVersion: "", version: "" }] = versions;
  return { name: group.name, versions, preferredVersion };
}

/** `/api/v1` and `/apis/{group}/{version}`. Only the first has no apiVersion. */
export function apiResourceList(group: DiscoveryGroup, version: DiscoveryVersion): JsonObject {
  const resources = version.resources.flatMap((resource) => apiResources(group, version, resource));
  return {
    kind: "APIResourceList",
    ...(group.name === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersionOf(group, version),
    resources,
  };
}

function apiResources(
  group: DiscoveryGroup,
  version: DiscoveryVersion,
  resource: DiscoveryResource,
): readonly JsonObject[] {
  const { namespaced, shortNames, categories, storageVersionHash } = resource;
  const main: JsonObject = {
    name: resource.name,
    singularName: resource.singularName,
    namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
  };
  const others = resource.subresources.map((subresource): JsonObject => {
    const isElsewhere = subresource.group !== group.name || subresource.version !== version.version;
    return {
      name: `${resource.name}/${subresource.name}`,
      singularName: "",
      namespaced,
      ...(isElsewhere && subresource.group !== "" && { group: subresource.group }),
      ...(isElsewhere && { version: subresource.version }),
      kind: subresource.kind,
      verbs: subresource.verbs,
    };
  });
  return [main, ...others];
}
