import type { QueryParameters } from "./query-parameters.ts";
import { isTrue } from "./query-values.ts";
import { requiredName } from "./required-name.ts";
/** What a resource request is about. Parts that the path does not name are empty strings. */
export interface ResourceRequestInfo {
  readonly isResourceRequest: true;
  readonly path: string;
  /** The verb of RBAC: get, list, watch, create, update, patch, delete, deletecollection, or the word of a legacy prefix. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Whether `namespaces/{namespace}` precedes the resource in the path, even with an empty name. */
  readonly isBelowNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments from the resource on. */
  readonly parts: readonly string[];
  /** The raw selectors that authorization sees (gate AuthorizeWithSelectors). */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface NonResourceRequestInfo {
  readonly isResourceRequest: false;
  readonly path: string;
  /** The HTTP method in lower case. */
  readonly verb: string;
}

/** What the method, path and query of a request say. */
export type RequestInfo = ResourceRequestInfo | NonResourceRequestInfo;

/** The path lacks segments that its prefix requires; upstream answers 500 in plain text. */
export class UnresolvableRequestError extends Error {
  override readonly name = "UnresolvableRequestError";
}

const verbOfMethod: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);
const verbPrefixes: ReadonlySet<string> = new Set(["proxy", "watch"]);
const verbsWithSelectors: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

/**
 * Resolves a request as upstream's RequestInfoFactory does (apiserver, pkg/endpoints/request/requestinfo.go).
 * `path` is decoded; `query` holds the parameters of the URL.
 * @throws {UnresolvableRequestError} for a legacy prefix without a path after it.
 */
export function parseRequestInfo(method: string, path: string, query: QueryParameters): RequestInfo {
  const segments = splitPath(path);
  const prefix = segments[0];
  const isCore = prefix === "api";
  if (segments.length < (isCore ? 3 : 4) || !(isCore || prefix === "apis")) {
    return { isResourceRequest: false, path, verb: method.toLowerCase() };
  }
  const group = isCore ? "" : (segments[1] ?? "");
  const version = segments[isCore ? 1 : 2] ?? "";
  const rest = segments.slice(isCore ? 2 : 3);
  const first = rest[0] ?? "";
  const isPrefixed = verbPrefixes.has(first);
  if (isPrefixed && rest.length < 2) {
    throw new UnresolvableRequestError("unable to determine kind and namespace from url");
  }
  const verb = isPrefixed ? first : (verbOfMethod.get(method) ?? "");
  const target = isPrefixed ? rest.slice(1) : rest;
  return refineVerb(resolveTarget(path, verb, group, version, target), isPrefixed, query);
}

/** The segments between the slashes, without empty ones at either end; a path of slashes alone has one, which is empty. */
function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === slash) start += 1;
  while (end > start && path.charCodeAt(end - 1) === slash) end -= 1;
  return path.slice(start, end).split("/");
}

const slash = 0x2f;

function resolveTarget(
  path: string,
  verb: string,
  group: string,
  version: string,
  segments: readonly string[],
): ResourceRequestInfo {
  let parts = segments;
  let namespace = "";
  let isBelowNamespace = false;
  if (segments[0] === "namespaces") {
    namespace = segments[1] ?? "";
    const below = segments[2];
    if (below !== undefined && !namespaceSubresources.has(below)) {
      parts = segments.slice(2);
      isBelowNamespace = true;
    }
  }
  return {
    isResourceRequest: true,
    path,
    verb,
    group,
    version,
    namespace,
    isBelowNamespace,
    resource: parts[0] ?? "",
    name: parts[1] ?? "",
    subresource: verb === "proxy" ? "" : (parts[2] ?? ""),
    parts,
    fieldSelector: "",
    labelSelector: "",
  };
}

function refineVerb(
  info: ResourceRequestInfo,
  isPrefixed: boolean,
  query: QueryParameters,
): ResourceRequestInfo {
  if (info.name !== "") return info;
  if (info.verb === "delete") return withSelectors({ ...info, verb: "deletecollection" }, isPrefixed, query);
  if (info.verb === "get") {
    const verb = isTrue(query.get("watch")) ? "watch" : "list";
    return withSelectors({ ...info, verb }, isPrefixed, query);
  }
  return withSelectors(info, isPrefixed, query);
}

function withSelectors(
  info: ResourceRequestInfo,
  isPrefixed: boolean,
  query: QueryParameters,
): ResourceRequestInfo {
  if (!verbsWithSelectors.has(info.verb)) return info;
  const fieldSelector = query.get("fieldSelector") ?? "";
  return {
    ...info,
    name: fieldSelector === "" ? "" : requiredName(query),
    fieldSelector: isPrefixed ? "" : fieldSelector,
    labelSelector: isPrefixed ? "" : (query.get("labelSelector") ?? ""),
  };
}
