import { genericServerResponse } from "../apimachinery/errors/errors.ts";
import type { ApiResource, ApiSubresource } from "../catalog/api-resource.ts";
import type { ResourceRequestInfo } from "../request/request-info.ts";
import type { ApiView } from "../served/api-view.ts";

/** The resource that a path names, and the verb of the method. */
export interface Route {
  readonly resource: ApiResource;
  readonly subresource: ApiSubresource | undefined;
  /** The discovery verb, or `connect`. */
  readonly verb: string;
}

/** The mux has no handler for the path: the group is unknown, or it has declared resources alone and not this one. */
export type RouteMiss = "unknownPath";

const collectionVerbs: ReadonlyMap<string, string> = new Map([
  ["GET", "list"],
  ["POST", "create"],
  ["DELETE", "deletecollection"],
]);
const objectVerbs: ReadonlyMap<string, string> = new Map([
  ["GET", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);
const subresourceVerbs: ReadonlyMap<string, string> = new Map([...objectVerbs, ["POST", "create"]]);
const verbsOfCollections: readonly string[] = [...collectionVerbs.values()];
const verbsOfObjects: readonly string[] = [...objectVerbs.values()];

/**
 * Finds the route of a request as the router does: first by path, then by method.
 * @throws {StatusError} the 404 or 405 of the router
 */
export function findRoute(view: ApiView, method: string, info: ResourceRequestInfo): Route | RouteMiss {
  if (!isMounted(info)) return "unknownPath";
  const resource = view.resource(info);
  if (resource === undefined) return missingPath(view, info);
  const { name, subresource: subresourceName } = pathNames(info);
  const isNamed = name !== "";
  if (isUnservedAcrossNamespaces(view, resource, info)) return "unknownPath";
  if (!hasPath(resource, info, isNamed)) return missingPath(view, info);
  const subresource = resource.subresources.get(subresourceName);
  if (subresourceName !== "" && subresource === undefined) throw genericServerResponse(404);
  const verb = verbOf(method, info, resource, subresource, isNamed);
  if (verb === undefined) throw genericServerResponse(405);
  return { resource, subresource, verb };
}

/**
 * Whether the path begins with the prefix of its group to the letter: request info ignores slashes at the start, the
 * mux does not (apiserver, pkg/server/handler.go).
 */
function isMounted({ path, group }: ResourceRequestInfo): boolean {
  return path.startsWith(group === "" ? "/api/" : "/apis/");
}

/** @throws {StatusError} the 404 of the router of built-in groups */
function missingPath({ catalog }: ApiView, { group }: ResourceRequestInfo): RouteMiss {
  if (catalog.groupVersions().some((gv) => gv.group === group)) throw genericServerResponse(404);
  return "unknownPath";
}

/** Declared kinds have no path for writes across namespaces; those of built-in kinds are answered with 405. */
function isUnservedAcrossNamespaces(
  { catalog }: ApiView,
  { namespaced }: ApiResource,
  info: ResourceRequestInfo,
): boolean {
  if (!namespaced || info.namespace !== "" || info.verb === "list" || info.verb === "watch") return false;
  return catalog.resource(info) === undefined;
}

/** The name and subresource in the path; a field selector may have set the name in the info. */
function pathNames(info: ResourceRequestInfo): { readonly name: string; readonly subresource: string } {
  const [, name = "", subresource = ""] = info.parts;
  return { name, subresource };
}

const connectPaths: ReadonlySet<string> = new Set(["proxy"]);

function hasPath(resource: ApiResource, info: ResourceRequestInfo, isNamed: boolean): boolean {
  if (info.parts.length > 3 && !connectPaths.has(info.subresource)) return false;
  if (!hasLegacyPath(resource, info)) return false;
  // If another verb has such a path, the response is 405.
  if (info.parts.length < 3 && !isServedAt(resource, info, isNamed)) return false;
  if (resource.namespaced) return info.namespace !== "" || !isNamed;
  return !info.isBelowNamespace;
}

/** `watch` is the only verb that may still precede a path, for resources that support it. */
function hasLegacyPath(resource: ApiResource, info: ResourceRequestInfo): boolean {
  const prefix = legacyPrefix(info);
  if (prefix === undefined) return true;
  return prefix === "watch" && info.parts.length < 3 && resource.verbs.includes("watch");
}

/** The verb that precedes the path, as in `/api/v1/watch/pods`. */
function legacyPrefix({ verb, path, group }: ResourceRequestInfo): string | undefined {
  if (verb !== "watch" && verb !== "proxy") return undefined;
  return path.split("/").filter(Boolean)[group === "" ? 2 : 3] === verb ? verb : undefined;
}

/** Whether any method is served at the path of a collection or of its objects. */
function isServedAt(resource: ApiResource, info: ResourceRequestInfo, isNamed: boolean): boolean {
  if (resource.namespaced && info.namespace === "" && !isNamed) return resource.verbs.includes("list");
  const verbs = isNamed ? verbsOfObjects : verbsOfCollections;
  return verbs.some((verb) => resource.verbs.includes(verb));
}

function verbOf(
  method: string,
  info: ResourceRequestInfo,
  resource: ApiResource,
  subresource: ApiSubresource | undefined,
  isNamed: boolean,
): string | undefined {
  if (subresource !== undefined) {
    if (subresource.connect.length > 0) return subresource.connect.includes(method) ? "connect" : undefined;
    const verb = subresourceVerbs.get(method);
    return verb !== undefined && subresource.verbs.includes(verb) ? verb : undefined;
  }
  if (legacyPrefix(info) !== undefined) return method === "GET" ? "watch" : undefined;
  // A watch of a collection uses the route of the list; the handler refuses it if the resource cannot be watched.
  if (info.verb === "watch" && method === "GET") return resource.verbs.includes("list") ? "watch" : undefined;
  const verb = (isNamed ? objectVerbs : collectionVerbs).get(method);
  if (verb === undefined || !resource.verbs.includes(verb)) return undefined;
  const isAllNamespaces = resource.namespaced && info.namespace === "";
  return isAllNamespaces && verb !== "list" ? undefined : verb;
}
